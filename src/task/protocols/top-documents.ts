/**
 * The best documents of many queries, kept while blocks of scores go by: one list of bounded size per query, in
 * descending order of (score, id), larger ids first among ties.
 */
import { compareCodePoints } from '#core'
import { radixOrder32 } from '#platform/linalg'

/** Equal parts of the range of a block's scores. */
const bins = 1024

export interface DocumentBlock {
  readonly start: number
  /** Places in the block, smaller ids first. */
  readonly byId: Uint32Array
}

export interface TopDocuments {
  /** Offers a document to a query. */
  offer(query: number, document: number, score: number): void
  /** The `count` documents from `start` on, to be offered together. */
  block(start: number, count: number): DocumentBlock
  /** Offers a query a block, each with its score, but for documents that are barred. No NaN. */
  offerBlock(query: number, block: DocumentBlock, offered: Float32Array, barred?: ReadonlySet<number>): void
  /** Documents of a query, best first; further offers change them. */
  ranking(query: number): { documents: Int32Array; scores: Float32Array }
  /** Everything kept so far, as bytes for `restore`. */
  save(): Uint8Array
  /** Takes over what another one of the same queries, ids and depth has saved; false when the bytes are not that. */
  restore(bytes: Uint8Array): boolean
  /** Forgets all that was offered. */
  clear(): void
}

/** Documents of one list, or offered to it, and their scores. */
interface Scored {
  readonly scores: Float32Array
  readonly documents: Int32Array
}

/** A list for each query, `room` places apart, of which `sizes` are in use. */
interface Lists extends Scored {
  readonly room: number
  readonly sizes: Int32Array
  readonly isBetter: (scoreA: number, a: number, scoreB: number, b: number) => boolean
}

/** `ids` may grow no more after this; ties are decided by them. */
export function topDocuments(queries: number, ids: readonly string[], depth: number): TopDocuments {
  const room = Math.min(depth, ids.length)
  const scores = new Float32Array(queries * room)
  const documents = new Int32Array(queries * room)
  const sizes = new Int32Array(queries)
  const isBetter: Lists['isBetter'] = (scoreA, a, scoreB, b) =>
    scoreA > scoreB || (scoreA === scoreB && compareCodePoints(ids[a]!, ids[b]!) > 0)
  const lists: Lists = { room, scores, documents, sizes, isBetter }
  const takeBest = bestTaker(lists)
  return {
    offer: (...offered) => offerOne(lists, ...offered),
    block(start, count) {
      const byId = Uint32Array.from({ length: count }, (_, i) => i)
      return { start, byId: byId.sort((a, b) => compareCodePoints(ids[start + a]!, ids[start + b]!)) }
    },
    offerBlock(query, block, offered, barred) {
      const full = sizes[query] === room
      const floor = full ? scores[(query + 1) * room - 1]! : reachedBy(offered, room + (barred?.size ?? 0))
      takeBest(query, block, offered, { floor, barred })
    },
    save: () => Buffer.concat([scores, documents, sizes].map(bytesOf)),
    restore(bytes) {
      if (bytes.length !== scores.byteLength + documents.byteLength + sizes.byteLength) return false
      let at = 0
      for (const { buffer, byteOffset, byteLength } of [scores, documents, sizes]) {
        new Uint8Array(buffer, byteOffset, byteLength).set(bytes.subarray(at, at + byteLength))
        at += byteLength
      }
      if (
        sizes.some((size) => size < 0 || size > room) ||
        documents.some((document) => document < 0 || document >= ids.length)
      )
        return false
      putInOrder(lists)
      return true
    },
    clear: () => void sizes.fill(0),
    ranking(query) {
      const [base, end] = [query * room, query * room + sizes[query]!]
      return { documents: documents.subarray(base, end), scores: scores.subarray(base, end) }
    },
  }
}

function offerOne(lists: Lists, query: number, document: number, score: number): void {
  const { room, scores, documents, sizes, isBetter } = lists
  const [base, size] = [query * room, sizes[query]!]
  let at = 0
  for (let end = size; at < end;) {
    const middle = (at + end) >> 1
    if (isBetter(scores[base + middle]!, documents[base + middle]!, score, document)) at = middle + 1
    else end = middle
  }
  if (at === room) return
  const end = Math.min(size + 1, room)
  scores.copyWithin(base + at + 1, base + at, base + end - 1)
  documents.copyWithin(base + at + 1, base + at, base + end - 1)
  scores[base + at] = score
  documents[base + at] = document
  sizes[query] = end
}

/** Earlier versions saved lists in another order. */
function putInOrder(lists: Lists): void {
  const { room, scores, documents, sizes } = lists
  for (let query = 0; query < sizes.length; query++) {
    const [base, size] = [query * room, sizes[query]!]
    const saved = { scores: scores.slice(base, base + size), documents: documents.slice(base, base + size) }
    sizes[query] = 0
    saved.documents.forEach((document, i) => offerOne(lists, query, document, saved.scores[i]!))
  }
}

/** Takes the documents of a block that are above the floor and not barred into the list of a query. */
function bestTaker({ room, scores, documents, sizes, isBetter }: Lists) {
  let near = empty(0)
  const before = empty(room)
  const isKeptFirst = (old: number, next: number): boolean =>
    isBetter(before.scores[old]!, before.documents[old]!, near.scores[next]!, near.documents[next]!)
  return (
    query: number,
    { start, byId }: DocumentBlock,
    offered: Float32Array,
    { floor, barred }: { readonly floor: number; readonly barred: ReadonlySet<number> | undefined },
  ): void => {
    if (near.scores.length < byId.length) near = empty(byId.length)
    let count = 0
    for (let at = 0; at < byId.length; at++) {
      const place = byId[at]!
      const score = offered[place]!
      if (score < floor || barred?.has(start + place)) continue
      near.scores[count] = score
      near.documents[count++] = start + place
    }
    if (count === 0) return
    // smaller ids came first, so that of equal scores the larger ones do now
    const order = radixOrder32(near.scores.subarray(0, count)).reverse()
    const [base, size] = [query * room, sizes[query]!]
    before.scores.set(scores.subarray(base, base + size))
    before.documents.set(documents.subarray(base, base + size))
    const end = Math.min(room, size + count)
    for (let at = 0, old = 0, taken = 0; at < end; at++) {
      const next = order[taken]!
      const isOld = taken === count || (old < size && isKeptFirst(old, next))
      const [from, place] = isOld ? [before, old++] : [near, order[taken++]!]
      scores[base + at] = from.scores[place]!
      documents[base + at] = from.documents[place]!
    }
    sizes[query] = end
  }
}

function empty(length: number): Scored {
  return { scores: new Float32Array(length), documents: new Int32Array(length) }
}

/**
 * A score that at least `count` of the scores reach, close to the best such one: lists need not take in what they would
 * give up at once. −∞ where there are not that many.
 */
function reachedBy(scores: Float32Array, count: number): number {
  if (scores.length <= count) return -Infinity
  let low = Infinity
  let high = -Infinity
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!
    if (score < low) low = score
    if (score > high) high = score
  }
  const scale = bins / (high - low)
  if (!Number.isFinite(scale)) return -Infinity
  const counts = new Uint32Array(bins + 1)
  for (let i = 0; i < scores.length; i++) counts[Math.floor((scores[i]! - low) * scale)]!++
  for (let bin = bins, reached = 0; bin > 0; bin--) {
    reached += counts[bin]!
    // lower by what roundings may amount to
    if (reached >= count) return low + (bin - 0.001) / scale
  }
  return -Infinity
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
