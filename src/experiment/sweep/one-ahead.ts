/** Items of work in turn, with the next one begun while the last one is in use. */
import type { CallOptions } from '#core'

export interface Begun {
  /** Frees its resources; called once, when its turn is over or never comes. */
  close(): void
}

/**
 * The values that `begin` makes from the items, in order; an item is begun when the previous one is handed out, so that
 * at most two are open. Only the awaited item reports progress. Leaving early cancels pending work and waits for its
 * end.
 */
export async function* oneAhead<Item, Piece extends Begun>(
  items: readonly Item[],
  begin: (item: Item, call: CallOptions) => Promise<Piece>,
  { signal, onProgress }: CallOptions = {},
): AsyncGenerator<Piece> {
  const left = new AbortController()
  const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
  let awaited = 0
  const start = (at: number): Promise<Piece> | undefined => {
    const [item] = items.slice(at, at + 1)
    if (item === undefined) return undefined
    const piece = begin(item, {
      signal: either,
      onProgress: (progress) => (at === awaited ? onProgress?.(progress) : undefined),
    })
    // The error is reported in its turn, and ignored until then.
    piece.catch(() => undefined)
    return piece
  }
  let next = start(0)
  try {
    while (next !== undefined) {
      const piece: Piece = await next
      next = start(awaited + 1)
      try {
        yield piece
      } finally {
        piece.close()
      }
      awaited++
    }
  } finally {
    left.abort()
    await next?.then((piece) => piece.close()).catch(() => undefined)
  }
}
