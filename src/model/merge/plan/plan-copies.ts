/**
 * Every tensor of one source as it is: the plan by which a model that is no merge – one with new tokens – is written.
 */
import type { ModelHeaders } from '#core'
import { type MergePlan, planMerge } from './plan.ts'

/** Throws `tensor.missing` where there is none. */
export function planCopies(input: ModelHeaders): MergePlan {
  const source = { model: input.model, layers: undefined, parameters: {} }
  const unset = {
    name: undefined,
    base: undefined,
    dtype: undefined,
    outDtype: undefined,
    tokenizer: undefined,
    chatTemplate: undefined,
  }
  const modules = { '': { slices: [{ sources: [source], base: undefined, parameters: {} }], parameters: {} } }
  return planMerge({ ...unset, method: 'passthrough', modules, parameters: {}, text: '' }, [input])
}
