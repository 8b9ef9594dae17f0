/** The interface of every way to combine layers: from their similarity and quality to one vector space. */

/** Measurements of the n = L + 1 states of a model. */
export interface Known {
  /** [n × n], symmetric; for methods that do not use it, anything. */
  readonly similarity: Float64Array
  /** Quality of each state alone, [n], not negative. */
  readonly quality: Float64Array
}

export interface AggregationOptions {
  /** Price of similarity. */
  readonly lambda: number
  /** Clusters at most. */
  readonly clusters: number
  /** Share of the best quality that a state may lack, `greedy_delta`. */
  readonly dropDelta: number
  /** States at most, greedy methods. */
  readonly maxLayers: number
}

export const defaults: AggregationOptions = { lambda: 0.5, clusters: 4, dropDelta: 0.15, maxLayers: Infinity }

/** A mean of states, times a factor, side by side with others before a projection. */
export interface Block {
  readonly layers: readonly number[]
  readonly factor: number
}

/**
 * What a text's vector is made of: a weighted sum of its states, or blocks of them side by side, projected on their
 * principal components.
 */
export type Combination =
  | { readonly kind: 'sum'; readonly weights: Float64Array; readonly notes: Notes }
  | { readonly kind: 'projection'; readonly blocks: readonly Block[]; readonly notes: Notes }

/** A method's remarks on its answer: picks and gains, the residual of the optimum, clusters, warnings. */
export type Notes = Readonly<Record<string, unknown>>

export interface AggregationMethod {
  /** As flags and results write it. */
  readonly name: string
  readonly reference: string
  /**
   * What moves the answer: settings that do not are not tried twice. `corpus`: the answer is projected on the principal
   * components of some texts.
   */
  readonly uses: readonly ('lambda' | 'similarity' | 'quality' | 'clusters' | 'corpus')[]
  combine(known: Known, options: AggregationOptions): Combination | Promise<Combination>
}

/** Divided by their sum; all equal where that is 0. */
export function normalised(weights: Float64Array): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return sum > 0 ? weights.map((weight) => weight / sum) : weights.map(() => 1 / weights.length)
}

/** The first of the largest. */
export function indexOfLargest(values: ArrayLike<number>): number {
  let best = 0
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i
  return best
}

export function oneHot(n: number, at: number): Float64Array {
  const weights = new Float64Array(n)
  weights[at] = 1
  return weights
}
