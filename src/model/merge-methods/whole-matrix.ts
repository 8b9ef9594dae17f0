/**
 * What the matrix methods share: task vectors gathered whole, the merged change worked out before the output; anything
 * but a matrix gets a plain mean.
 */
import type { Matrix64 } from '#core'
import type { Kernel, MergeMethod, TensorTask } from './method.ts'
import { weightedChanges } from './weighted-changes.ts'

export type Change = Matrix64

/** A method of whole task matrices that mergekit does not have. */
export function matrixMethod({
  merge,
  ...named
}: Pick<MergeMethod, 'name' | 'reference' | 'parameters'> & {
  readonly merge: (changes: readonly Change[], task: TensorTask) => Promise<Float64Array>
}): MergeMethod {
  return {
    ...named,
    base: 'required',
    inputs: [1, Infinity],
    streaming: 'whole',
    tolerance: 'not in mergekit',
    kernel: (task) => matrixKernel(task, (changes) => merge(changes, task)),
  }
}

/**
 * `merge` turns the changes of all inputs, [rows × width] each, into one. Memory: 8 bytes an element and input, and
 * what `merge` takes.
 */
export function matrixKernel(
  task: TensorTask,
  merge: (changes: readonly Change[]) => Promise<Float64Array>,
  weights?: readonly number[],
): Kernel {
  const [rows = 1, width = 1] = task.shape
  if (task.shape.length !== 2 || rows < 2 || width < 2) {
    const plain = weights ?? Array.from({ length: task.inputs }, () => 1 / task.inputs)
    return { grain: 1, passes: [], output: (block, out) => weightedChanges(block, plain, 1, out) }
  }
  const changes = Array.from({ length: task.inputs }, () => ({ rows, width, data: new Float64Array(task.count) }))
  let merged: Float64Array | undefined
  return {
    grain: 1,
    passes: [
      ({ offset, length, base, inputs }) => {
        changes.forEach(({ data }, k) => {
          const input = inputs[k]!
          for (let i = 0; i < length; i++) data[offset + i] = input[i]! - base![i]!
        })
      },
    ],
    async settle() {
      merged = await merge(changes)
      changes.length = 0
    },
    output({ offset, length, base }, out) {
      for (let i = 0; i < length; i++) out[i] = base![i]! + merged![offset + i]!
    },
  }
}
