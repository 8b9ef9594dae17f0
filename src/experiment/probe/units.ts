/**
 * The smallest piece of a probing run, one probe: how it is known again, and the journal that remembers the finished
 * ones.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fault, fingerprint } from '#core'
import { addToJournal, makeFolder, readJournal, takeLock } from '#platform/disk'
import type { ProbeControl, ProbeOutcome } from '#task/probing'

/** A probe that was trained, with what tables say of it. */
export interface ProbeUnit {
  readonly dataSet: string
  readonly control: ProbeControl
  readonly layer: number
  readonly seed: number
  /**
   * Instances that took part, all splits together; those without vectors, because the text was cut, are not among them.
   */
  readonly instances: number
  readonly dropped: number
  readonly outcome: ProbeOutcome
}

export interface UnitJournal {
  find(key: string): ProbeUnit | undefined
  /** On the disk when it returns. */
  add(key: string, unit: ProbeUnit): Promise<void>
  close(): Promise<void>
}

interface Line {
  readonly key: string
  readonly unit: ProbeUnit
}

const file = 'probes.journal.jsonl'

/** Of a results folder; one process writes it at a time. Throws `usage.conflict` for a second one. */
export async function openUnitJournal(folder: string): Promise<UnitJournal> {
  await makeFolder(folder)
  const path = join(folder, file)
  const lock = await takeLock(`${path}.lock`, { giveUp: ({ alive }) => alive === true, place: path })
  if (lock === undefined)
    throw fault('usage.conflict', {
      place: folder,
      what: 'another run trains probes into this folder',
      hint: 'wait for it, or name another folder',
    })
  const known = new Map((await readJournal<Line>(path))?.map(({ key, unit }) => [key, unit]))
  let last: Promise<void> = Promise.resolve()
  return {
    find: (key) => known.get(key),
    add(key, unit) {
      known.set(key, unit)
      last = last.then(() => addToJournal(path, { key, unit }, { sync: true }))
      return last
    },
    async close() {
      await last.catch(() => undefined)
      await lock.release()
    },
  }
}

/** Finished probes of a folder by their keys; its last line may be in the making. */
export async function readUnitJournal(folder: string): Promise<Map<string, ProbeUnit>> {
  const text = await readFile(join(folder, file), 'utf8').catch(() => '')
  return new Map(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const { key, unit } = JSON.parse(line) as Line
        return [key, unit]
      }),
  )
}

/** Changes when the arithmetic of probes does. */
const arithmetic = 1

/** Everything that can move a probe's numbers, as a hash. */
export function unitKey(parts: object): string {
  return fingerprint({ arithmetic, ...parts })
}
