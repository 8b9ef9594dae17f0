/** What every metric of a representation is: one of three kinds, by what it reads. */
import type { Matrix64 } from '#core'

/** A number, or one a scaling or variant. */
export type MetricValue = number | { readonly [variant: string]: MetricValue }

interface Named {
  /** Key in files and flags. */
  readonly name: string
  readonly reference: string
}

/** A metric of the pooled vectors of all texts, [texts × width]. */
export interface PooledMetric extends Named {
  readonly kind: 'pooled'
  /** `unit`: rows of length 1; `raw`: as pooled. */
  readonly rows: 'unit' | 'raw'
  of(vectors: Matrix64): Promise<MetricValue> | MetricValue
}

/** A metric of the tokens of one text, [tokens × width]; for a corpus, the mean over its texts. */
export interface TokenMetric extends Named {
  readonly kind: 'tokens'
  /** Undefined for a text that is too short to have one. */
  of(tokens: Matrix64): Promise<MetricValue | undefined> | MetricValue | undefined
}

/** A metric of several views of the same texts, [texts × width] each, rows aligned. */
export interface ViewMetric extends Named {
  readonly kind: 'views'
  /** Compares two views of each text, or takes as many as there are. */
  readonly views: 'two' | 'many'
  of(views: readonly Matrix64[]): Promise<MetricValue> | MetricValue
}

export type Metric = PooledMetric | TokenMetric | ViewMetric
