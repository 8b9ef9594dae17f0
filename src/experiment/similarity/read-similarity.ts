/** Reads the JSON document of a similarity of layers. */
import { readFile } from 'node:fs/promises'
import { fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import type { SimilarityReport } from './measure-similarity.ts'

/**
 * Reads the document of a similarity, as `writeSimilarities` and `strata similarity --json` write it; undefined for any
 * other JSON. Throws `file.missing`, `format.json`.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { measureSimilarity, readSimilarity, similaritiesNamed, writeSimilarities } from 'strata-lm/similarity'
 *
 * const model = await openModel('assets/models/stories260K')
 * const corpus = { name: 'four', texts: ['Once upon a time', 'The end.', 'A cat sat.', 'It rained.'] }
 * const report = await measureSimilarity([model], corpus, { metrics: similaritiesNamed('cka') })
 * const folder = await writeSimilarities('inside', report)
 * console.log((await readSimilarity(`${folder}/similarities.json`))?.num_layers) // → 6
 * await model.close()
 * ```
 */
export async function readSimilarity(path: string): Promise<SimilarityReport | undefined> {
  const value = parseJson(
    await readFile(path, 'utf8').catch((cause: unknown) => {
      throw fault('file.missing', { place: path, what: 'the similarity cannot be read', cause })
    }),
    path,
  )
  const known =
    isObject(value) &&
    typeof value['model'] === 'string' &&
    isObject(value['metrics']) &&
    Object.values(value['metrics']).every((metric) => isObject(metric) && Array.isArray(metric['mean']))
  return known ? (value as unknown as SimilarityReport) : undefined
}
