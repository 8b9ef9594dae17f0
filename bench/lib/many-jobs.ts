/** Many small jobs for many workers: what one of them does, and what is left to tell once all are done. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { scratchFolder } from './places.ts'
import { work } from './strata.ts'

export interface ManyJob {
  readonly id: string
  readonly group: string
  readonly seconds: number
}

/** Of 154 models. */
export function manyJobs(count: number): readonly ManyJob[] {
  return Array.from({ length: count }, (_, i) => ({ id: `job-${i}`, group: `model-${i % 154}`, seconds: 1 }))
}

/** What a job leaves depends on the job alone. */
export async function writeJob(folder: string, { id }: Pick<ManyJob, 'id'>): Promise<void> {
  await writeFile(join(folder, 'out', id), createHash('sha256').update(id).digest('hex'))
}

export interface TakeOptions {
  readonly folder: string
  readonly worker: string
  /** That a job takes beside its writing. */
  readonly milliseconds: number
  readonly signal?: AbortSignal | undefined
}

export async function take(
  jobs: readonly ManyJob[],
  { folder, worker, milliseconds, signal }: TakeOptions,
): Promise<void> {
  await work(
    jobs,
    async (job) => {
      if (milliseconds > 0) await sleep(milliseconds, undefined, { signal })
      await writeJob(folder, job)
      return { state: 'done' }
    },
    { folder, worker, signal },
  )
}

/** An empty one. */
export function jobFolder(name: string): string {
  const folder = scratchFolder(name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'out'), { recursive: true })
  return folder
}

export interface Tally {
  readonly finished: number
  readonly twice: number
  /** From what one worker wrote. */
  readonly different: number
  /** Of workers. */
  readonly started: number
}

export function tally(jobs: readonly ManyJob[], folder: string, alone: string): Tally {
  const events = readdirSync(join(folder, 'events')).flatMap((name) => eventsIn(join(folder, 'events', name)))
  const ends = events.flatMap(({ event, job }) => (event === 'done' || event === 'failed' ? [job ?? ''] : []))
  return {
    finished: readdirSync(join(folder, 'jobs')).filter((name) => name.endsWith('.json')).length,
    twice: ends.length - new Set(ends).size,
    different: jobs.filter(
      ({ id }) => readFileSync(join(folder, 'out', id), 'utf8') !== readFileSync(join(alone, 'out', id), 'utf8'),
    ).length,
    started: events.filter(({ event }) => event === 'started').length,
  }
}

/** A process that was killed may have left half a line. */
function eventsIn(path: string): { event: string; job?: string }[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as { event: string; job?: string })
}
