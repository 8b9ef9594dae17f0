/** Parts of the tests of single methods: totals of a stage, masks that are fixed. */
import type { MergeMethod, ModelPass, TensorTask } from '../../../src/model/merge-methods/method.ts'
import { blocks, type Case } from '../../../src/model/merge-methods/in-memory.ts'

export { type Case, run, makeTask } from '../../../src/model/merge-methods/in-memory.ts'

/** The totals of one stage over one tensor. */
export function totalsOf(work: ModelPass, given: Case, method: MergeMethod): Float64Array {
  for (const pass of work.passes) for (const block of blocks(given, work.grain, method)) pass(block)
  return work.totals()
}

/** Words that keep exactly the elements of the masks. */
export function fixedMasks(masks: readonly (readonly number[])[]): TensorTask['random'] {
  return (input) => (first, out) => {
    for (let i = 0; i < out.length; i++) out[i] = masks[input]?.[first + i] === 1 ? 0 : 0xffffffff
  }
}
