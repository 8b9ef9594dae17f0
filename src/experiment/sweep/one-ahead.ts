/** Pieces of work in turn, the next one begun while the last one is in use. */
import type { CallOptions } from '#core'

export interface Begun {
  /** Frees what it holds; called once, when its turn is over or never comes. */
  close(): void
}

/**
 * What `begin` makes of every item, in order; an item is begun when the one before is handed out, so that never more
 * than two are open. Progress is heard of what is waited for. Leaving early cancels what is under way, and awaits its
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
    // Its turn tells; until then nobody listens.
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
