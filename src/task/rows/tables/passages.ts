/** Rows of texts with ids: corpora and queries, as a model reads them (mteb `_create_dataloaders.py`). */
import { compareCodePoints, fault, stripText } from '#core'
import type { Profile } from '../profiles.ts'
import { rowPlace, type Rows } from '../dataset.ts'
import type { Corpus, Passages } from '../loaded-task.ts'
import { reordered, textSpool } from '../text-list.ts'
import { texts, values } from '../values.ts'
import { lastOfEach } from './last-of-each.ts'
import type { Needs } from './read-tables.ts'
import type { PassageTable } from './tables.ts'

export function passageNeeds({ id, text = 'text', title, titleIfAny, instructionIfAny }: PassageTable): Needs {
  return {
    required: [text, ...(id === undefined ? [] : [id]), ...(title === undefined ? [] : [title])],
    optional: [
      ...(id === undefined ? ['_id', 'id'] : []),
      ...[titleIfAny, instructionIfAny].filter((name) => name !== undefined),
    ],
  }
}

export interface CorpusOptions {
  profile: Profile
  /** Folder for texts that do not fit in memory. */
  scratch?: string | undefined
  /** Called with the number of documents read so far. */
  onRead?: ((documents: number) => void) | undefined
}

/**
 * A corpus, read in batches: ids stay in memory, texts go to disk when they are many. `all` are the ids as they came.
 */
export async function corpusOf(
  batches: AsyncIterable<Rows>,
  table: PassageTable,
  { profile, scratch, onRead }: CorpusOptions,
): Promise<{ corpus: Corpus; all: readonly string[] }> {
  const spool = textSpool(scratch === undefined ? {} : { folder: scratch })
  const all: string[] = []
  try {
    for await (const rows of batches) {
      for (const id of idsOf(rows, table.id)) all.push(id)
      spool.add(documentTexts(rows, table, profile))
      onRead?.(all.length)
    }
  } catch (error) {
    spool.drop()
    throw error
  }
  const list = spool.finish()
  const order = orderOf(all, table, profile)
  if (order === undefined) return { corpus: { ids: all, texts: list }, all }
  return { corpus: { ids: Array.from(order, (row) => all[row] ?? ''), texts: reordered(list, order) }, all }
}

/** Rows in the order of the corpus; undefined: as they came. */
function orderOf(
  ids: readonly string[],
  { keepRepeats = false }: PassageTable,
  profile: Profile,
): Uint32Array | undefined {
  const last = keepRepeats ? undefined : lastOfEach(ids)
  if (profile !== 'mteb-1') return last
  // 1.39.7 searches the ids from the last to the first
  return (last ?? Uint32Array.from(ids, (_, row) => row)).sort(
    (a, b) => compareCodePoints(ids[b] ?? '', ids[a] ?? '') || a - b,
  )
}

function documentTexts(rows: Rows, { text = 'text', title, titleIfAny }: PassageTable, profile: Profile): string[] {
  const column = title ?? titleIfAny
  const titles = column === undefined ? [] : values(rows, column)
  return texts(rows, text).map((body, i) => {
    const heading = titles[i]
    switch (profile) {
      case 'mteb-2':
        return stripText(typeof heading === 'string' && heading !== '' ? `${heading} ${body}` : body)
      case 'mteb-1':
        // 1.39.7 keeps the blank of an absent title and trims nothing
        return `${typeof heading === 'string' ? heading : ''} ${body}`
      default:
        return profile satisfies never
    }
  })
}

/**
 * Queries that somebody judged, with their instructions; a query without one is a `task.value` fault where there is a
 * table of them.
 */
export function queriesOf(
  rows: Rows,
  table: PassageTable,
  qrels: ReadonlyMap<string, unknown>,
  instructions: ReadonlyMap<string, string> | undefined,
): Passages {
  const bodies = values(rows, table.text ?? 'text')
  const own = table.instructionIfAny === undefined ? undefined : rows.columns[table.instructionIfAny]
  const all = idsOf(rows, table.id)
  const kept = (table.keepRepeats ? undefined : lastOfEach(all)) ?? all.keys()
  const chosen = [...kept].filter((row) => qrels.has(all[row] ?? ''))
  const ids = chosen.map((row) => all[row] ?? '')
  const found = chosen.map((row, i) => {
    const place = rowPlace(rows, row)
    const instruction = instructions === undefined ? own?.[row] : instructions.get(ids[i] ?? '')
    if (instructions !== undefined && instruction === undefined)
      throw fault('task.value', { place, what: 'a query has no instruction', seen: ids[i] })
    return queryText(bodies[row], typeof instruction === 'string' ? instruction : undefined, place)
  })
  return { ids, texts: found }
}

/** A text with its instruction behind; a conversation in one line, with its instruction in front. */
function queryText(body: unknown, instruction: string | undefined, place: string): string {
  if (typeof body === 'string') return instruction === undefined ? body : `${body} ${instruction}`
  if (!Array.isArray(body) || body.length === 0)
    throw fault('task.value', { place, what: 'a query is neither a text nor a conversation', seen: body })
  const turns = body.map((turn: unknown) => {
    if (typeof turn === 'string') return turn
    const { role, content } = (turn ?? {}) as { role?: unknown; content?: unknown }
    if (typeof role === 'string' && typeof content === 'string') return `${role}: ${content}`
    throw fault('task.value', { place, what: 'a turn of a conversation has no role and content', seen: turn })
  })
  return `${instruction === undefined ? '' : `${instruction} `}${turns.join('; ')}`
}

/** Rows of `rows` whose id an earlier row has. */
export function countRepeats(rows: Rows, { id, keepRepeats = false }: PassageTable): number {
  const all = keepRepeats ? [] : idsOf(rows, id)
  return all.length - new Set(all).size
}

function idsOf(rows: Rows, column: string | undefined): string[] {
  if (column !== undefined) return texts(rows, column)
  const [old, plain] = [values(rows, '_id'), values(rows, 'id')]
  return old.map((value, i) => {
    const id = value ?? plain[i]
    if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint') return String(id)
    throw fault('task.column', { place: rowPlace(rows, i), what: 'a row has neither _id nor id', seen: id })
  })
}
