/** Corpus, queries and judgements, from the tables that hold them. */
import { fault } from '#core'
import type { Rows } from '../dataset.ts'
import type { RetrievalPart } from '../loaded-task.ts'
import { at } from '../share-of-rows.ts'
import {
  allBut,
  documentNeeds,
  documentsOf,
  instructionNeeds,
  instructionsOf,
  judgementNeeds,
  readJudgements,
} from '../tables/judgements.ts'
import { corpusOf, countRepeats, passageNeeds, queriesOf } from '../tables/passages.ts'
import { lastOfEach } from '../tables/last-of-each.ts'
import { resolved } from '../tables/patterns.ts'
import { tableReader } from '../tables/read-tables.ts'
import { tablesOf } from '../tables/standard.ts'
import type { DocumentTable } from '../tables/tables.ts'
import { isList } from '../text-list.ts'
import type { ProtocolReader, Scope } from './protocol.ts'

export const retrieval: ProtocolReader<RetrievalPart> = {
  columns: () => ({}),
  read: retrievalPart,
  asked: {
    count: ({ queries }) => queries.ids.length,
    only: (part, rows) => ({
      ...part,
      queries: { ids: at(part.queries.ids, rows), texts: at(part.queries.texts, rows) },
    }),
  },
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
  const { task, dataset, part, profile, scratch, onProgress } = scope
  const tables = resolved(tablesOf(task, dataset.layout, part.subset), part)
  const { corpus: documents, qrels: judged, changed: differing } = tables
  const instructing = tables.instructions === false ? undefined : tables.instructions
  const { instructionIfAny: _column, ...bare } = tables.queries
  const asked = tables.instructions === false ? bare : tables.queries
  const offered = tables.candidates === false ? undefined : tables.candidates
  const read = tableReader(
    {
      corpus: { source: documents, needs: passageNeeds(documents) },
      queries: { source: asked, needs: passageNeeds(asked) },
      qrels: { source: judged, needs: judgementNeeds(judged) },
      ...(instructing && { instructions: { source: instructing, needs: instructionNeeds(instructing) } }),
      ...(offered && { candidates: { source: offered, needs: documentNeeds(offered) } }),
      ...(differing && { changed: { source: differing, needs: documentNeeds(differing) } }),
    },
    tables.rows ?? {},
    scope,
  )

  const { qrels, contradicted } = readJudgements(await read.rows('qrels'), judged)
  const instructions = instructing && instructionsOf(await read.rows('instructions'), instructing)
  const queries = queriesOf(await read.rows('queries'), asked, qrels, instructions)
  if (queries.ids.length === 0) {
    throw fault('task.empty', {
      place: `${dataset.place} › ${part.subset} › ${part.split}`,
      what: 'no query is judged',
      seen: { judgedQueries: qrels.size },
    })
  }
  const changed = differing && documentsOf(await read.rows('changed'), differing)
  const stage = `read ${part.subset === 'default' ? 'the corpus' : `the corpus of ${part.subset}`}`
  const { corpus, all } = await corpusOf(read.batches('corpus'), documents, {
    profile,
    scratch,
    onRead: (done) => onProgress?.({ stage, done, total: undefined, unit: 'documents' }),
  })
  const candidates = offered && candidatesOf(await read.rows('candidates'), offered, all)
  const notices = [
    ...count(contradicted, 'judgements that contradict an earlier one (the last counts)'),
    ...count(countRepeats(await read.rows('queries'), asked), 'queries with the id of another'),
    ...count(all.length - (lastOfEach(all)?.length ?? all.length), 'documents with the id of another'),
    ...absentDocuments({ queries, qrels, corpus }, `${dataset.place} › ${part.subset} › ${part.split}`),
  ]
  return {
    ...part,
    corpus,
    queries,
    qrels,
    ...candidates,
    ...(changed && { changed }),
    ...(notices.length > 0 && { notices }),
  }
}

function count(number: number, what: string): string[] {
  return number > 0 ? [`${what}: ${number}`] : []
}

/** Judged documents that nobody can find. Throws `task.value` where that are all of them: ids of two kinds, then. */
function absentDocuments(
  { queries, qrels, corpus }: Pick<RetrievalPart, 'queries' | 'qrels' | 'corpus'>,
  place: string,
): string[] {
  const absent = new Set(queries.ids.flatMap((id) => [...(qrels.get(id)?.keys() ?? [])]))
  const judged = absent.size
  for (const id of corpus.ids) absent.delete(id)
  const [first] = absent
  if (first === undefined) return []
  if (absent.size === judged)
    throw fault('task.value', {
      place,
      what: 'no judged document is in the corpus',
      seen: [...absent].slice(0, 3),
      wanted: `ids of the corpus, such as ${corpus.ids.slice(0, 3).join(', ')}`,
    })
  return [
    `${absent.size} of ${judged} judged documents are not in the corpus (such as ${first}): they count as not found`,
  ]
}

function candidatesOf(
  rows: Rows,
  table: DocumentTable,
  corpus: readonly string[],
): Pick<RetrievalPart, 'candidates' | 'excluded'> | undefined {
  const { allBut: exceptions } = table
  return exceptions === undefined
    ? { candidates: documentsOf(rows, table) }
    : allBut(rows, { ...table, allBut: exceptions }, corpus)
}
