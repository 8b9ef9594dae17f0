/** What a similarity of layers printed as JSON, read again. */
import { readFile } from 'node:fs/promises'
import { isObject, parseJson } from '#files/formats'
import type { SimilarityReport } from './measure-similarity.ts'

/** Undefined for a document that is none. Throws `format.json`. */
export async function readSimilarity(path: string): Promise<SimilarityReport | undefined> {
  const value = parseJson(await readFile(path, 'utf8'), path)
  const known =
    isObject(value) &&
    typeof value['model'] === 'string' &&
    isObject(value['metrics']) &&
    Object.values(value['metrics']).every((metric) => isObject(metric) && Array.isArray(metric['mean']))
  return known ? (value as unknown as SimilarityReport) : undefined
}
