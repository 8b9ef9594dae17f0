/**
 * SHA-256 of files while they are being filled, in no order: each is hashed as far as it is filled from its beginning,
 * so that little is left to do at the end. Read back from what the system still holds: a file is hashed from its first
 * byte to its last, and buffers handed over would have to be kept until it is their turn.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { asFault, fault } from '#core'
import { readAtSync } from './read-at.ts'

export interface FilledHash {
  /** Bytes from … to − 1 of a file are in their places. Returns at once. */
  filled(path: string, from: number, to: number): void
  /** Hex SHA-256 by path, of those files that were not left to others. Throws `file.unreadable`. */
  finish(): Promise<Map<string, string>>
  /** Waits for the reading under way, begins no other, and lets the files go. */
  close(): Promise<void>
}

export interface FilledHashOptions {
  /** Asked before the first byte of a file is hashed; false: others hash it. */
  claim?: ((path: string) => boolean) | undefined
  /** Files that are begun and not finished, at most, so that others find some too. */
  most?: number | undefined
}

interface Progress {
  readonly hash: Hash
  readonly size: number
  /** Ends of filled stretches that are not hashed yet, by their beginnings. */
  readonly ahead: Map<number, number>
  /** Bytes hashed. */
  at: number
}

/** Little enough that nobody waits for it. */
const step = 2 ** 20

interface Work {
  readonly files: Map<string, Progress>
  readonly claim: (path: string) => boolean
  readonly most: number
  readonly room: Uint8Array
  opened: { readonly path: string; readonly file: number } | undefined
  /** The reading under way. */
  reading: Promise<void> | undefined
  problem: unknown
  closed: boolean
}

/** Hash over files of these sizes, by path; when several can be continued, the first one is. */
export function filledHash(
  sizes: ReadonlyMap<string, number>,
  { claim = () => true, most = Infinity }: FilledHashOptions = {},
): FilledHash {
  const waiting = (size: number): Progress => ({
    hash: createHash('sha256'),
    size,
    ahead: new Map<number, number>(),
    at: 0,
  })
  const work: Work = {
    files: new Map([...sizes].map(([path, size]) => [path, waiting(size)])),
    claim,
    most,
    room: new Uint8Array(step),
    opened: undefined,
    reading: undefined,
    problem: undefined,
    closed: false,
  }
  return {
    filled(path, from, to) {
      if (to > from) work.files.get(path)?.ahead.set(from, to)
      begin(work)
    },
    async finish() {
      await settled(work)
      if (work.problem !== undefined) throw work.problem
      for (const [path, { at, size }] of work.files)
        if (at !== size)
          throw fault('internal', {
            place: path,
            what: 'a file was hashed before it was filled',
            seen: at,
            wanted: size,
          })
      return new Map([...work.files].map(([path, { hash }]) => [path, hash.digest('hex')]))
    },
    async close() {
      work.closed = true
      await settled(work)
    },
  }
}

function begin(work: Work): void {
  if (work.reading !== undefined || work.problem !== undefined) return
  work.reading = follow(work).finally(() => {
    work.reading = undefined
    if (next(work) !== undefined) begin(work)
  })
}

/** Resolves when nothing is left to hash by now. */
async function settled(work: Work): Promise<void> {
  if (work.reading === undefined) return
  await work.reading
  await settled(work)
}

async function follow(work: Work): Promise<void> {
  try {
    for (;;) {
      // The thread hears of other things in between.
      await new Promise((resolve) => setImmediate(resolve))
      const turn = next(work)
      if (turn === undefined) return
      hashNext(work, ...turn)
    }
  } catch (error) {
    work.problem = asFault(error, 'file.unreadable', work.opened?.path ?? '')
  } finally {
    letGo(work)
  }
}

function next({ files, claim, most, closed }: Work): readonly [path: string, file: Progress, to: number] | undefined {
  const open = [...files.values()].filter(({ at, size }) => at > 0 && at < size).length
  for (const [path, file] of closed ? [] : files) {
    const to = file.ahead.get(file.at)
    if (to === undefined || (file.at === 0 && open >= most)) continue
    if (file.at > 0 || claim(path)) return [path, file, to]
    files.delete(path)
  }
  return undefined
}

function hashNext(work: Work, path: string, file: Progress, to: number): void {
  if (work.opened?.path !== path) letGo(work)
  work.opened ??= { path, file: openSync(path, 'r') }
  const length = Math.min(step, to - file.at)
  file.hash.update(readAtSync(work.opened.file, file.at, length, path, work.room))
  file.ahead.delete(file.at)
  file.at += length
  if (file.at < to) file.ahead.set(file.at, to)
}

function letGo(work: Work): void {
  if (work.opened !== undefined) closeSync(work.opened.file)
  work.opened = undefined
}
