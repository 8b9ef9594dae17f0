/**
 * What a merge cannot be faster than on this machine, measured in the same run: the memory by a plain copy, the disk by
 * a file written and synced.
 */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'

export interface Limits {
  /** Bytes read and written a second by a copy of one thread, in GB. */
  readonly memoryGBs: number
  /** Bytes a second that are on the disk in the end, in GB. */
  readonly diskGBs: number
}

export type Limit = 'memory' | 'disk' | 'processor'

const copied = 2 ** 28
const written = 2 ** 30

export function measureLimits(scratchFile: string): Limits {
  const [from, to] = [new Uint8Array(copied).fill(1), new Uint8Array(copied).fill(2)]
  const secondsOf = (work: () => void): number => {
    const started = performance.now()
    work()
    return (performance.now() - started) / 1000
  }
  const copies = Array.from({ length: 5 }, () => secondsOf(() => to.set(from)))
  const writing = secondsOf(() => {
    const file = openSync(scratchFile, 'w')
    for (let done = 0; done < written; done += copied) writeSync(file, from)
    fsyncSync(file)
    closeSync(file)
  })
  rmSync(scratchFile)
  return { memoryGBs: (2 * copied) / 1e9 / Math.min(...copies), diskGBs: written / 1e9 / writing }
}

/** The slowest of what a merge had to do: move its bytes through memory, bring its output to the disk, compute. */
export function limitOf(
  { moved, output, processorSeconds, threads }: Record<'moved' | 'output' | 'processorSeconds' | 'threads', number>,
  { memoryGBs, diskGBs }: Limits,
): Limit {
  const seconds = {
    memory: moved / 1e9 / memoryGBs,
    disk: output / 1e9 / diskGBs,
    processor: processorSeconds / threads,
  }
  return (['memory', 'disk', 'processor'] as const).reduce((worst, one) =>
    seconds[one] > seconds[worst] ? one : worst,
  )
}
