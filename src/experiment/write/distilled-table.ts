/** The tensors of a static table, out of the vectors of its tokens. */
import type { Matrix, OnProgress } from '#core'
import type { TensorBytes } from '#files/formats'
import { narrowTable, quantiseVocabulary, reduceTable, sifWeights, weighRows } from '#model/distill'
import { type CorpusInput, type CorpusStep, improve } from './corpus-steps.ts'
import type { DistilSettings } from './distil-settings.ts'

export interface DistilledTable {
  readonly tensors: readonly TensorBytes[]
  readonly width: number
  /** Share of the variance in the components; undefined without them. */
  readonly explained: number | undefined
  /** Steps that were tried with a corpus. */
  readonly steps: readonly CorpusStep[]
}

/**
 * Components and weights; where tokens share rows, k-means before the components, and weights as a tensor of their own
 * (model2vec). The memory of `vectors` [tokens × width] is used: they must not be read again.
 */
export async function makeTable(
  vectors: Matrix,
  {
    dims,
    sif,
    dtype,
    clusters,
    corpus,
  }: Pick<DistilSettings, 'dims' | 'sif' | 'dtype' | 'clusters'> & { corpus: CorpusInput | undefined },
  call: { signal?: AbortSignal | undefined; onProgress?: OnProgress | undefined },
): Promise<DistilledTable> {
  const byRank = sifWeights(vectors.rows, sif)
  const shared = clusters === undefined ? undefined : await quantiseVocabulary(vectors, clusters, call)
  const { table: reduced, explained, axes } = await reduceTable(shared?.table ?? vectors, dims)
  const unweighted = { table: reduced, axes, mapping: shared?.mapping, weights: byRank }
  if (corpus === undefined && shared === undefined) weighRows(reduced, byRank)
  const { table, weights, steps } =
    corpus === undefined ? { ...unweighted, steps: [] } : await improve(unweighted, corpus, call)
  return {
    tensors: [
      { name: 'embeddings', shape: [table.rows, table.width], ...narrowTable(table.data, dtype) },
      ...(shared === undefined ? [] : sharing(shared.mapping, weights)),
    ],
    width: table.width,
    explained,
    steps,
  }
}

function sharing(mapping: Int32Array, weights: Float64Array): TensorBytes[] {
  const shape = [mapping.length]
  return [
    {
      name: 'mapping',
      shape,
      dtype: 'I32',
      bytes: new Uint8Array(mapping.buffer, mapping.byteOffset, 4 * mapping.length),
    },
    { name: 'weights', shape, dtype: 'F64', bytes: new Uint8Array(weights.buffer) },
  ]
}
