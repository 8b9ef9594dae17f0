/** Similarity of the layers of a model, or of two. */
import type { CallOptions } from '#core'
import type { Model } from '#model/checkpoint'
import { type Representation, representationName } from '#representation/layers'
import {
  drawnRows,
  type LayerSimilarity,
  layerSimilarity,
  type Similarity,
  type Transform,
  transformed,
  type Trials,
} from '#representation/similarity'
import { type Corpus, layerRows } from '#experiment/encode'

export interface SimilarityReport {
  readonly model: string
  readonly revision: string
  /** The second model, whose layers are the columns; null: the first model itself. */
  readonly against: { readonly model: string; readonly revision: string } | null
  readonly pooling: string
  readonly max_length: number
  readonly dataset: string
  readonly num_samples: number
  readonly num_layers: number
  readonly hidden_size: number
  /** Names of the representations listed behind the first model's layers; absent: none. */
  readonly representations?: readonly string[] | undefined
  readonly sample_size: number
  readonly trials: number
  readonly seed: number
  readonly transform: Transform | null
  /** By title, which also names the files: `CKA`. */
  readonly metrics: Readonly<
    Record<string, { readonly mean: readonly (readonly number[])[]; readonly std: readonly (readonly number[])[] }>
  >
}

export interface MeasureSimilarityOptions extends CallOptions, Trials {
  readonly metrics: readonly Similarity[]
  /** Representations of the first model, compared with its layers and each other as if they were layers. */
  readonly representations?: readonly Representation[] | undefined
  /** Applied to the mean of every metric. */
  readonly transform?: Transform | undefined
}

/**
 * Compares the layers of one model, or of two, over a corpus of texts: layer × layer matrices with their spread, as the
 * document that `strata similarity --json` prints. Throws `usage.conflict` for a model without layers, or for a
 * similarity that needs equal widths.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { measureSimilarity, similaritiesNamed } from 'strata-lm/similarity'
 *
 * const model = await openModel('assets/models/stories260K')
 * const corpus = { name: 'two', texts: ['Once upon a time', 'The end.', 'A cat sat.', 'It rained.'] }
 * const report = await measureSimilarity([model], corpus, { metrics: similaritiesNamed('cka') })
 * console.log(report.num_layers, report.num_samples) // → 6 4
 * await model.close()
 * ```
 */
export async function measureSimilarity(
  [model, other]: readonly [Model, (Model | undefined)?],
  { name, texts }: Corpus,
  {
    metrics,
    representations = [],
    transform,
    sampleSize = 3000,
    trials = 5,
    seed = 42,
    ...call
  }: MeasureSimilarityOptions,
): Promise<SimilarityReport> {
  const x = await layerRows(model, texts, call, representations)
  const y = other === undefined ? undefined : await layerRows(other, texts, call)
  const found = await layerSimilarity(metrics, { texts: texts.length, x, y }, { sampleSize, trials, seed, ...call })
  const draws = drawnRows(texts.length, { sampleSize, trials, seed })
  // a text of the sample: one that is not would be encoded for its width alone
  const [first] = await x([...(draws[0] ?? [])].slice(0, 1))
  const layers = model.states?.count ?? 0
  return {
    model: model.name,
    revision: await model.revision(),
    against: other === undefined ? null : { model: other.name, revision: await other.revision() },
    pooling: model.settings.pooling.join('+'),
    max_length: model.settings.maxLength,
    dataset: name,
    num_samples: texts.length,
    num_layers: layers,
    hidden_size: first?.width ?? 0,
    ...(representations.length === 0 ? {} : { representations: representations.map(representationName) }),
    sample_size: Math.min(sampleSize, texts.length),
    trials: draws.length,
    seed,
    transform: transform ?? null,
    metrics: Object.fromEntries(
      metrics.flatMap(({ name: metric, title }) => entryOf(title, found.get(metric), transform)),
    ),
  }
}

function entryOf(
  title: string,
  found: LayerSimilarity | undefined,
  transform: Transform | undefined,
): [string, SimilarityReport['metrics'][string]][] {
  if (found === undefined) return []
  const { rows, columns, mean, std } = found
  const nested = (values: Float64Array): number[][] =>
    Array.from({ length: rows }, (_, i) => [...values.subarray(i * columns, (i + 1) * columns)])
  return [
    [title, { mean: nested(transform === undefined ? mean : transformed(mean, columns, transform)), std: nested(std) }],
  ]
}
