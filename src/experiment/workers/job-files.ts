/**
 * The folder where workers meet: visible to all of them, on one machine or on a file server.
 *
 *   jobs/<id>.json     a finished job, whole or not there
 *   jobs/<id>.lock     its claim: names its owner, and is touched while the owner lives
 *   events/<worker>.jsonl   what each worker did, one line a step
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import { addLine, type JournalKind, makeFolder, readJournal, takeLock, writeWhole } from '#platform/disk'
import type { Finished, Job } from './job.ts'

export interface WorkEvent {
  readonly event: 'started' | 'claimed' | 'done' | 'failed' | 'stopped'
  readonly worker: string
  readonly job?: string | undefined
  readonly what?: string | undefined
  readonly seconds?: number | undefined
  readonly at: number
}

export interface Claim {
  readonly release: () => Promise<void>
}

const [jobs, events] = ['jobs', 'events'] as const
const [doneEnding, lockEnding] = ['.json', '.lock'] as const

export async function makeJobFolders(folder: string): Promise<void> {
  await Promise.all([jobs, events].map((name) => makeFolder(join(folder, name))))
}

export async function isFinished(folder: string, id: string): Promise<boolean> {
  return (await stat(donePath(folder, id)).catch(() => undefined)) !== undefined
}

/** Ids of all finished jobs, from one listing. */
export async function finishedIds(folder: string): Promise<Set<string>> {
  const names = await readdir(join(folder, jobs)).catch((): string[] => [])
  return new Set(names.filter((name) => name.endsWith(doneEnding)).map((name) => name.slice(0, -doneEnding.length)))
}

/** Ids of jobs that a worker has claimed, alive or dead. */
export async function claimedIds(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, jobs)).catch((): string[] => [])
  return names.filter((name) => name.endsWith(lockEnding)).map((name) => name.slice(0, -lockEnding.length))
}

/** On disk when it returns: other workers need not run the job. */
export async function finish(folder: string, finished: Finished): Promise<void> {
  await writeWhole(donePath(folder, finished.id), `${JSON.stringify(finished)}\n`, { folders: false })
}

export async function readFinished(folder: string, id: string): Promise<Finished | undefined> {
  const path = donePath(folder, id)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const value = parsedOrNothing(text, path)
  if (!isObject(value) || (value['state'] !== 'done' && value['state'] !== 'failed'))
    throw fault('result.invalid', {
      place: path,
      what: 'not a finished job',
      hint: 'delete it to run the job again',
    })
  return value as unknown as Finished
}

/** A power cut may leave a file without its bytes. */
function parsedOrNothing(text: string, path: string): unknown {
  try {
    return parseJson(text, path)
  } catch {
    return undefined
  }
}

/** Jobs that finished without failure. */
export async function doneJobs<Known extends Job>(folder: string, all: readonly Known[]): Promise<readonly Known[]> {
  const finished = await finishedIds(folder)
  const done: Known[] = []
  for (const job of all)
    if (finished.has(job.id) && (await readFinished(folder, job.id))?.state === 'done') done.push(job)
  return done
}

/** Marks finished jobs to run again. */
export async function forgetJobs(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await rm(donePath(folder, id), { force: true })
}

/** Marks failed jobs to run again. */
export async function forgetFailed(folder: string, all: readonly Job[]): Promise<number> {
  let count = 0
  for (const { id } of all) {
    if ((await readFinished(folder, id))?.state !== 'failed') continue
    await rm(donePath(folder, id), { force: true })
    count++
  }
  return count
}

/**
 * Claims the job for this process alone; undefined where another process that may be alive has it. The claim of a dead
 * owner is taken over. `wait`: waits until the owner is known to be alive or dead – on another machine that takes half
 * a minute of silence – or until the job is finished.
 */
export async function claim(
  folder: string,
  id: string,
  { wait = false }: { wait?: boolean } = {},
): Promise<Claim | undefined> {
  const giveUp = async ({ alive }: { alive: true | undefined }): Promise<boolean> =>
    !wait || alive === true || (await isFinished(folder, id))
  return takeLock(join(folder, jobs, `${id}${lockEnding}`), { giveUp, place: folder })
}

export async function tell(folder: string, event: WorkEvent): Promise<void> {
  await addLine(join(folder, events, `${event.worker}.jsonl`), event)
}

const eventKind: JournalKind<WorkEvent> = {
  name: 'events',
  isPiece: (value): value is WorkEvent =>
    isObject(value) && typeof value['event'] === 'string' && typeof value['at'] === 'number',
}

/** Events of all workers, by their clocks. Foreign files contain none. */
export async function eventsIn(folder: string): Promise<readonly WorkEvent[]> {
  const files = await readdir(join(folder, events)).catch((): string[] => [])
  const all = await Promise.all(
    files
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readJournal(join(folder, events, name), eventKind).catch(() => undefined)),
  )
  return all.flatMap((some) => some ?? []).sort((a, b) => a.at - b.at)
}

function donePath(folder: string, id: string): string {
  return join(folder, jobs, `${id}${doneEnding}`)
}
