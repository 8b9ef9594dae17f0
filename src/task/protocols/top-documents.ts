/**
 * The best documents of many queries, kept while blocks of scores go by: one list of bounded size per query, in
 * descending order of (score, id), larger ids first among ties.
 *
 * Documents better than the last of a full list wait until there are enough to be merged, so that most scores cost no
 * more than a look: of a million random ones, about ten times the size of the list are ever taken up.
 */
import { compareCodePoints } from '#core'
import { mostAtLeast, placesAtLeast, radixOrder32 } from '#platform/linalg'

export interface TopDocuments {
  /** Offers a document to a query. */
  offer(query: number, document: number, score: number): void
  /** Offers a query the documents from `start` on, each with its score, but for those that are barred. No NaN. */
  offerBlock(query: number, start: number, offered: Float32Array, barred?: ReadonlySet<number>): void
  /** Documents of a query, best first; further offers change them. */
  ranking(query: number): { documents: Int32Array; scores: Float32Array }
  /** Everything kept so far, as bytes for `restore`. */
  save(): Uint8Array
  /** Takes over what another one of the same queries, ids and depth has saved; false when the bytes are not that. */
  restore(bytes: Uint8Array): boolean
  /** Forgets all that was offered. */
  clear(): void
}

/** Documents with their scores: `room` places for each query, of which `sizes` are in use. */
interface Lists {
  readonly room: number
  readonly scores: Float32Array
  readonly documents: Int32Array
  readonly sizes: Int32Array
}

type CompareIds = (a: number, b: number) => number

/** `ids` may grow no more after this; ties are decided by them. */
export function topDocuments(queries: number, ids: readonly string[], depth: number): TopDocuments {
  const room = Math.min(depth, ids.length)
  const best = listsOf(queries, room)
  const waiting = listsOf(queries, Math.ceil(room / 2))
  const compare = idComparer(ids)
  const merge = merger(best, waiting, compare)

  /** The score of the last of a full list. */
  const floorOf = (query: number): number =>
    best.sizes[query] === room ? best.scores[(query + 1) * room - 1]! : -Infinity
  const offer = (query: number, document: number, score: number): void => {
    const floor = floorOf(query)
    if (score < floor || room === 0) return
    const isTie = score === floor && best.sizes[query] === room
    if (isTie && compare(document, best.documents[(query + 1) * room - 1]!) < 0) return
    const at = query * waiting.room + waiting.sizes[query]!++
    waiting.scores[at] = score
    waiting.documents[at] = document
    if (waiting.sizes[query] === waiting.room) merge(query)
  }
  const mergeAll = (): void => {
    for (let query = 0; query < queries; query++) merge(query)
  }
  return {
    offer,
    offerBlock(query, start, offered, barred) {
      for (let from = 0; from < offered.length; from += mostAtLeast) {
        const piece = offered.subarray(from, from + mostAtLeast)
        for (const place of placesAtLeast(piece, floorOf(query)))
          if (!barred?.has(start + from + place)) offer(query, start + from + place, piece[place]!)
      }
    },
    save() {
      mergeAll()
      return Buffer.concat([best.scores, best.documents, best.sizes].map(bytesOf))
    },
    restore(bytes) {
      waiting.sizes.fill(0)
      if (!fill(best, bytes, ids.length)) return false
      // earlier versions saved lists in another order
      const saved = { scores: best.scores.slice(), documents: best.documents.slice(), sizes: best.sizes.slice() }
      best.sizes.fill(0)
      saved.sizes.forEach((size, query) => {
        for (let at = query * room; at < query * room + size; at++)
          offer(query, saved.documents[at]!, saved.scores[at]!)
      })
      return true
    },
    clear() {
      best.sizes.fill(0)
      waiting.sizes.fill(0)
    },
    ranking(query) {
      merge(query)
      const [base, end] = [query * room, query * room + best.sizes[query]!]
      return { documents: best.documents.subarray(base, end), scores: best.scores.subarray(base, end) }
    },
  }
}

