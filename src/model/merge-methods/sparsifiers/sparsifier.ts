/** What makes a task vector δ sparse, for the δ methods. */
import { numberOf, type ParameterValue, type TensorTask } from '../method.ts'

export interface SparsifierOptions {
  readonly task: TensorTask
  /** The input's parameters. */
  readonly values: Readonly<Record<string, ParameterValue | null>>
  readonly input: number
  /** Kept elements are divided by the probability to be kept. */
  readonly inverse: boolean
  /** Whether the same elements are sparsified in more than one pass. */
  readonly again: boolean
  readonly note: (text: string) => void
}

export interface Sparsifier {
  /** Passes over |δ| before the first element is dropped: float32 bits without the sign, in order. */
  readonly passes: readonly ((keys: Uint32Array, length: number) => void)[]
  /** Some of |δ| from all over the tensor, before the passes. */
  readonly sample?: ((keys: Uint32Array, length: number) => void) | undefined
  /** Asked before each pass; undefined: all are needed. */
  readonly needs?: ((pass: number) => boolean) | undefined
  /** Multiplies dropped elements by 0, so that NaN stays. Chunks come in order, from offset 0 in each pass. */
  sparsify(delta: Float64Array, offset: number, length: number): void
}

/** Undefined: nothing is dropped. */
export type SparsificationMethod = (options: SparsifierOptions) => Sparsifier | undefined

/**
 * How many of n elements a density keeps: ⌊density · n⌋ in float64, as the reference multiplies; one where that is
 * none, with a note.
 */
export function kept({ task, values, input, note }: SparsifierOptions): number {
  const density = numberOf(values, 'density')
  const count = Math.floor(density * task.count)
  if (count > 0) return count
  note(`density ${density} of ${task.count} elements keeps none of input ${input + 1}: the largest one was kept`)
  return 1
}
