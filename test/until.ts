/**
 * Waiting for something to be so. There is no limit but that of the test itself: how long it takes decides nothing.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again, every so many `milliseconds`. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { milliseconds = 5 }: { milliseconds?: number } = {},
): Promise<void> {
  while (!(await isSo())) await pause(milliseconds)
}

/** Waits until the names and sizes of the files below `folder` have been seen to change so many times. */
export async function untilChanged(folder: string, times: number): Promise<void> {
  let [seen, changes] = [listing(folder), 0]
  await until(
    () => {
      const now = listing(folder)
      if (now !== seen) changes++
      seen = now
      return changes >= times
    },
    { milliseconds: 1 },
  )
}

/** How many files lie below `folder`, which need not be there: how far a run that is watched has come. */
export function filesBelow(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
  } catch {
    return 0
  }
}

function listing(folder: string): string {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return names
      .map((name) => `${name} ${statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 'gone'}`)
      .join()
  } catch {
    return 'a folder went while it was read'
  }
}
