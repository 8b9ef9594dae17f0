/**
 * The best documents of many queries, kept while blocks of scores go by: one heap of bounded size per query, ordered by
 * (score, id), larger ids winning ties.
 */
import { compareCodePoints } from '#core'
import { descendingOrder } from './descending-order.ts'

export interface TopDocuments {
  /** Documents of a full list. */
  readonly room: number
  /** Offers a document to a query. */
  offer(query: number, document: number, score: number): void
  /** Scores below this cannot enter a query's list any more. */
  floor(query: number): number
  /** Documents of a query, best first. */
  ranking(query: number): { documents: Int32Array; scores: Float32Array }
  /** Everything kept so far, as bytes for `restore`. */
  save(): Uint8Array
  /** Takes over what another one of the same queries, ids and depth has saved; false when the bytes are not that. */
  restore(bytes: Uint8Array): boolean
  /** Forgets all that was offered. */
  clear(): void
}

/** `ids` may grow no more after this; ties are decided by them. */
export function topDocuments(queries: number, ids: readonly string[], depth: number): TopDocuments {
  const room = Math.min(depth, ids.length)
  const scores = new Float32Array(queries * room)
  const documents = new Int32Array(queries * room)
  const sizes = new Int32Array(queries)
  const worse = (scoreA: number, a: number, scoreB: number, b: number): boolean =>
    scoreA < scoreB || (scoreA === scoreB && compareCodePoints(ids[a]!, ids[b]!) < 0)

  // the worst kept document is at the root
  const siftUp = (base: number, from: number, score: number, document: number): void => {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!worse(score, document, scores[base + parent]!, documents[base + parent]!)) break
      scores[base + at] = scores[base + parent]!
      documents[base + at] = documents[base + parent]!
      at = parent
    }
    scores[base + at] = score
    documents[base + at] = document
  }
  const siftDown = (base: number, score: number, document: number): void => {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= room) break
      if (
        child + 1 < room &&
        worse(scores[base + child + 1]!, documents[base + child + 1]!, scores[base + child]!, documents[base + child]!)
      )
        child++
      if (!worse(scores[base + child]!, documents[base + child]!, score, document)) break
      scores[base + at] = scores[base + child]!
      documents[base + at] = documents[base + child]!
      at = child
    }
    scores[base + at] = score
    documents[base + at] = document
  }

  return {
    room,
    offer(query, document, score) {
      const base = query * room
      const size = sizes[query]!
      if (size < room) {
        siftUp(base, size, score, document)
        sizes[query] = size + 1
      } else if (score >= scores[base]! && worse(scores[base]!, documents[base]!, score, document))
        siftDown(base, score, document)
    },
    save: () => Buffer.concat([scores, documents, sizes].map(bytesOf)),
    restore(bytes) {
      if (bytes.length !== scores.byteLength + documents.byteLength + sizes.byteLength) return false
      let at = 0
      for (const { buffer, byteOffset, byteLength } of [scores, documents, sizes]) {
        new Uint8Array(buffer, byteOffset, byteLength).set(bytes.subarray(at, at + byteLength))
        at += byteLength
      }
      return (
        sizes.every((size) => size >= 0 && size <= room) &&
        documents.every((document) => document >= 0 && document < ids.length)
      )
    },
    clear: () => void sizes.fill(0),
    floor: (query) => (sizes[query] === room ? scores[query * room]! : -Infinity),
    ranking(query) {
      const base = query * room
      const own = scores.subarray(base, base + sizes[query]!)
      const order = descendingOrder(own, (a, b) =>
        compareCodePoints(ids[documents[base + b]!]!, ids[documents[base + a]!]!),
      )
      const best = { documents: new Int32Array(order.length), scores: new Float32Array(order.length) }
      for (let rank = 0; rank < order.length; rank++) {
        best.documents[rank] = documents[base + order[rank]!]!
        best.scores[rank] = own[order[rank]!]!
      }
      return best
    },
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
