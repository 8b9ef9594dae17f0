/**
 * The smallest piece of a probing run, one probe: how it is known again, and the journal that remembers the finished
 * ones.
 */
import { join } from 'node:path'
import { fingerprint } from '#core'
import { isObject } from '#files/formats'
import { type JournalKind, makeFolder, openJournal, readJournal } from '#platform/disk'
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

const kind: JournalKind<Line> = {
  name: 'probes',
  isPiece: (value): value is Line =>
    isObject(value) &&
    typeof value['key'] === 'string' &&
    isObject(value['unit']) &&
    isObject(value['unit']['outcome']),
}

/**
 * Of a results folder; one process writes it at a time. Throws `usage.conflict` for a second one, and for a file of that
 * name that is no such journal.
 */
export async function openUnitJournal(folder: string): Promise<UnitJournal> {
  await makeFolder(folder)
  const journal = await openJournal(join(folder, file), kind, {
    busy: 'another run trains probes into this folder',
    hint: 'wait for it, or name another folder',
  })
  const known = new Map(journal.pieces.map(({ key, unit }) => [key, unit]))
  let last: Promise<void> = Promise.resolve()
  return {
    find: (key) => known.get(key),
    add(key, unit) {
      known.set(key, unit)
      last = last.then(() => journal.add([{ key, unit }], { sync: true }))
      return last
    },
    async close() {
      await last.catch(() => undefined)
      await journal.close()
    },
  }
}

/** Finished probes of a folder by their keys; its last line may be in the making. */
export async function readUnitJournal(folder: string): Promise<Map<string, ProbeUnit>> {
  return new Map((await readJournal(join(folder, file), kind))?.map(({ key, unit }) => [key, unit]))
}

/** Changes when the arithmetic of probes does. */
const arithmetic = 1

/** Everything that can move a probe's numbers, as a hash. */
export function unitKey(parts: object): string {
  return fingerprint({ arithmetic, ...parts })
}
