/** Checkpoints of one (task, representation), next to its results: work of other inputs is never resumed. */
import { readFile, rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Checkpoints } from '#task/protocols'
import { partialPath, type ResultPlace } from '#result/ledger'
import { writeWhole } from '#platform/disk'

/** @param fingerprint of the result in the making; it precedes the saved bytes */
export function openCheckpoints(place: ResultPlace, task: string, fingerprint: string): Checkpoints {
  const mark = Buffer.from(fingerprint, 'hex')
  const pathOf = (name: string): string => partialPath(place, task, name)
  return {
    async load(name) {
      const bytes = await readFile(pathOf(name)).catch(() => undefined)
      return bytes !== undefined && bytes.length >= mark.length && mark.equals(bytes.subarray(0, mark.length))
        ? bytes.subarray(mark.length)
        : undefined
    },
    save: (name, bytes) => writeWhole(pathOf(name), Buffer.concat([mark, bytes])),
    async remove(name) {
      const path = pathOf(name)
      await rm(path, { force: true })
      // folders go when they are empty
      for (const folder of [dirname(path), dirname(dirname(path))]) await rmdir(folder).catch(() => undefined)
    },
  }
}
