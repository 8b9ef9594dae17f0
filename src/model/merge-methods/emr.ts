/**
 * EMR: one unified task vector, and for each task a mask of signs and a scale. Huang et al. 2024. The masks and scales
 * follow from the inputs, so a merge writes either the base plus the unified vector or, with `task`, the model of one
 * task. A task's scale is a ratio of sums over the whole model: a pass over it gathers them first.
 */
import { type Block, type MergeMethod, numberOf, shared, type TensorTask } from './method.ts'
import { taskAt } from './tall-masks.ts'

export const emr: MergeMethod = {
  name: 'emr',
  reference: 'https://arxiv.org/abs/2405.17461',
  base: 'required',
  inputs: [1, Infinity],
  parameters: {
    task: {
      ...shared(null),
      help: 'position of the input whose model to restore, from 0; unset: the base plus the unified vector',
    },
    lambda: { ...shared(null), help: 'scale; unset: the ratio of the paper for a task, 1 for the unified vector' },
  },
  streaming: 'reduction',
  tolerance: 'not in mergekit',
  modelPass(task, stage) {
    if (stage > 0 || !needsSums(task)) return undefined
    const { sums, pass } = taskSums(task)
    return { grain: 1, passes: [pass], totals: () => sums }
  },
  kernel(task) {
    const { shared: values, totals } = task
    const wanted = wantedTask(task)
    const { sums, pass } = taskSums(task)
    if (totals?.[0] !== undefined) sums.set(totals[0])
    return {
      grain: 1,
      passes: needsSums(task) && totals === undefined ? [pass] : [],
      output({ length, base, inputs }, out) {
        const { lambda = null } = values
        const usual = lambda === null && wanted !== undefined ? ratio(sums) : 1
        const scale = lambda === null ? usual : numberOf(values, 'lambda')
        for (let i = 0; i < length; i++) {
          const own = base![i]!
          const change = unified(base!, inputs, i)
          const taken = wanted === undefined || (inputs[wanted]![i]! - own) * change > 0 ? 1 : 0
          out[i] = own + scale * change * taken
        }
      },
    }
  },
}

function wantedTask({ name, inputs, shared: values }: TensorTask): number | undefined {
  return values['task'] === null || values['task'] === undefined
    ? undefined
    : taskAt(numberOf(values, 'task'), inputs, name)
}

function needsSums(task: TensorTask): boolean {
  return wantedTask(task) !== undefined && (task.shared['lambda'] === null || task.shared['lambda'] === undefined)
}

/** The sign of the sum of all changes – negative where it is 0 – times the largest change of that sign. */
function unified(base: Block['inputs'][number], inputs: Block['inputs'], i: number): number {
  let sum = 0
  for (let k = 0; k < inputs.length; k++) sum += inputs[k]![i]! - base[i]!
  const sign = sum > 0 ? 1 : -1
  let largest = 0
  for (let k = 0; k < inputs.length; k++) largest = Math.max(largest, sign * (inputs[k]![i]! - base[i]!))
  return sign * largest
}

/** Σ|τ| of the wanted task, and of what its mask takes of the unified vector. */
function taskSums(task: TensorTask): { sums: Float64Array; pass: (block: Block) => void } {
  const sums = new Float64Array(2)
  const wanted = wantedTask(task) ?? 0
  return {
    sums,
    pass({ length, base, inputs }) {
      let [own, taken] = [sums[0]!, sums[1]!]
      for (let i = 0; i < length; i++) {
        const change = inputs[wanted]![i]! - base![i]!
        const common = unified(base!, inputs, i)
        own += Math.abs(change)
        taken += change * common > 0 ? Math.abs(common) : 0
      }
      sums[0] = own
      sums[1] = taken
    },
  }
}

function ratio(sums: Float64Array): number {
  return sums[1] === 0 ? 0 : sums[0]! / sums[1]!
}
