/**
 * The interface of a way to make up embeddings: from the tokens that both models have, it makes rows for those that
 * only the donor has.
 */
import type { Floats, Matrix } from '#core'
import type { WeightScheme } from './interpolation.ts'
import type { Rotary } from './rotation.ts'
import type { Rows } from './rows.ts'
import type { SubwordMethod } from './pieces.ts'

export interface ApproximationOptions {
  /** Points a combination is made of, at most. */
  readonly k: number
  readonly weightScheme: WeightScheme
  /** Neighbours by cosine instead of Euclidean distance. */
  readonly cosineSimilarity: boolean
  readonly subwordMethod: SubwordMethod
}

/**
 * One tensor of the model that gets new rows, and all that a method may look at for it. Nothing is read before it is
 * asked for.
 */
export interface TableTask {
  /** Name of the tensor, for random draws and messages. */
  readonly name: string
  /** An output head, as against the input embedding. */
  readonly head: boolean
  /** The model's rows. */
  readonly model: Rows
  /** The donor's rows of the same role. Throws `tensor.missing` where it has none. */
  readonly donor: () => Rows
  /** Rows of tokens that both have, in the donor's order: [shared × donor width], [shared × model width]. */
  readonly shared: () => Promise<{ readonly donor: Matrix; readonly model: Matrix }>
  /** The tokens to make up, as the model's own tokenizer cuts them: rows of the model, by target. */
  readonly pieces: () => Promise<readonly ArrayLike<number>[]>
  /** Donor rows of the tokens to make up, in the order of ids. */
  readonly targets: Int32Array
  readonly rotary: () => { readonly donor: Rotary; readonly model: Rotary }
  readonly options: ApproximationOptions
  /** Normal deviates of the run's seed and this tensor. */
  readonly normal: (first: number, out: Float64Array) => void
}

/** Rows for targets from … to − 1, [to − from × model width]. */
export type MakeRows = (from: number, to: number) => Promise<Floats>

export interface Approximation {
  readonly name: string
  /** Paper or reference implementation. */
  readonly reference: string
  /** Sentence for help and docs. */
  readonly summary: string
  /** What it reads besides the rows that are copied. */
  readonly looksAt: 'nothing' | 'model' | 'pieces' | 'shared'
  /** Draws random numbers. */
  readonly random: boolean
  /** Called once per tensor, before its first batch. */
  prepare(task: TableTask): Promise<MakeRows>
}
