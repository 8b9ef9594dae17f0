/**
 * Files flushed to disk while they are being filled: the system keeps written data in memory until asked, and the disk
 * would idle through the merge.
 */
import { open } from 'node:fs/promises'
import { orWriteFault } from './write-fault.ts'

export interface EarlySync {
  /**
   * Reports that `bytes` bytes of a file have been written. Returns at once. Throws `file.write` for writes that the
   * disk has refused by now.
   */
  wrote(path: string, bytes: number): void
  /** Everything in the files is on the disk, by whomever it was written. Throws `file.write`. */
  finish(): Promise<void>
  /** Waits for what the disk is doing. */
  close(): Promise<void>
}

/** Bytes of a file after which the disk is given them. */
const worthAsking = 2 ** 26

/** One request at a time: a disk has one queue. */
export function earlySync(paths: readonly string[]): EarlySync {
  const waiting = new Map<string, number>()
  let work: Promise<void> | undefined
  // The system reports a failed write once, so it is kept until somebody asks.
  let problem: unknown

  const next = (): string | undefined => [...waiting].find(([, bytes]) => bytes >= worthAsking)?.[0]
  const follow = async (): Promise<void> => {
    try {
      for (let path = next(); path !== undefined; path = next()) {
        waiting.delete(path)
        await synced(path)
      }
    } catch (error) {
      problem = error
    }
  }
  return {
    wrote(path, bytes) {
      if (problem !== undefined) throw problem
      waiting.set(path, (waiting.get(path) ?? 0) + bytes)
      if (next() === undefined) return
      work ??= follow().finally(() => {
        work = undefined
      })
    },
    async finish() {
      await work
      if (problem !== undefined) throw problem
      for (const path of paths) await synced(path)
    },
    close: async () => work,
  }
}

async function synced(path: string): Promise<void> {
  const file = await orWriteFault(open(path, 'r+'), path)
  await orWriteFault(file.sync(), path).finally(() => file.close())
}
