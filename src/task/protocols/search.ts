/**
 * Exact search: every document against every query, in blocks, so that memory never holds all vectors or all scores.
 */
import { fault, fingerprint, type Matrix, row, sha256 } from '#core'
import { type RetrievalPart, type TaskInfo, textsAt } from '#task/rows'
import { type Context, embedFinite } from './part-scores.ts'
import { comparing, rowBlock } from './similarity.ts'
import { topDocuments, type TopDocuments } from './top-documents.ts'

/** What a search found. */
export type Rankings = Pick<TopDocuments, 'ranking'>

/** Documents of a block: as many as 64 MiB of vectors hold. A block is what a killed search may have to do again. */
const blockDocuments = 2 ** 15
const blockVectorBytes = 2 ** 26
/** Scores held at a time: 64 MiB of float32. */
const blockScores = 2 ** 24

/**
 * The best `depth` documents of every query, over the whole corpus, what of it is left, or among its candidates.
 *
 * Memory: the queries' vectors, 8 bytes × queries × depth for the lists, and for one block its texts, twice its vectors
 * and 64 MiB of scores – whatever the corpus. A search of several blocks leaves its lists in `checkpoints` after each
 * of them.
 * @param documents of a block, at most
 */
export async function searchCorpus(
  part: RetrievalPart,
  depth: number,
  context: Context,
  { documents = blockDocuments }: { documents?: number } = {},
): Promise<TopDocuments> {
  const { queries, corpus, excluded } = part
  // where candidates are nearly all of the corpus, all of it is searched
  const candidates = excluded === undefined ? part.candidates : undefined
  const { prepare, pair } = comparing(context)
  const asked = prepare(await embedFinite(context, queries.texts, 'query'))
  const top = topDocuments(queries.ids.length, corpus.ids, depth)
  const askers = candidates === undefined ? undefined : queriesOfDocument(part, candidates, context.task)
  const barred = excluded === undefined ? undefined : barredDocuments(part, excluded)
  // of a corpus that is only partly asked about, only that part is encoded
  const wanted = askers === undefined ? undefined : [...askers.keys()].sort((a, b) => a - b)
  const count = wanted?.length ?? corpus.ids.length
  const block = Math.max(1, Math.min(documents, Math.floor(blockVectorBytes / (4 * Math.max(1, asked.width)))))
  const kept = count > block ? checkpointOf(part, { depth, block, width: asked.width }, context) : undefined
  for (let start = (await kept?.resume(top)) ?? 0; start < count; start += block) {
    const indexes = Uint32Array.from(
      { length: Math.min(block, count - start) },
      (_, i) => wanted?.[start + i] ?? start + i,
    )
    const report = (share: number): void =>
      context.onProgress?.({
        stage: 'search',
        done: start + Math.floor(share * indexes.length),
        total: count,
        unit: 'documents',
      })
    const vectors = prepare(
      // most of the time goes into encoding: the documents encoded are the measure of the search
      await embedFinite(context, textsAt(corpus.texts, indexes), 'document', ({ done, total }) =>
        report(total ? done / total : 0),
      ),
    )
    if (askers === undefined) await offerAll(asked, vectors, { start, barred }, top, context)
    else
      indexes.forEach((document, i) =>
        askers.get(document)?.forEach((query) => top.offer(query, document, pair(row(asked, query), row(vectors, i)))),
      )
    report(1)
    if (start + block < count) await kept?.save(start + block, top)
  }
  await kept?.remove()
  return top
}

interface SearchCheckpoint {
  /** Documents that need not be searched again. */
  resume(top: TopDocuments): Promise<number>
  save(done: number, top: TopDocuments): Promise<void>
  remove(): Promise<void>
}

/** The lists after some blocks: 32 bytes that identify the search, 8 that count the documents done, the lists. */
function checkpointOf(
  { queries, corpus, candidates, excluded, subset, split }: RetrievalPart,
  sizes: { depth: number; block: number; width: number },
  { checkpoints, similarity }: Context,
): SearchCheckpoint | undefined {
  if (checkpoints === undefined) return undefined
  const name = `${subset}.${split}.search`
  const identity = Buffer.from(
    fingerprint([
      sizes,
      similarity,
      ...[queries.ids, queries.texts, corpus.ids].map((list) => sha256(list.join('\0'))),
      [...(excluded ?? candidates ?? [])].map(([id, documents]) => [id, ...documents]),
    ]),
    'hex',
  )
  return {
    async resume(top) {
      const bytes = await checkpoints.load(name)
      if (
        bytes === undefined ||
        bytes.length < 40 ||
        !identity.equals(bytes.subarray(0, 32)) ||
        !top.restore(bytes.subarray(40))
      ) {
        top.clear()
        return 0
      }
      return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(32, true)
    },
    async save(done, top) {
      const head = Buffer.concat([identity, Buffer.alloc(8)])
      head.writeDoubleLE(done, 32)
      await checkpoints.save(name, Buffer.concat([head, top.save()]))
    },
    remove: () => checkpoints.remove(name),
  }
}

async function offerAll(
  asked: Matrix,
  vectors: Matrix,
  { start, barred }: { start: number; barred: readonly (ReadonlySet<number> | undefined)[] | undefined },
  top: TopDocuments,
  context: Context,
): Promise<void> {
  const { signal, task } = context
  const { table } = comparing(context)
  const step = Math.max(1, Math.floor(blockScores / Math.max(1, asked.rows)))
  for (let from = 0; from < vectors.rows; from += step) {
    if (signal?.aborted) throw fault('run.cancelled', { place: task.name, what: 'cancelled', cause: signal.reason })
    const rows = Math.min(step, vectors.rows - from)
    const scores = await table(asked, rowBlock(vectors, from, rows))
    const block = top.block(start + from, rows)
    for (let query = 0; query < asked.rows; query++)
      top.offerBlock(query, block, scores.subarray(query * rows, (query + 1) * rows), barred?.[query])
  }
}

/** The documents that each query leaves out. */
export function barredDocuments(
  { queries, corpus }: RetrievalPart,
  excluded: ReadonlyMap<string, ReadonlySet<string>>,
): (ReadonlySet<number> | undefined)[] {
  const some = new Set([...excluded.values()].flatMap((documents) => [...documents]))
  const places = new Map(corpus.ids.flatMap((id, i) => (some.has(id) ? [[id, i] as const] : [])))
  return queries.ids.map((id) => {
    const own = excluded.get(id)
    return own === undefined ? undefined : new Set([...own].flatMap((document) => places.get(document) ?? []))
  })
}

/** Document → queries that have it among their candidates. */
export function queriesOfDocument(
  { queries, corpus }: Pick<RetrievalPart, 'queries' | 'corpus'>,
  candidates: ReadonlyMap<string, readonly string[]>,
  task: Pick<TaskInfo, 'name'>,
): Map<number, number[]> {
  const places = new Map(corpus.ids.map((id, i) => [id, i]))
  const askers = new Map<number, number[]>()
  queries.ids.forEach((id, query) => {
    for (const candidate of new Set(candidates.get(id))) {
      const document = places.get(candidate)
      if (document === undefined)
        throw fault('task.value', {
          place: `${task.name} › query ${id}`,
          what: 'a candidate is not in the corpus',
          seen: candidate,
        })
      const known = askers.get(document)
      if (known) known.push(query)
      else askers.set(document, [query])
    }
  })
  return askers
}
