/** The folder of the similarity stage: one matrix per metric, with its settings. */

import { join } from 'node:path'
import { grouped } from '#core'
import { writeNpy } from '#files/formats'
import { makeFolder, writeWhole } from '#platform/disk'
import { similarityTable } from '#representation/similarity'
import { type Background, layerHeatMap, type Picture, writePicture } from '#result/pictures'
import type { SimilarityReport } from './measure-similarity.ts'

/**
 * Writes a report below the folder `out` and returns the path of its folder, `<out>/<model>_<pooling>_<data>`: per
 * metric a matrix and its spread (`similarities/CKA.npy`, `CKA_std.npy`) and two pictures, along with `metadata.json`
 * and `similarities.json`. Throws `file.write`.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { measureSimilarity, similaritiesNamed, writeSimilarities } from 'strata-lm/similarity'
 *
 * const model = await openModel('assets/models/stories260K')
 * const corpus = { name: 'four', texts: ['Once upon a time', 'The end.', 'A cat sat.', 'It rained.'] }
 * const report = await measureSimilarity([model], corpus, { metrics: similaritiesNamed('cka') })
 * console.log(await writeSimilarities('inside', report)) // → inside/stories260k_mean_four
 * await model.close()
 * ```
 */
export async function writeSimilarities(
  out: string,
  report: SimilarityReport,
  { background }: { background?: Background | undefined } = {},
): Promise<string> {
  const folder = join(
    out,
    [report.model, ...(report.against === null ? [] : [report.against.model]), report.pooling, report.dataset]
      .map(sanitised)
      .join('_'),
  )
  await makeFolder(join(folder, 'similarities'))
  for (const [title, { mean, std }] of Object.entries(report.metrics)) {
    await writeSquare(join(folder, 'similarities', `${title}.npy`), mean)
    await writeSquare(join(folder, 'similarities', `${title}_std.npy`), std)
    const picture = heatMap(report, title, mean)
    for (const ending of ['svg', 'png'])
      await writePicture(join(folder, 'similarities', `${title}.${ending}`), picture, { background })
  }
  const { metrics, ...facts } = report
  await writeWhole(join(folder, 'similarities.json'), `${JSON.stringify(report)}\n`)
  const metadata = { ...facts, metrics: Object.keys(metrics), timestamp: new Date().toISOString() }
  await writeWhole(join(folder, 'metadata.json'), `${JSON.stringify(metadata, undefined, 2)}\n`)
  return folder
}

/** A model with one pooling in a grid. */
export interface GridEntry {
  readonly model: string
  readonly pooling: string
  /** Undefined where it failed. */
  readonly folder: string | undefined
  readonly error?: string | undefined
}

/** `grid_search_summary.json` in `out`: every model with every pooling, as layer-similarity-analysis lists them. */
export async function writeGridSummary(
  out: string,
  entries: readonly GridEntry[],
  { dataset, texts }: { readonly dataset: string; readonly texts: number },
): Promise<string> {
  const path = join(out, 'grid_search_summary.json')
  const each = (key: 'model' | 'pooling'): string[] => [...new Set(entries.map((entry) => entry[key]))]
  const successful = entries.filter(({ folder }) => folder !== undefined).length
  const summary = {
    total_experiments: entries.length,
    successful,
    failed: entries.length - successful,
    timestamp: new Date().toISOString(),
    configuration: { models: each('model'), pooling: each('pooling'), datasets: [dataset], num_samples: texts },
    results: entries.map(({ model, pooling, folder, error }) => ({
      experiment_name: [model, pooling, dataset].map(sanitised).join('_'),
      model,
      pooling,
      dataset,
      output_dir: folder ?? null,
      success: folder !== undefined,
      ...(error === undefined ? {} : { error }),
    })),
  }
  await makeFolder(out)
  await writeWhole(path, `${JSON.stringify(summary, undefined, 2)}\n`)
  return path
}

/** Colours follow the metric's own range where it is [0, 1], so that pictures of several models can be compared. */
function heatMap(
  { model, against, dataset, num_samples, sample_size, trials, transform, representations = [] }: SimilarityReport,
  metric: string,
  values: readonly (readonly number[])[],
): Picture {
  const [low, high] = similarityTable.all().find(({ title }) => title === metric)?.range ?? []
  return layerHeatMap({
    title: `${metric}${transform === null ? '' : ` (${transform})`} between the layers of ${against === null ? model : `${model} and ${against.model}`}`,
    subtitle: `${dataset}: ${trials === 1 ? `${grouped(num_samples)} texts` : `mean of ${trials} samples of ${grouped(sample_size)} of ${grouped(num_samples)} texts`}`,
    metric,
    values,
    rows: against === null ? 'hidden state' : `hidden state of ${model}`,
    columns: against === null ? 'hidden state' : `hidden state of ${against.model}`,
    behind: { rows: representations, columns: against === null ? representations : [] },
    domain: transform === null && low === 0 && high === 1 ? [0, 1] : undefined,
  })
}

async function writeSquare(path: string, rows: readonly (readonly number[])[]): Promise<void> {
  const values = Float64Array.from(rows.flat())
  await writeNpy(path, {
    dtype: 'F64',
    shape: [rows.length, rows[0]?.length ?? 0],
    bytes: new Uint8Array(values.buffer),
  })
}

/** The last part of a name in lower case, with `_` for characters that a file name or a shell would not accept. */
function sanitised(name: string): string {
  return (name.split('/').at(-1) ?? name).toLowerCase().replaceAll(/[^a-z0-9.]+/g, '_')
}
