/**
 * Journals of finished work: a line of JSON per piece. The first line says what the journal holds, so that nobody
 * else's file is written to. A kill may cut the last line short: a line that is no piece is skipped, and the lines after
 * it count.
 */
import { open, stat, truncate, writeFile } from 'node:fs/promises'
import { fault } from '#core'
import { type Lock, takeLock } from './lock.ts'
import { readLines } from './read-lines.ts'
import { systemCode } from './system-code.ts'
import { orWriteFault } from './write-fault.ts'

export const journalName = 'journal.jsonl'

export interface JournalKind<Piece> {
  /** In the first line: `answers`. */
  readonly name: string
  /** Journals of earlier releases have no first line: they are known by their pieces. */
  readonly isPiece: (value: unknown) => value is Piece
  /** The one piece of work that the journal is of: that of another work counts as none, and is begun anew. */
  readonly work?: string | undefined
  /** Others read it as a table of pieces: without a first line, it is known by them. */
  readonly table?: boolean | undefined
}

export interface Journal<Piece> {
  /** In their order, when the journal was opened. */
  readonly pieces: readonly Piece[]
  /** Throws `file.write`. `sync`: on the disk when it returns. */
  add(pieces: readonly Piece[], options?: { sync?: boolean }): Promise<void>
  /** Lets others write it. */
  close(): Promise<void>
}

export interface OpenJournalOptions {
  /** Nobody else writes it anyway: its folder is locked. */
  readonly held?: boolean | undefined
  /** Whatever lies there is dropped. */
  readonly anew?: boolean | undefined
  /** While another process writes it. */
  readonly busy?: string | undefined
  /** What to do about a journal that is in use, or about a file that is none. */
  readonly hint?: string | undefined
}

/**
 * Pieces in their order; undefined where there is no journal, or that of another work. Nothing is written. Throws
 * `usage.conflict` for a file that is no such journal, `file.unreadable`.
 */
export async function readJournal<Piece>(
  path: string,
  kind: JournalKind<Piece>,
  { hint }: Pick<OpenJournalOptions, 'hint'> = {},
): Promise<readonly Piece[] | undefined> {
  return (await look(path, kind, hint)).pieces
}

/**
 * Opens a journal for writing, by one process at a time; one that is not there is begun. Throws `usage.conflict` while
 * another process writes it, and for a file that is no such journal, which stays as it is; `file.write`,
 * `file.unreadable`.
 */
export async function openJournal<Piece>(
  path: string,
  kind: JournalKind<Piece>,
  options: OpenJournalOptions = {},
): Promise<Journal<Piece>> {
  const journal = await freeJournal(path, kind, options)
  if (!('writer' in journal)) return journal
  const { busy = 'another process writes this journal', hint = 'wait for it' } = options
  const seen = journal.writer === undefined ? undefined : `process ${journal.writer}`
  throw fault('usage.conflict', { place: path, what: busy, seen, hint })
}

/** The same; where another process writes it, who that is. */
export async function freeJournal<Piece>(
  path: string,
  kind: JournalKind<Piece>,
  { held = false, anew = false, hint }: OpenJournalOptions = {},
): Promise<Journal<Piece> | { readonly writer: string | undefined }> {
  // before the lock: no lock is placed next to a foreign file
  await look(path, kind, hint)
  const lock = held ? undefined : await lockOf(path)
  if (lock !== undefined && 'writer' in lock) return lock
  try {
    const found = await look(path, kind, hint)
    const fresh = anew || found.pieces === undefined
    if (fresh) await orWriteFault(writeFile(path, kind.table === true ? '' : plainLine(headOf(kind))), path)
    else if (found.cut !== undefined) await orWriteFault(truncate(path, found.cut), path)
    return {
      pieces: (fresh ? undefined : found.pieces) ?? [],
      add: adderTo(path, { torn: !fresh && found.open }),
      close: async () => lock?.release(),
    }
  } catch (error) {
    await lock?.release()
    throw error
  }
}

