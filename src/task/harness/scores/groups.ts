/** A group's numbers from those of its tasks (lm-evaluation-harness 0.4.13, `Group.aggregate`). */
import { compensatedSum } from '#core'
import { collectLeaves, type GroupNode } from '../config/choose-tasks.ts'

/** `metric,filter` → value, and `metric_stderr,filter` → its error or `N/A`. */
export type MetricValues = Readonly<Record<string, number | 'N/A'>>

export interface TaskNumbers {
  readonly values: MetricValues
  /** Documents scored. */
  readonly size: number
}

export interface GroupNumbers extends TaskNumbers {
  /** Documents behind each number. */
  readonly counts: Readonly<Record<string, number>>
  /** Tasks that lack a metric that others have. */
  readonly missing: Readonly<Record<string, readonly string[]>>
}

export function groupNumbers(group: GroupNode, tasks: ReadonlyMap<string, TaskNumbers>): GroupNumbers {
  // what two groups inside it share counts for both
  const names = collectLeaves(group.members).map(({ name }) => name)
  const present = names.flatMap((name) => {
    const found = tasks.get(name)
    return found === undefined ? [] : [{ name, ...found }]
  })
  const values: Record<string, number | 'N/A'> = {}
  const counts: Record<string, number> = {}
  const missing: Record<string, string[]> = {}
  for (const { metric, weightBySize, filters } of group.metrics) {
    for (const filter of filters ?? filtersOf(metric, present)) {
      const [key, errorKey] = [`${metric},${filter}`, `${metric}_stderr,${filter}`]
      const having = present.filter((task) => typeof task.values[key] === 'number')
      if (having.length === 0) continue
      if (having.length < names.length)
        missing[key] = names.filter((name) => !having.some((task) => task.name === name))
      const sizes = having.map(({ size }) => size)
      const weights = weightBySize ? sizes : sizes.map(() => 1)
      const numbers = having.map((task) => Number(task.values[key]))
      values[key] = compensatedSum(numbers.map((value, i) => value * (weights[i] ?? 0))) / compensatedSum(weights)
      counts[key] = compensatedSum(sizes)
      const errors = having.map((task) => task.values[errorKey])
      const mean = (known: readonly number[]): number => (weightBySize ? pooled(known, sizes) : unweighted(known))
      values[errorKey] = errors.every((error) => typeof error === 'number') ? mean(errors) : 'N/A'
    }
  }
  return { values, size: compensatedSum(present.map(({ size }) => size)), counts, missing }
}

function filtersOf(metric: string, tasks: readonly TaskNumbers[]): string[] {
  const found = tasks.flatMap(({ values }) =>
    Object.keys(values).flatMap((key) => (key.startsWith(`${metric},`) ? [key.slice(metric.length + 1)] : [])),
  )
  return [...new Set(found)].sort((a, b) => (a < b ? -1 : 1))
}

/** √(pooled variance / all documents), the tasks' variances weighted by their degrees of freedom. */
function pooled(errors: readonly number[], sizes: readonly number[]): number {
  const all = compensatedSum(sizes)
  const variance =
    compensatedSum(errors.map((error, i) => ((sizes[i] ?? 0) - 1) * error ** 2 * (sizes[i] ?? 0))) /
    (all - sizes.length)
  return Math.sqrt(variance / all)
}

/** Error of a plain mean of independent numbers. */
function unweighted(errors: readonly number[]): number {
  return Math.sqrt(compensatedSum(errors.map((error) => error ** 2))) / errors.length
}
