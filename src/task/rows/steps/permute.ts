/**
 * Rows in the order of Hugging Face datasets' `shuffle(seed)`: a permutation by NumPy's `default_rng`, every split with
 * a fresh one.
 */
import { defaultRng } from '#platform/random'
import { eachSplit, pickRows, type StepKind } from './step.ts'

/** The seed. */
export const permute: StepKind<number> = {
  before: (wanted) => wanted,
  apply: (splits, seed) => eachSplit(splits, (rows) => pickRows(rows, [...defaultRng(seed).permutation(rows.rows)])),
}
