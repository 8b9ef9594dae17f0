/** SHA-256 of files while they are being filled, in no order: each is hashed as far as it is filled from its beginning, so that little is left to do at the end. */
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { fault } from '#core'
import { readAt } from './read-at.ts'

export interface FilledHash {
  /** Bytes from … to − 1 of a file are in their places. Returns at once. */
  filled(path: string, from: number, to: number): void
  /** Hex SHA-256 by path. Throws `file.unreadable`. */
  finish(): Promise<Map<string, string>>
  /** Waits for the reading under way, begins no other, and lets the files go. */
  close(): Promise<void>
}

interface Progress {
  readonly hash: Hash
  /** Ends of filled stretches that are not hashed yet, by their beginnings. */
  readonly ahead: Map<number, number>
  /** Bytes hashed. */
  at: number
}

/** Little enough that the thread hears of other things in between. */
const step = 2 ** 20

/** Of files of these sizes, by path. */
export function filledHash(sizes: ReadonlyMap<string, number>): FilledHash {
  const files = new Map([...sizes.keys()].map((path): [string, Progress] => [path, { hash: createHash('sha256'), ahead: new Map<number, number>(), at: 0 }]))
  const room = new Uint8Array(step)
  let work: Promise<void> | undefined
  let problem: unknown
  let closed = false

  const next = (): readonly [path: string, file: Progress, to: number] | undefined => {
    for (const [path, file] of closed ? [] : files) {
      const to = file.ahead.get(file.at)
      if (to !== undefined) return [path, file, to]
    }
    return undefined
  }
  const follow = async (): Promise<void> => {
    let opened: { readonly path: string; readonly handle: FileHandle } | undefined
    try {
      for (let turn = next(); turn !== undefined; turn = next()) {
        const [path, file, to] = turn
        if (opened?.path !== path) {
          await opened?.handle.close()
          opened = { path, handle: await open(path, 'r') }
        }
        const length = Math.min(step, to - file.at)
        file.hash.update(await readAt(opened.handle, file.at, length, path, room))
        file.ahead.delete(file.at)
        file.at += length
        if (file.at < to) file.ahead.set(file.at, to)
      }
    } catch (error) {
      problem = error
    } finally {
      await opened?.handle.close()
    }
  }
  /** Resolves when nothing is left to hash by now. */
  const settled = async (): Promise<void> => {
    if (work === undefined) return
    await work
    await settled()
  }
  const begin = (): void => {
    if (work !== undefined || problem !== undefined || next() === undefined) return
    work = follow().finally(() => {
      work = undefined
      begin()
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
        if (at !== sizes.get(path)) throw fault('internal', { place: path, what: 'a file was hashed before it was filled', seen: at, wanted: sizes.get(path) })
      return new Map([...files].map(([path, { hash }]) => [path, hash.digest('hex')]))
    },
    async close() {
      closed = true
      await settled()
    },
  }
}
