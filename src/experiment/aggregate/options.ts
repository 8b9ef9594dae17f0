/** Options of an aggregation. */
import type { Corpus } from '#experiment/encode'
import type { SweepOptions } from '#experiment/sweep'
import type { LayerNorm } from '#representation/layers'
import type { AggregationMethod, AggregationOptions, QualityTransforms } from '#representation/aggregation'
import type { Similarity, Transform, Trials } from '#representation/similarity'

/** Similarities of the layers: measured on the corpus, or given, [n × n]. */
export type SimilaritySource = Similarity | { readonly name: string; readonly matrix: Float64Array }

/** Quality of each layer: its own score on validation rows, derived from the similarity matrix, or given. */
export const qualityNames = ['validation', 'diagonal', 'row_mean'] as const
export type QualitySource =
  | (typeof qualityNames)[number]
  | { readonly name: string; readonly read: (states: number) => Promise<Float64Array> }

export interface AggregateOptions
  extends Omit<SweepOptions, 'representations' | 'keep'>, Trials, Partial<Omit<AggregationOptions, 'lambda'>> {
  readonly methods: readonly AggregationMethod[]
  /** Weights of similarity; each method that uses one is tried with all of them. Default 0.5. */
  readonly lambdas?: readonly number[] | undefined
  readonly similarities: readonly SimilaritySource[]
  readonly quality?: QualitySource | undefined
  readonly qualityTransforms?: QualityTransforms | undefined
  /** Transform of the similarity matrices. */
  readonly transform?: Transform | undefined
  readonly layerNorm?: LayerNorm | undefined
  /** Maximum number of axes of a projection; default 768. */
  readonly components?: number | undefined
  /** Texts that similarity and projections are computed on; default: a seeded sample of the tasks' training splits. */
  readonly corpus?: Corpus | undefined
  /** Folder of validation results, which later runs reuse. */
  readonly validationFolder: string
}
