/** The smallest unit of a probing run, one probe: its key, and the journal of finished ones. */
import { join } from 'node:path'
import { fingerprint } from '#core'
import { isObject } from '#files/formats'
import { type JournalKind, makeFolder, openJournal, readJournal } from '#platform/disk'
import type { ProbeControl, ProbeOutcome } from '#task/probing'

/** A trained probe, with its values for the tables. */
export interface ProbeUnit {
  readonly dataSet: string
  readonly control: ProbeControl
  readonly layer: number
  readonly seed: number
  /** Number of instances used, over all splits, without those that lack vectors because the text was cut. */
  readonly instances: number
  readonly dropped: number
  readonly outcome: ProbeOutcome
}

export interface UnitJournal {
  find(key: string): ProbeUnit | undefined
  /** On disk when it returns. */
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
 * The journal of a results folder; one process writes it at a time. Throws `usage.conflict` for a second process, and
 * for a file of that name that is not such a journal.
 */
export async function openUnitJournal(folder: string): Promise<UnitJournal> {
  await makeFolder(folder)
  const journal = await openJournal(join(folder, file), kind, {
    busy: 'another run is training probes into this folder',
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

/** Finished probes of a folder by their keys; its last line may be incomplete. */
export async function readUnitJournal(folder: string): Promise<Map<string, ProbeUnit>> {
  return new Map((await readJournal(join(folder, file), kind))?.map(({ key, unit }) => [key, unit]))
}

/** Raised when the arithmetic of probes changes. */
const arithmetic = 1

/** Everything that can move a probe's numbers, as a hash. */
export function unitKey(parts: object): string {
  return fingerprint({ arithmetic, ...parts })
}
