/** Distance of a merge from its base: much of the difference between merges is the size of that step alone. */
import type { CallOptions } from '#core'
import { type OpenedMerge, sourcesOf } from '#experiment/open'
import { measureMerge, type TensorOutcome } from '#model/merge'

export interface MergeStep {
  /** Reference of the input. */
  readonly model: string
  /** ‖merged − base‖ / ‖input − base‖ over all tensors; 0 where the input is the base. */
  readonly ratio: number
}

/** The steps of a merge without writing it; empty without a base. Throws what computing a tensor throws. */
export async function mergeSteps(opened: OpenedMerge, options: CallOptions = {}): Promise<MergeStep[]> {
  return toSteps(opened, await measureMerge(opened.plan, sourcesOf(opened), options))
}

export function toSteps({ plan }: OpenedMerge, outcomes: readonly TensorOutcome[]): MergeStep[] {
  const far = new Map<number, number>()
  let merged = 0
  const planned = new Map(plan.tensors.map((tensor) => [tensor.name, tensor]))
  for (const { name, statistics } of outcomes) {
    const operands = planned.get(name)?.operands ?? []
    if (statistics?.distance === null || statistics === undefined) continue
    merged += statistics.distance ** 2
    statistics.inputs.forEach(({ distance }, k) => {
      const input = operands[k]?.input
      if (input !== undefined) far.set(input, (far.get(input) ?? 0) + (distance ?? 0) ** 2)
    })
  }
  return [...far].map(([input, square]) => ({
    model: plan.inputs[input] ?? '',
    ratio: square === 0 ? 0 : Math.sqrt(merged / square),
  }))
}
