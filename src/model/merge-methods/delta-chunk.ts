/** A chunk of a block on its way through the δ methods. */
import type { Floats } from '#core'
import type { Block } from './method.ts'

export interface DeltaChunk {
  /** Turns to elements from … from + size − 1 of a block. */
  readonly begin: (block: Block, from: number, size: number) => void
  /** Float32 bits of |δ| of input k. */
  readonly keys: (k: number) => Uint32Array
  /** δ of input k, to be changed in place. */
  readonly changes: (k: number) => Float64Array
  /** out ← b + λ Σ f_k δ_k */
  readonly add: (factors: readonly number[], lambda: number, out: Floats) => void
  /** δ_k ← w_k s_k δ_k; their sums, for tensors of 32 bits and less as float32 adds them up. */
  readonly weigh: (weights: readonly number[], scales: readonly number[]) => Float64Array
  /** out ← b + λ Σ δ_k over those that have the sign of the sum, divided by their weights or not. */
  readonly elect: (weights: readonly number[], divided: boolean, lambda: number, out: Floats) => void
}
