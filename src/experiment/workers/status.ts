/** Progress of the workers. */
import { duration } from '#core'
import type { Job } from './job.ts'
import { claimedIds, eventsIn, finishedIds, readFinished } from './job-files.ts'

export interface WorkStatus {
  readonly jobs: number
  readonly done: number
  readonly failed: readonly { readonly id: string; readonly what: string }[]
  readonly running: readonly { readonly id: string; readonly worker: string; readonly seconds: number }[]
  readonly workers: readonly {
    readonly name: string
    readonly done: number
    readonly failed: number
    readonly last: number
  }[]
  /** Jobs done per second, from the first claim to the last end of one: a failure is no pace. */
  readonly rate: number
  /** At that rate, from the estimated durations of the unfinished jobs; null while nothing is done. */
  readonly secondsLeft: number | null
}

export interface StatusOptions {
  readonly now?: number | undefined
  /** Finished jobs that will run again. */
  readonly again?: readonly string[] | undefined
}

export async function status(
  folder: string,
  jobs: readonly Job[],
  { now = Date.now(), again = [] }: StatusOptions = {},
): Promise<WorkStatus> {
  const [finished, claimed, events] = await Promise.all([finishedIds(folder), claimedIds(folder), eventsIn(folder)])
  for (const id of again) finished.delete(id)
  const own = jobs.filter(({ id }) => finished.has(id))
  const results = await Promise.all(own.map(({ id }) => readFinished(folder, id)))
  const claims = new Map(events.filter(({ event }) => event === 'claimed').map((event) => [event.job, event]))
  const running = jobs
    .filter(({ id }) => !finished.has(id) && claimed.includes(id))
    .map(({ id }) => ({
      id,
      worker: claims.get(id)?.worker ?? '?',
      seconds: (now - (claims.get(id)?.at ?? now)) / 1000,
    }))
  const names = [...new Set(events.map(({ worker }) => worker))]
  const ends = events.filter(({ event }) => event === 'done')
  const first = events.find(({ event }) => event === 'claimed')?.at ?? now
  const elapsed = Math.max(1e-3, ((ends.at(-1)?.at ?? now) - first) / 1000)
  const guessed = (some: readonly Job[]): number => some.reduce((sum, { seconds }) => sum + seconds, 0)
  const behind = guessed(own.filter((_, at) => results[at]?.state === 'done'))
  const left = guessed(jobs.filter(({ id }) => !finished.has(id)))
  return {
    jobs: jobs.length,
    done: results.filter((result) => result?.state === 'done').length,
    failed: results.flatMap((result) =>
      result?.state === 'failed' ? [{ id: result.id, what: result.what ?? '' }] : [],
    ),
    running,
    workers: names.map((name) => {
      const mine = events.filter(({ worker }) => worker === name)
      const count = (event: string): number => mine.filter((one) => one.event === event).length
      return { name, done: count('done'), failed: count('failed'), last: mine.at(-1)?.at ?? 0 }
    }),
    rate: ends.length / elapsed,
    secondsLeft: ends.length === 0 || behind === 0 ? null : (elapsed * left) / behind,
  }
}

/** One line for people: `12 of 40 jobs done, 1 failed, 2 running; 3.5 per minute, about 9 min left`. */
export function progressText({ jobs, done, failed, running, rate, secondsLeft }: WorkStatus): string {
  const counts = [
    `${done} of ${jobs} jobs done`,
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
    ...(running.length === 0 ? [] : [`${running.length} running`]),
  ]
  const isOver = done + failed.length >= jobs || secondsLeft === null
  const left = isOver ? '' : `; ${(60 * rate).toFixed(1)} per minute, about ${duration(secondsLeft)} left`
  return `${counts.join(', ')}${left}`
}