/** `torn`: the line before has no end. What a full disk cuts short must not run into the next one. */
function adderTo(path: string, state: { torn: boolean }): Journal<unknown>['add'] {
  return async (pieces, { sync = false } = {}) => {
    const text = `${state.torn ? '\n' : ''}${pieces.map(plainLine).join('')}`
    state.torn = false
    try {
      await append(path, text, sync)
    } catch (error) {
      state.torn = true
      throw error
    }
  }
}

interface Look<Piece> {
  /** Undefined where there is no journal, that of another work, or nothing but the beginning of a first line. */
  readonly pieces: readonly Piece[] | undefined
  /** The last line is whole and has no line break. */
  readonly open: boolean
  /** Where a last line begins that was cut short. */
  readonly cut?: number | undefined
}

const nothing = { pieces: undefined, open: false }

async function look<Piece>(path: string, kind: JournalKind<Piece>, hint: string | undefined): Promise<Look<Piece>> {
  if (!(await isThere(path, kind, hint))) return nothing
  const own = JSON.stringify(headOf(kind))
  const pieces: Piece[] = []
  let [headed, first, last] = [false, undefined as string | undefined, { ended: true, read: true, start: 0 }]
  for await (const { text, ended, start } of readLines(path)) {
    const value = text === undefined ? undefined : parsed(text)
    last = { ended, read: value !== undefined, start }
    if (first === undefined) {
      first = text ?? ''
      headed = JSON.stringify(value) === own
      if (headed) continue
      // a journal in a folder of ours is ours: the work it recorded is over
      if (kind.work !== undefined) return nothing
    }
    if (kind.isPiece(value)) pieces.push(value)
    // whole, and somebody else's
    else if (!headed && value !== undefined) throw foreign(path, kind, { hint, first })
  }
  // a kill while the first line was written
  const begun = first !== undefined && (kind.table === true ? first.startsWith('{"') : own.startsWith(first))
  const known = headed || pieces.length > 0
  if (first === undefined || (!known && begun && last.start === 0 && !last.ended)) return nothing
  if (!known) throw foreign(path, kind, { hint, first })
  return { pieces, open: !last.ended && last.read, cut: last.ended || last.read ? undefined : last.start }
}

function headOf({ name, work }: Pick<JournalKind<unknown>, 'name' | 'work'>): Readonly<Record<string, string>> {
  return work === undefined ? { strata: name } : { [name]: work }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

async function isThere(path: string, kind: JournalKind<unknown>, hint: string | undefined): Promise<boolean> {
  try {
    const facts = await stat(path)
    if (facts.isDirectory()) throw foreign(path, kind, { hint, first: 'a folder' })
    return facts.size > 0
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw error
  }
}

/** `first`: its first line, which may be anything. */
function foreign(
  path: string,
  { name }: Pick<JournalKind<unknown>, 'name'>,
  { hint = 'name another file', first }: { hint: string | undefined; first: string },
): Error {
  return fault('usage.conflict', {
    place: path,
    what: `the file is not a journal of ${name}, and stays as it is`,
    seen: first.startsWith('SQLite format 3') ? 'an SQLite database' : first.slice(0, 60),
    hint,
  })
}

async function lockOf(path: string): Promise<Lock | { readonly writer: string | undefined }> {
  let writer: string | undefined
  const lock = await takeLock(`${path}.lock`, {
    giveUp({ pid, alive }) {
      writer = pid
      return alive === true
    },
    place: path,
  })
  return lock ?? { writer }
}

/**
 * Adds a line by one write, without a first line and without a lock: for notes that nothing depends on. Throws
 * `file.write`.
 */
export async function addLine(path: string, value: unknown): Promise<void> {
  await append(path, plainLine(value), false)
}

async function append(path: string, text: string, sync: boolean): Promise<void> {
  const file = await orWriteFault(open(path, 'a'), path)
  try {
    await orWriteFault(file.appendFile(text), path)
    if (sync) await orWriteFault(file.datasync(), path)
  } finally {
    await file.close()
  }
}

function plainLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}
