/**
 * Exact search: every document against every query, in blocks, so that memory never holds all vectors or all scores.
 */
import { fault, fingerprint, type Matrix, row, sha256 } from '#core'
import { threadBudget } from '#platform/threads'
import { type RetrievalPart, type TaskInfo, textsAt } from '#task/rows'
import { type Context, embedFinite, finite, fitting } from './part-scores.ts'
import { comparing, rowBlock } from './similarity.ts'
import { topDocuments, type TopDocuments } from './top-documents.ts'

/** What a search found. */
export type Rankings = Pick<TopDocuments, 'ranking'>

/** Documents of a block: as many as 64 MiB of vectors hold. A block is what a killed search may have to do again. */
const blockDocuments = 2 ** 15
const blockVectorBytes = 2 ** 26
/** Scores held at a time: 64 MiB of float32. */
const blockScores = 2 ** 24
/** Numbers of a part's vectors or of its scores, per core: they stay in the cache. */
const partNumbers = 2 ** 19
/** Fewer documents per core, and a product is slower, or adds up in another order. */
const partDocuments = 2 ** 10

/**
 * The best `depth` documents of every query, over the whole corpus, what of it is left, or among its candidates.
 *
 * Memory: the queries' vectors, 12 bytes × queries × depth for the lists, and for one block its texts, its vectors and at
 * most 64 MiB of scores – whatever the corpus. A search of several blocks leaves its lists in `checkpoints` after each
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
  const offer = offerer(asked, barred, top, context)
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
    const texts = textsAt(corpus.texts, indexes)
    // most of the time goes into encoding: the documents encoded are the measure of the search
    const encoded = await context.embed(texts, 'document', ({ done, total }) => report(total ? done / total : 0))
    if (askers === undefined) await offer(fitting(encoded, texts, context.task), { start, texts })
    else {
      const vectors = prepare(finite(encoded, texts, context.task))
      indexes.forEach((document, i) =>
        askers.get(document)?.forEach((query) => top.offer(query, document, pair(row(asked, query), row(vectors, i)))),
      )
    }
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

interface Offered {
  /** The first document's place in the corpus. */
  readonly start: number
  readonly texts: readonly string[]
}

/** Offers every query the documents of a block, in parts whose memory is used again; throws as `embedFinite`. */
function offerer(
  asked: Matrix,
  barred: readonly (ReadonlySet<number> | undefined)[] | undefined,
  top: TopDocuments,
  context: Context,
): (vectors: Matrix, block: Offered) => Promise<void> {
  const { signal, task } = context
  const { prepare, table } = comparing(context)
  const most = Math.min(
    threadBudget() * Math.max(partDocuments, Math.floor(partNumbers / Math.max(1, asked.rows, asked.width))),
    Math.max(1, Math.floor(blockScores / Math.max(1, asked.rows))),
  )
  const [units, room] = [memory(), memory()]
  return async (vectors, { start, texts }) => {
    const parts = Math.ceil(vectors.rows / most)
    for (let part = 0, from = 0; part < parts; part++) {
      if (signal?.aborted) throw fault('run.cancelled', { place: task.name, what: 'cancelled', cause: signal.reason })
      const rows = Math.floor(((part + 1) * vectors.rows) / parts) - from
      const documents = prepare(rowBlock(vectors, from, rows), units(rows * vectors.width))
      const scores = await table(asked, documents, room(rows * asked.rows))
      // a number that is not finite reaches every score of its vector
      if (!scores.subarray(0, rows).every(Number.isFinite)) finite(vectors, texts, task)
      for (let query = 0; query < asked.rows; query++)
        top.offerBlock(query, start + from, scores.subarray(query * rows, (query + 1) * rows), barred?.[query])
      from += rows
    }
  }
}

/** Gives out the same memory again and again, as much as is asked for. */
function memory(): (length: number) => Float32Array {
  let all = new Float32Array(0)
  return (length) => {
    if (all.length < length) all = new Float32Array(length)
    return all.subarray(0, length)
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
