/** Items of work in turn, with the next ones begun while the last one is in use. */
import type { CallOptions } from '#core'

export interface Begun {
  /** What it holds until it is closed, in the unit of the room; one that says nothing holds nothing. */
  readonly size?: number | undefined
  /** Frees its resources; called once, when its turn is over or never comes. */
  close(): void
}

export interface AheadOptions extends CallOptions {
  /** Sizes that open pieces may have together before more than one is begun ahead. Default: 0, one ahead. */
  readonly room?: number | undefined
}

/**
 * The values that `begin` makes from the items, in order and one at a time; an item is begun when the previous one is
 * handed out, or earlier while there is room. Only the awaited item reports progress. Leaving early cancels pending
 * work and waits for its end.
 */
export async function* begunAhead<Item, Piece extends Begun>(
  items: readonly Item[],
  begin: (item: Item, call: CallOptions) => Promise<Piece>,
  { signal, onProgress, room = 0 }: AheadOptions = {},
): AsyncGenerator<Piece> {
  const left = new AbortController()
  const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
  const pieces: Promise<Piece>[] = []
  let [awaited, held, busy] = [0, 0, false]
  const beginMore = (): void => {
    const at = pieces.length
    const [item] = items.slice(at, at + 1)
    if (item === undefined || busy || left.signal.aborted) return
    if (at > awaited + (held < room ? items.length : 1)) return
    busy = true
    const piece = begin(item, {
      signal: either,
      onProgress: (progress) => (at === awaited ? onProgress?.(progress) : undefined),
    })
    pieces.push(piece)
    piece.then(
      ({ size = 0 }) => {
        busy = false
        held += size
        beginMore()
      },
      // The error is reported in its turn, and nothing begins after it.
      () => undefined,
    )
  }
  try {
    for (;;) {
      beginMore()
      const piece = await pieces[awaited]
      if (piece === undefined) return
      try {
        yield piece
      } finally {
        awaited++
        held -= piece.size ?? 0
        piece.close()
      }
    }
  } finally {
    left.abort()
    for (const piece of pieces.slice(awaited)) await piece.then((begun) => begun.close()).catch(() => undefined)
  }
}
