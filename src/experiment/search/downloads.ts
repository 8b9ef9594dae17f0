/**
 * Checkpoints of the hub during a search: downloaded when they are opened, the next one in the background, with a
 * limited number of them on disk.
 */
import { join } from 'node:path'
import { type CallOptions, fault } from '#core'
import { openRepo, parseReference, removeRevision, revisionCached } from '#files/hub'
import { isObject } from '#files/formats'
import { type Journal, type JournalKind, makeFolder, openJournal, readJournal } from '#platform/disk'
import type { Model } from '#model/checkpoint'
import type { Checkpoint } from './checkpoints.ts'

export interface DownloadsOptions extends Pick<CallOptions, 'signal'> {
  readonly open: (checkpoint: Checkpoint) => Promise<Model>
  /** Downloads the files of a checkpoint that opening it needs. */
  readonly fetch: (checkpoint: Checkpoint, signal: AbortSignal) => Promise<void>
  /** Folder that records which revisions the search downloaded. */
  readonly folder: string
  /** Number of downloaded revisions that stay, including the open one; without it all stay. */
  readonly keep?: number | undefined
}

export interface Downloads {
  /** The previous model must be closed: its files may be removed. */
  readonly open: (checkpoint: Checkpoint) => Promise<Model>
  /** Starts a download; a failure is reported when the checkpoint is opened. */
  readonly ahead: (checkpoint: Checkpoint) => void
  /** Stops the background download; the files received so far stay. */
  readonly close: () => Promise<void>
}

/** One revision that this search downloaded; never one that was in the cache before. */
interface Fetched {
  readonly name: string
  readonly commit: string
}

const journalName = 'fetched.jsonl'

const kind: JournalKind<Fetched> = {
  name: 'fetched revisions',
  isPiece: (value): value is Fetched =>
    isObject(value) && typeof value['name'] === 'string' && typeof value['commit'] === 'string',
}

export async function openDownloads({ open, fetch, folder, keep, signal }: DownloadsOptions): Promise<Downloads> {
  const path = join(folder, journalName)
  const mine = new Map(((await readJournal(path, kind)) ?? []).map((one) => [keyOf(one), one]))
  let journal: Promise<Journal<Fetched>> | undefined
  let coming: { checkpoint: string; done: Promise<void>; stop: AbortController } | undefined

  /** Records the owner of the revision before its first byte arrives, and makes room for it. */
  async function claim(
    checkpoint: Checkpoint,
    until: AbortSignal | undefined,
    beside?: string,
  ): Promise<string | undefined> {
    const reference = parseReference(checkpoint.reference)
    if (reference.kind !== 'hub') return undefined
    const commit = (await openRepo(reference, { signal: until })).revision
    if (commit === undefined)
      throw fault('internal', { place: checkpoint.reference, what: 'a repository of the hub without a commit' })
    const one = { name: reference.name, commit }
    const key = keyOf(one)
    if (!mine.has(key)) {
      if (await revisionCached(one.name, commit)) return undefined
      await makeFolder(folder)
      journal ??= openJournal(path, kind, {
        busy: 'another process is running the search in this folder',
        hint: 'wait for it, or --out FOLDER',
      })
      await (await journal).add([one], { sync: true })
    }
    // the last entry is the most recently used one
    mine.delete(key)
    mine.set(key, one)
    if (keep !== undefined) await removeBeyond(keep, [key, beside])
    return key
  }

  async function removeBeyond(most: number, needed: readonly (string | undefined)[]): Promise<void> {
    const here: [string, Fetched][] = []
    for (const [key, one] of mine)
      if (needed.includes(key) || (await revisionCached(one.name, one.commit))) here.push([key, one])
    const idle = here.filter(([key]) => !needed.includes(key))
    for (const [, one] of idle.slice(0, Math.max(0, here.length - most))) await removeRevision(one.name, one.commit)
  }

  async function settle(next?: Checkpoint): Promise<void> {
    if (coming === undefined) return
    // a download of another checkpoint: the guess was wrong, and it would slow the right one
    if (coming.checkpoint !== next?.name) coming.stop.abort()
    await coming.done
    coming = undefined
  }

  let present: string | undefined
  return {
    async open(checkpoint) {
      await settle(checkpoint)
      present = await claim(checkpoint, signal)
      return open(checkpoint)
    },
    ahead(checkpoint) {
      // room for one checkpoint leaves none for the next
      if (coming !== undefined || keep === 1 || parseReference(checkpoint.reference).kind !== 'hub') return
      const stop = new AbortController()
      const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
      const work = async (): Promise<void> => {
        await claim(checkpoint, either, present)
        await fetch(checkpoint, either)
      }
      coming = { checkpoint: checkpoint.name, stop, done: work().catch(() => undefined) }
    },
    async close() {
      await settle()
      await (await journal?.catch(() => undefined))?.close()
    },
  }
}

const keyOf = ({ name, commit }: Fetched): string => `${name}@${commit}`
