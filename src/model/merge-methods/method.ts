/**
 * What a merge method is: a pure function from the blocks of several tensors to the blocks of one. The engine owns
 * reading, threads, memory and writing.
 */
import type { Dtype, Floats } from '#core'
import type { WordsAt } from '#platform/random'

/**
 * How much of a tensor a method must see: one element at a time; sums over the whole tensor first; a threshold first;
 * or the matrix as a whole.
 */
export type Streaming = 'elementwise' | 'reduction' | 'selection' | 'whole'

/**
 * Arithmetic to agree with: ours (widest accumulation, one rounding, ties defined), mergekit 0.1.4 (rounds in the
 * storage type), or the method's paper.
 */
export const compats = ['exact', 'mergekit-0.1.4', 'paper'] as const
export type Compat = (typeof compats)[number]

export type ParameterValue = number | boolean | string | readonly number[]

export interface ParameterSpec {
  /** One value an output tensor, or one an input. */
  readonly scope: 'shared' | 'model'
  /** Undefined: required. Null: may stay unset. */
  readonly fallback: ParameterValue | null | undefined
  readonly kind: 'number' | 'flag' | 'word'
  /** The words there are. */
  readonly words?: readonly string[]
  /** Sentence for help and docs. */
  readonly help?: string
}

/** One output tensor before its values are read. */
export interface TensorTask {
  /** Output name. */
  readonly name: string
  readonly shape: readonly number[]
  /** Elements. */
  readonly count: number
  /** Inputs besides the base. */
  readonly inputs: number
  readonly hasBase: boolean
  readonly shared: Readonly<Record<string, ParameterValue | null>>
  /** One record an input, in config order. */
  readonly perModel: readonly Readonly<Record<string, ParameterValue | null>>[]
  readonly compat: Compat
  /** Rounds to the type that mergekit 0.1.4 computes in; the identity elsewhere. */
  readonly round: (value: number) => number
  /**
   * Uniform 32-bit words, one an element of input k, from the run's seed and the tensor's name: the same whatever the
   * order, threads or blocks.
   */
  readonly random: (input: number) => WordsAt
  /** Further tensors of each input that are needed whole, by kind (`gram`); undefined where none was given. */
  readonly extras?: readonly (Readonly<Record<string, Floats>> | undefined)[] | undefined
  /** Layer of the output model, and how many there are; undefined outside the layers. */
  readonly layer?: { readonly index: number; readonly count: number }
  /**
   * Side of a tensor outside the layers: before the first (embeddings; the default) or after the last (final norm,
   * head).
   */
  readonly side?: 'before' | 'after'
  /**
   * What the method's passes over the whole model have counted, one list per stage. Undefined where none was made: the
   * tensor then stands for the model.
   */
  readonly totals?: readonly Float64Array[] | undefined
}

/** The same elements of all inputs, widened: elements `offset` … `offset + length − 1` in row-major order. */
export interface Block {
  readonly offset: number
  readonly length: number
  readonly base: Floats | undefined
  readonly inputs: readonly Floats[]
  /**
   * The same elements of each input's further tensor (`fisher`), for methods that take one along with the inputs;
   * undefined where none was given.
   */
  readonly extras?: readonly (Floats | undefined)[] | undefined
}

/**
 * Goes over every block, in order, before the output. What it learns stays in the kernel's closure, summed element by
 * element, so that block sizes change nothing.
 */
export type Pass = (block: Block) => void

/**
 * Σ c_k x_k over the operands; `changes`: the first operand b plus Σ c_k (x_k − b) over the others; `mean`: c_1 times
 * the mean of the others plus c_2 b. Two coefficients.
 */
export interface StoredMix {
  readonly of: 'values' | 'changes' | 'mean'
  readonly coefficients: readonly [number, number]
}

/**
 * A method applied to one tensor. A kernel is used once: passes in order, each over all blocks from the first to the
 * last, then `output` likewise. It keeps no block.
 */
export interface Kernel {
  /**
   * Blocks start and end at multiples of this many elements (a row, for methods that work by rows; all of them for
   * `whole`).
   */
  readonly grain: number
  readonly passes: readonly Pass[]
  /**
   * A few blocks from all over the tensor, before the passes, where they can be had: they may spare a pass, and change
   * nothing else.
   */
  sample?(block: Block): void
  /** Whether a pass has still something to learn; asked before each. Undefined: each has. */
  needs?(pass: number): boolean
  /** Runs after the passes and before the output, for what takes long (a decomposition). */
  settle?(): Promise<void>
  /**
   * The output as a weighted sum that can be made of stored values, with the very bits of `output`; asked for after
   * `settle`. Undefined where it is none, or not of two inputs.
   */
  mix?(): StoredMix
  /** What the user should know about this tensor, read after the output. */
  readonly notes?: readonly string[]
  /** Writes `out[0 … length − 1]`. */
  output(block: Block, out: Floats): void
}

/** What a tensor gives to the whole model's sums. */
export interface ModelPass {
  readonly grain: number
  readonly passes: readonly Pass[]
  /** Numbers of this tensor, read after the passes; the engine adds them up over all tensors, in their order. */
  totals(): Float64Array
}

export interface MergeMethod {
  readonly name: string
  /** Paper or reference implementation. */
  readonly reference: string
  readonly base: 'required' | 'optional' | 'input' | 'none'
  /** Inputs besides the base: smallest and largest number. */
  readonly inputs: readonly [number, number]
  readonly parameters: Readonly<Record<string, ParameterSpec>>
  readonly streaming: Streaming
  /** Absolute float32 tolerance against the real program, or why there is none. */
  readonly tolerance: number | string
  /** Where `exact` leaves mergekit, and why. */
  readonly deviations?: readonly string[] | undefined
  /** What `paper` does otherwise. */
  readonly paper?: string | undefined
  /** Type of the outputs under a profile, where the recipe names none; undefined: the inputs'. */
  readonly storedAs?: (compat: Compat) => Dtype | undefined
  /**
   * A further tensor of each input: of the input's shape and read along with it, or of its own shape and needed whole.
   */
  readonly extra?: { readonly kind: string; readonly delivery: 'block' | 'whole' }
  /**
   * What must be known of the whole model before the first kernel is made: stage by stage, each after the totals of the
   * one before it over all tensors. Undefined when there is no such stage under these parameters.
   */
  modelPass?(task: TensorTask, stage: number): ModelPass | undefined
  /** Throws `config.value` for parameters it cannot work with: kernels are made before anything is read. */
  kernel(task: TensorTask): Kernel
}

export const perModel = (fallback?: number | null): ParameterSpec => ({ scope: 'model', kind: 'number', fallback })
export const shared = (fallback?: number | null): ParameterSpec => ({ scope: 'shared', kind: 'number', fallback })
export const sharedFlag = (fallback: boolean): ParameterSpec => ({ scope: 'shared', kind: 'flag', fallback })
export const sharedWord = (fallback: string, words: readonly string[]): ParameterSpec => ({
  scope: 'shared',
  kind: 'word',
  fallback,
  words,
})

/** A required number of an input, or of the whole tensor; plans have checked that it is there. */
export function numberOf(values: Readonly<Record<string, ParameterValue | null>> | undefined, name: string): number {
  const value = values?.[name]
  return typeof value === 'number' ? value : Number(value)
}

export function flagOf(values: Readonly<Record<string, ParameterValue | null>>, name: string): boolean {
  return values[name] === true || values[name] === 1
}
