/** What a merge does to every tensor, without a byte of it being kept. */
import type { CallOptions, TensorSource } from '#core'
import type { MergePlan } from '../plan/plan.ts'
import { mergeTensor, type TensorOutcome } from './run-tensor.ts'
import { sourceReader } from './source-reader.ts'
import { withTotals } from './totals.ts'

/** `sources`: the plan's models, then its further sources. Throws what computing a tensor throws. */
export async function measureMerge(
  plan: MergePlan,
  sources: readonly TensorSource[],
  { signal, onProgress }: CallOptions = {},
): Promise<TensorOutcome[]> {
  const run = await withTotals(plan, sources, { signal })
  const reader = sourceReader(sources)
  const outcomes: TensorOutcome[] = []
  try {
    for (const tensor of plan.tensors) {
      outcomes.push(await mergeTensor(run, tensor, reader.read, async () => Promise.resolve(), { signal }))
      onProgress?.({ stage: 'measure', done: outcomes.length, total: plan.tensors.length, unit: 'tensors' })
    }
  } finally {
    await reader.close()
  }
  return outcomes
}
