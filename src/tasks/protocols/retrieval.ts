/** Corpus, queries and judgements as mteb's retrieval loader reads them (retrieval_dataset_loaders.py). */
import { compareCodePoints, fault, type Profile, stripText } from '../../core/index.ts'
import { type Dataset, readSplit, rowPlace, type Rows } from '../dataset.ts'
import { configNamed, type DatasetConfig } from '../dataset-layout.ts'
import type { Corpus, Passages, RetrievalPart } from '../loaded-task.ts'
import { streamSplit } from '../stream-split.ts'
import { isList, reordered, textSpool } from '../text-list.ts'
import { texts, values } from '../values.ts'
import type { ProtocolReader, Scope } from './protocol.ts'

export const retrieval: ProtocolReader<RetrievalPart> = {
  columns: () => ({}),
  read: retrievalPart,
  counts: ({ queries, corpus }) => ({ queries: queries.ids.length, documents: corpus.ids.length }),
  texts: ({ queries, corpus }) => [
    { texts: queries.texts, promptType: 'query' },
    { texts: corpus.texts, promptType: 'document' },
  ],
  close: ({ corpus: { texts: list } }) => {
    if (isList(list)) list.close()
  },
}

async function retrievalPart(scope: Scope): Promise<RetrievalPart> {
  const { dataset, part } = scope
  const { configs } = dataset.layout
  const named = (kind: string): string => (part.subset === 'default' ? kind : `${part.subset}-${kind}`)
  const table = (config: string, columns: readonly string[], optional: readonly string[] = []): Promise<Rows> =>
    readConfig(dataset, config, part.split, columns, optional)

  const judged = part.subset === 'default' ? (configs.has('default') ? 'default' : 'qrels') : named('qrels')
  const qrels = judgements(await table(judged, ['query-id', 'corpus-id', 'score']))
  const instructions = configs.has(named('instruction')) ? instructionsOf(await table(named('instruction'), ['query-id', 'instruction'])) : undefined
  const queries = judgedQueries(await table(configs.has('query') ? 'query' : named('queries'), ['text'], ['_id', 'id']), qrels, instructions)
  if (queries.ids.length === 0) {
    throw fault('task.empty', { place: `${dataset.place} › ${part.subset} › ${part.split}`, what: 'no query is judged', seen: { judgedQueries: qrels.size } })
  }
  const candidates = configs.has(named('top_ranked')) ? candidatesOf(await table(named('top_ranked'), ['query-id', 'corpus-ids'])) : undefined
  const changed = scope.task.params.specificScores === 'p_mrr' ? candidatesOf(await table(named('qrel_diff'), ['query-id', 'corpus-ids'])) : undefined
  const corpus = await corpusOf(scope, named('corpus'))
  return { ...part, corpus, queries, qrels, ...(candidates ? { candidates } : {}), ...(changed ? { changed } : {}) }
}

function readConfig(dataset: Dataset, name: string, split: string, columns: readonly string[], optional: readonly string[]): Promise<Rows> {
  const config = configNamed(dataset.layout, name, dataset.place)
  return readSplit(dataset, config, splitOf(config, split), { columns, optional, numeric: columns.includes('score') ? ['score'] : [] })
}

/** The split asked for, or the only one there is: corpora and queries often have a single split. */
function splitOf({ splits }: DatasetConfig, split: string): string {
  const [only, ...more] = [...splits.keys()]
  return !splits.has(split) && only !== undefined && more.length === 0 ? only : split
}

function judgements(rows: Rows): Map<string, Map<string, number>> {
  const qrels = new Map<string, Map<string, number>>()
  const [queries, documents] = [texts(rows, 'query-id'), texts(rows, 'corpus-id')]
  values(rows, 'score').forEach((value, i) => {
    const grade = typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean' ? Math.trunc(Number(value)) : NaN
    if (!Number.isFinite(grade)) throw fault('task.value', { place: rowPlace(rows, i), what: 'a judgement is not a number', seen: value })
    const [query = '', document = ''] = [queries[i], documents[i]]
    const known = qrels.get(query)
    if (known) known.set(document, grade)
    else qrels.set(query, new Map([[document, grade]]))
  })
  return qrels
}

