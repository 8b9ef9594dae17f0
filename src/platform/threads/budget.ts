/**
 * How many threads this process may keep busy. Every pool asks here – of the engine, of linear algebra, of merges and
 * probes, of the database and of the tokenizer –, so that one number holds all of them.
 *
 * The number lies in the environment: workers and child processes are started with it.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fault } from '#core'
import { readQuota } from './quota.ts'

const name = 'STRATA_THREADS'
/** What Slurm gives a task that asked for several processors; its own limits may be off. */
const slurm = 'SLURM_CPUS_PER_TASK'
const most = 1024

/** What decides the number of threads. */
export type BudgetSource = typeof name | typeof slurm | 'cgroup' | 'processors'

export interface Budget {
  readonly threads: number
  readonly from: BudgetSource
}

/** The width of every pool. Throws `usage.value` for a `STRATA_THREADS` that is no count. */
export function threadBudget(): number {
  return readBudget().threads
}

/**
 * `STRATA_THREADS` when it is set; otherwise the least of the processors that this process may run on, the quota of its
 * control groups and `SLURM_CPUS_PER_TASK`. Throws `usage.value`.
 */
export function readBudget(
  env: Readonly<Record<string, string | undefined>> = process.env,
  { processors = availableParallelism(), quota = ownQuota }: { processors?: number; quota?: () => number } = {},
): Budget {
  const asked = env[name]
  if (asked !== undefined && asked !== '') return { threads: countIn(asked), from: name }
  const given = Number(env[slurm] ?? NaN)
  const limits = [
    { threads: processors, from: 'processors' },
    { threads: Math.max(1, Math.floor(quota())), from: 'cgroup' },
    { threads: Number.isInteger(given) && given > 0 ? given : Infinity, from: slurm },
  ] as const
  return limits.reduce((least, limit) => (limit.threads < least.threads ? limit : least))
}

/** From now on this process, and every worker and process that it starts, keeps within `threads`. Throws `usage.value` at `place`. */
export function limitThreads(threads: number, place: string = name): void {
  process.env[name] = String(countIn(String(threads), place))
}

/** The environment of a worker that keeps within `threads`. */
export function environmentFor(threads: number): NodeJS.ProcessEnv {
  return { ...process.env, [name]: String(threads) }
}

let quotaHere: number | undefined

function ownQuota(): number {
  quotaHere ??= readQuota((path) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
  })
  return quotaHere
}

function countIn(text: string, place: string = name): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw fault('usage.value', { place, what: 'is not a number of threads', seen: text, wanted: `1 … ${most}` })
}