function listsOf(queries: number, room: number): Lists {
  return {
    room,
    scores: new Float32Array(queries * room),
    documents: new Int32Array(queries * room),
    sizes: new Int32Array(queries),
  }
}

/** Comparisons by characters, in lengths of the list, before its order is worth knowing. */
const worthRanks = 16

/** The order of ids; where it is often asked about, by their ranks. */
function idComparer(ids: readonly string[]): CompareIds {
  let ranks: Uint32Array | undefined
  let asked = 0
  return (a, b) => {
    if (ranks === undefined && ++asked > worthRanks * ids.length) ranks = ranksOf(ids)
    return ranks === undefined ? compareCodePoints(ids[a]!, ids[b]!) : ranks[a]! - ranks[b]!
  }
}

/** Equal ids share a rank. */
function ranksOf(ids: readonly string[]): Uint32Array {
  const order = Uint32Array.from(ids.keys()).sort((a, b) => compareCodePoints(ids[a]!, ids[b]!))
  const ranks = new Uint32Array(ids.length)
  for (let at = 1; at < order.length; at++) {
    const isEqual = ids[order[at]!] === ids[order[at - 1]!]
    ranks[order[at]!] = ranks[order[at - 1]!]! + (isEqual ? 0 : 1)
  }
  return ranks
}

/** Moves the documents that wait for a query into its list. */
function merger(best: Lists, waiting: Lists, compare: CompareIds): (query: number) => void {
  const { room } = best
  const before = listsOf(1, room)
  return (query) => {
    const count = waiting.sizes[query]!
    if (count === 0) return
    waiting.sizes[query] = 0
    const from = query * waiting.room
    const scores = waiting.scores.subarray(from, from + count)
    const documents = waiting.documents.subarray(from, from + count)
    const order = bestFirst(scores, documents, compare)
    const [base, size] = [query * room, best.sizes[query]!]
    before.scores.set(best.scores.subarray(base, base + size))
    before.documents.set(best.documents.subarray(base, base + size))
    const isOldFirst = (old: number, next: number): boolean =>
      before.scores[old]! > scores[next]! ||
      (before.scores[old] === scores[next] && compare(before.documents[old]!, documents[next]!) > 0)
    const end = base + Math.min(room, size + count)
    for (let at = base, old = 0, taken = 0; at < end; at++) {
      if (taken === count || (old < size && isOldFirst(old, order[taken]!))) {
        best.scores[at] = before.scores[old]!
        best.documents[at] = before.documents[old++]!
      } else {
        best.scores[at] = scores[order[taken]!]!
        best.documents[at] = documents[order[taken++]!]!
      }
    }
    best.sizes[query] = end - base
  }
}

/** Positions in descending order of (score, id); the later of equal ones comes first. */
function bestFirst(scores: Float32Array, documents: Int32Array, compare: CompareIds): Uint32Array {
  const order = radixOrder32(scores).reverse()
  for (let from = 0, to = 1; from < order.length; from = to++) {
    const score = scores[order[from]!]!
    let isOrdered = true
    for (; to < order.length && scores[order[to]!] === score; to++)
      isOrdered &&= compare(documents[order[to - 1]!]!, documents[order[to]!]!) >= 0
    if (!isOrdered) order.subarray(from, to).sort((a, b) => compare(documents[b]!, documents[a]!))
  }
  return order
}

/** Reads the bytes of `save`; false when they are not that. */
function fill({ scores, documents, sizes, room }: Lists, bytes: Uint8Array, count: number): boolean {
  if (bytes.length !== scores.byteLength + documents.byteLength + sizes.byteLength) return false
  let at = 0
  for (const { buffer, byteOffset, byteLength } of [scores, documents, sizes]) {
    new Uint8Array(buffer, byteOffset, byteLength).set(bytes.subarray(at, at + byteLength))
    at += byteLength
  }
  return (
    sizes.every((size) => size >= 0 && size <= room) && documents.every((document) => document >= 0 && document < count)
  )
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
