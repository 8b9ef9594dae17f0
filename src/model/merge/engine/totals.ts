/**
 * What some methods must know of the whole model before the first tensor is merged: sums over all tensors, stage by
 * stage.
 */
import { findPlugin, type TensorSource } from '#core'
import { mergeMethodNamed } from '#model/merge-methods'
import type { MergePlan } from '../plan/plan.ts'
import { sourceReader } from './source-reader.ts'
import { type RunOptions, type RunPlan, tensorTotals } from './run-tensor.ts'

/**
 * The plan's part that every tensor needs, its totals counted. Tensors are added in their order, so that sums are the
 * same on every machine.
 */
export async function withTotals(
  { method, compat, seed, dtype, vocabulary, tensors }: MergePlan,
  sources: readonly TensorSource[],
  options: RunOptions = {},
): Promise<RunPlan> {
  const merge = mergeMethodNamed(method)
  const plan: RunPlan = { method, compat, seed, dtype, vocabulary, totals: undefined, plugin: findPlugin(merge) }
  if (merge.modelPass === undefined) return plan
  const totals: Float64Array[] = []
  const reader = sourceReader(sources)
  try {
    for (let stage = 0; ; stage++) {
      let sum: Float64Array | undefined
      for (const tensor of tensors) {
        const own = await tensorTotals({ ...plan, totals }, tensor, stage, reader.read, options)
        if (own === undefined) continue
        sum ??= new Float64Array(own.length)
        for (let i = 0; i < own.length; i++) sum[i]! += own[i]!
      }
      if (sum === undefined) return { ...plan, totals: totals.length === 0 ? undefined : totals }
      totals.push(sum)
    }
  } finally {
    await reader.close()
  }
}