/** The corpus, read in batches: ids stay in memory, texts go to disk when they are many. */
async function corpusOf({ dataset, part, profile, scratch, signal, onProgress }: Scope, name: string): Promise<Corpus> {
  const config = configNamed(dataset.layout, name, dataset.place)
  const spool = textSpool(scratch === undefined ? {} : { folder: scratch })
  const ids: string[] = []
  try {
    for await (const rows of streamSplit(dataset, config, splitOf(config, part.split), { columns: ['text'], optional: ['_id', 'id', 'title'], signal })) {
      for (const id of idsOf(rows)) ids.push(id)
      spool.add(documentTexts(rows, profile))
      onProgress?.({ stage: `read ${part.subset === 'default' ? 'the corpus' : name}`, done: ids.length, total: undefined, unit: 'documents' })
    }
  } catch (error) {
    spool.drop()
    throw error
  }
  const all = spool.finish()
  if (profile !== 'mteb-1') return { ids, texts: all }
  // 1.39.7 searches the ids from the last to the first
  const order = Uint32Array.from(ids, (_, i) => i).sort((a, b) => compareCodePoints(ids[b] ?? '', ids[a] ?? '') || a - b)
  return { ids: Array.from(order, (i) => ids[i] ?? ''), texts: reordered(all, order) }
}

function documentTexts(rows: Rows, profile: Profile): string[] {
  const titles = values(rows, 'title')
  return texts(rows, 'text').map((body, i) => {
    const title = titles[i]
    switch (profile) {
      case 'mteb-2':
        return stripText(typeof title === 'string' && title !== '' ? `${title} ${body}` : body)
      case 'mteb-1':
        // 1.39.7 keeps the blank of an absent title and trims nothing
        return `${typeof title === 'string' ? title : ''} ${body}`
      default:
        return profile satisfies never
    }
  })
}

function judgedQueries(rows: Rows, qrels: ReadonlyMap<string, unknown>, instructions: ReadonlyMap<string, string> | undefined): Passages {
  const ids: string[] = []
  const found: string[] = []
  const bodies = values(rows, 'text')
  idsOf(rows).forEach((id, i) => {
    if (!qrels.has(id)) return
    ids.push(id)
    const instruction = instructions?.get(id)
    found.push(queryText(bodies[i], instruction, rowPlace(rows, i)))
  })
  return { ids, texts: found }
}

/** A text with its instruction behind; a conversation in one line, with its instruction in front. */
function queryText(body: unknown, instruction: string | undefined, place: string): string {
  if (typeof body === 'string') return instruction === undefined ? body : `${body} ${instruction}`
  if (!Array.isArray(body) || body.length === 0) throw fault('task.value', { place, what: 'a query is neither a text nor a conversation', seen: body })
  const turns = body.map((turn: unknown) => {
    if (typeof turn === 'string') return turn
    const { role, content } = (turn ?? {}) as { role?: unknown; content?: unknown }
    if (typeof role === 'string' && typeof content === 'string') return `${role}: ${content}`
    throw fault('task.value', { place, what: 'a turn of a conversation has no role and content', seen: turn })
  })
  return `${instruction === undefined ? '' : `${instruction} `}${turns.join('; ')}`
}

function instructionsOf(rows: Rows): Map<string, string> {
  const ids = texts(rows, 'query-id')
  return new Map(texts(rows, 'instruction').map((instruction, i) => [ids[i] ?? '', instruction]))
}

function candidatesOf(rows: Rows): Map<string, string[]> {
  const ids = texts(rows, 'query-id')
  return new Map(
    values(rows, 'corpus-ids').map((list, i) => {
      if (!Array.isArray(list)) throw fault('task.value', { place: rowPlace(rows, i), what: 'candidates are not a list', seen: list })
      return [ids[i] ?? '', list.map(String)]
    }),
  )
}

function idsOf(rows: Rows): string[] {
  const [old, plain] = [values(rows, '_id'), values(rows, 'id')]
  return old.map((value, i) => {
    const id = value ?? plain[i]
    if (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint') return String(id)
    throw fault('task.column', { place: rowPlace(rows, i), what: 'a row has neither _id nor id', seen: id })
  })
}
