/** The tensors of a static table, out of the vectors of its tokens. */
import type { Matrix, OnProgress } from '#core'
import type { TensorBytes } from '#files/formats'
import { narrowTable, quantiseVocabulary, reduceTable, sifWeights, weighRows } from '#model/distill'
import type { DistilSettings } from './distil-settings.ts'

export interface DistilledTable {
  readonly tensors: readonly TensorBytes[]
  readonly width: number
  /** Share of the variance in the components; undefined without them. */
  readonly explained: number | undefined
}

/**
 * Components and weights; where tokens share rows, k-means before the components, and weights as a tensor of their own
 * (model2vec). The memory of `vectors` [tokens × width] is used: they must not be read again.
 */
export async function makeTable(
  vectors: Matrix,
  { dims, sif, dtype, clusters }: Pick<DistilSettings, 'dims' | 'sif' | 'dtype' | 'clusters'>,
  call: { signal?: AbortSignal | undefined; onProgress?: OnProgress | undefined },
): Promise<DistilledTable> {
  const weights = sifWeights(vectors.rows, sif)
  const shared = clusters === undefined ? undefined : await quantiseVocabulary(vectors, clusters, call)
  const { table, explained } = await reduceTable(shared?.table ?? vectors, dims)
  if (shared === undefined) weighRows(table, weights)
  return {
    tensors: [
      { name: 'embeddings', shape: [table.rows, table.width], ...narrowTable(table.data, dtype) },
      ...(shared === undefined ? [] : sharing(shared.mapping, weights)),
    ],
    width: table.width,
    explained,
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
