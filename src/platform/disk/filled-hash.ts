/**
 * SHA-256 of files while they are being filled, in no order: each is hashed as far as it is filled from its beginning,
 * so that little is left to do at the end. Read back from
 * what the system still holds: a file is hashed from its first byte to its last, and buffers handed over would have to
 * be kept until it is their turn.
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
}

interface Progress {
  readonly hash: Hash
  /** Ends of filled stretches that are not hashed yet, by their beginnings. */
  readonly ahead: Map<number, number>
  /** Bytes hashed. */
  at: number
}

/** Little enough that nobody waits for it. */
const step = 2 ** 20

/** Hashes files of these sizes, by path; where several could continue, the first does. */
export function filledHash(
  sizes: ReadonlyMap<string, number>,
  { claim = () => true }: FilledHashOptions = {},
): FilledHash {
  const files = new Map(
    [...sizes.keys()].map((path): [string, Progress] => [
      path,
      { hash: createHash('sha256'), ahead: new Map<number, number>(), at: 0 },
    ]),
  )
  const room = new Uint8Array(step)
  let opened: { readonly path: string; readonly file: number } | undefined
  let work: Promise<void> | undefined
  let problem: unknown
  let closed = false

  const next = (): readonly [path: string, file: Progress, to: number] | undefined => {
    for (const [path, file] of closed ? [] : files) {
      const to = file.ahead.get(file.at)
      if (to === undefined) continue
      if (file.at > 0 || claim(path)) return [path, file, to]
      files.delete(path)
    }
    return undefined
  }
  const letGo = (): void => {
    if (opened !== undefined) closeSync(opened.file)
    opened = undefined
  }
  const hashed = (path: string, file: Progress, to: number): void => {
    if (opened?.path !== path) {
      letGo()
      opened = { path, file: openSync(path, 'r') }
    }
    const length = Math.min(step, to - file.at)
    file.hash.update(readAtSync(opened.file, file.at, length, path, room))
    file.ahead.delete(file.at)
    file.at += length
    if (file.at < to) file.ahead.set(file.at, to)
  }
  const follow = async (): Promise<void> => {
    try {
      for (;;) {
        // The thread hears of other things in between.
        await new Promise((resolve) => setImmediate(resolve))
        const turn = next()
        if (turn === undefined) return
        hashed(...turn)
      }
    } catch (error) {
      problem = asFault(error, 'file.unreadable', opened?.path ?? '')
    } finally {
      letGo()
    }
  }
  /** Resolves when nothing is left to hash by now. */
  const settled = async (): Promise<void> => {
    if (work === undefined) return
    await work
    await settled()
  }
  const begin = (): void => {
    if (work !== undefined || problem !== undefined) return
    work = follow().finally(() => {
      work = undefined
      if (next() !== undefined) begin()
    })
  }
  return {
    filled(path, from, to) {
      if (to > from) files.get(path)?.ahead.set(from, to)
      begin()
    },
    async finish() {
      await settled()
      if (problem !== undefined) throw problem
      for (const [path, { at }] of files)
        if (at !== sizes.get(path))
          throw fault('internal', {
            place: path,
            what: 'a file was hashed before it was filled',
            seen: at,
            wanted: sizes.get(path),
          })
      return new Map([...files].map(([path, { hash }]) => [path, hash.digest('hex')]))
    },
    async close() {
      closed = true
      await settled()
    },
  }
}
