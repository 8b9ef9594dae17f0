/** Averages over the selection: all tasks, or each benchmark. */
import type { Result } from '#core'
import { type AveragedTask, averagesOf, type Averages, type Contender } from './averages.ts'

/** Selected tasks, those left out with the reason, and the benchmarks they belong to. */
interface Chosen {
  readonly tasks: readonly Pick<AveragedTask, 'name' | 'type'>[]
  readonly skipped: readonly { readonly task: Pick<AveragedTask, 'name' | 'type'>; readonly reason: string }[]
  readonly benchmarks: readonly {
    readonly name: string
    readonly tasks: ReadonlyMap<string, Pick<AveragedTask, 'splits' | 'subsets'>>
  }[]
}

export interface Summary {
  readonly name: string
  readonly averages: Averages
}

/**
 * Tasks that the filters left out of a benchmark are as missing as failed ones. `known` has the type of every task that
 * a benchmark may name.
 */
export function summaries(
  { tasks, skipped, benchmarks }: Chosen,
  results: readonly Result[],
  known: ReadonlyMap<string, { readonly type: string }>,
): Summary[] {
  const all = [...tasks, ...skipped.map(({ task }) => task)]
  const reasons = new Map(skipped.map(({ task, reason }) => [task.name, reason]))
  if (benchmarks.length === 0) {
    const whole = all.map(({ name, type }): AveragedTask => ({ name, type }))
    return [{ name: 'all tasks', averages: averagesOf(whole, toContenders(results, reasons)) }]
  }
  const chosen = new Set(all.map(({ name }) => name))
  for (const benchmark of benchmarks)
    for (const name of benchmark.tasks.keys()) if (!chosen.has(name)) reasons.set(name, 'not asked for')
  const contenders = toContenders(results, reasons)
  return benchmarks.map(({ name, tasks: members }) => ({
    name,
    averages: averagesOf(
      [...members].map(([task, selection]): AveragedTask => ({
        name: task,
        type: known.get(task)?.type ?? '',
        ...selection,
      })),
      contenders,
    ),
  }))
}

/** One contender per (model, representation), in the order of their first result. */
export function toContenders(
  results: readonly Result[],
  skipped: ReadonlyMap<string, string> = new Map(),
): Contender[] {
  const models = new Set(results.map(({ strata }) => strata.model))
  const rows = new Map<string, { scores: Map<string, NonNullable<Result['scores']>>; reasons: Map<string, string> }>()
  for (const { task_name: task, scores, strata } of results) {
    const name = models.size > 1 ? `${strata.model} ${strata.representation}` : strata.representation
    const row = rows.get(name) ?? { scores: new Map(), reasons: new Map(skipped) }
    rows.set(name, row)
    if (strata.status === 'ok' && scores !== undefined) row.scores.set(task, scores)
    else row.reasons.set(task, strata.reason ?? strata.code ?? 'failed')
  }
  return [...rows].map(([name, row]) => ({ name, ...row }))
}
