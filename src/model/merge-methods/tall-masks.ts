/** TALL masks: the model of one task out of the sum of all changes, by the task's mask. Wang et al. 2024, eq. 4. */
import { fault } from '#core'
import { type MergeMethod, numberOf, shared } from './method.ts'
import { needs } from './consensus-ta.ts'

export const tallMasks: MergeMethod = {
  name: 'tall_masks',
  reference: 'https://arxiv.org/abs/2405.07813',
  base: 'required',
  inputs: [1, Infinity],
  parameters: {
    lambda_mask: shared(0.4),
    task: { ...shared(), help: 'position of the input whose task to restore, from 0' },
  },
  streaming: 'elementwise',
  tolerance: 'not in mergekit',
  kernel({ name, inputs: models, shared: values }) {
    const [lambda, task] = [numberOf(values, 'lambda_mask'), taskAt(numberOf(values, 'task'), models, name)]
    return {
      grain: 1,
      passes: [],
      output({ length, base, inputs }, out) {
        for (let i = 0; i < length; i++) {
          const own = base![i]!
          let sum = 0
          for (let k = 0; k < inputs.length; k++) sum += inputs[k]![i]! - own
          out[i] = own + sum * needs(inputs[task]![i]! - own, sum, lambda)
        }
      },
    }
  },
}

/** The position of an input, checked. */
export function taskAt(task: number, models: number, place: string): number {
  if (Number.isInteger(task) && task >= 0 && task < models) return task
  throw fault('config.value', {
    place,
    what: 'task is not the position of an input',
    seen: task,
    wanted: `0 … ${models - 1}`,
  })
}
