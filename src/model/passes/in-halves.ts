/** Batches that turn out too large for the memory of a device. */
import { Fault } from '#core'

/** What a device has shown to hold; shared by the batches of one call. */
export interface Room {
  most: number
}

export interface Halving<Item> {
  /** What a batch takes, in any unit that grows with its items, such as padded tokens. */
  readonly size: (items: readonly Item[]) => number
  readonly room: Room
}

/**
 * Runs a batch; where the engine has no memory for it (`engine.memory`), its halves one after the other, and from then
 * on those of every batch as large. A single item that does not fit is the caller's to report.
 *
 * @example
 *   await inHalves(rows, { size: ({ length }) => length, room: { most: Infinity } }, run)
 */
export async function inHalves<Item>(
  items: readonly Item[],
  { size, room }: Halving<Item>,
  run: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  if (items.length < 2) return run(items)
  if (size(items) <= room.most) {
    try {
      await run(items)
      return
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'engine.memory') throw error
      room.most = Math.min(room.most, size(items) / 2)
    }
  }
  const middle = Math.ceil(items.length / 2)
  await inHalves(items.slice(0, middle), { size, room }, run)
  await inHalves(items.slice(middle), { size, room }, run)
}
