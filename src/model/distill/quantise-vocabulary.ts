/** Rows shared by similar tokens, as model2vec's `quantize_vocabulary` shares them. */
import type { Matrix, OnProgress } from '#core'
import { kmeans } from '#platform/linalg'
import { randomState } from '#platform/random'

export interface QuantisedVocabulary {
  /** [clusters × width] */
  readonly table: Matrix
  /** Row of every token. */
  readonly mapping: Int32Array
}

/**
 * K-means of the tokens' vectors, before any component is taken: scikit-learn's `KMeans(init="random",
 * random_state=42)`, ten starts. The rows' memory is used: `vectors` must not be read again. Throws `task.value` for more
 * clusters than tokens.
 *
 * @example
 * ```ts
 * import { quantiseVocabulary } from 'strata-lm/distill'
 *
 * const vectors = { rows: 4, width: 1, data: Float32Array.of(0, 10, 1, 11) }
 * const { mapping } = await quantiseVocabulary(vectors, 2)
 * console.log(mapping[0] === mapping[2], mapping[0] === mapping[1]) // → true false
 * ```
 */
export async function quantiseVocabulary(
  vectors: Matrix,
  clusters: number,
  { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: OnProgress | undefined } = {},
): Promise<QuantisedVocabulary> {
  const starts = 10
  const { centres, labels } = await kmeans(vectors, {
    clusters,
    starts,
    generator: randomState(42),
    signal,
    onStart: (done) => onProgress?.({ stage: 'cluster', done, total: starts, unit: 'runs' }),
  })
  return { table: centres, mapping: labels }
}
