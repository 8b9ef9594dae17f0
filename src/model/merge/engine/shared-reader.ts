/**
 * One reading for several tensors that are merged at once from the same operands: a chunk is read when the first asks
 * for it and held until the last has had it.
 */
import { dtypeBytes, elementCount, fault, type TensorInfo } from '#core'
import type { OperandPlace } from './file-reader.ts'
import type { ReadOperand } from './read-operand.ts'

/** Stored bytes of elements [from, to) of the operand at a place. */
export type ReadPlace = (place: OperandPlace, info: TensorInfo, from: number, to: number) => Promise<Uint8Array>

export interface SharedReader {
  /** Reads for one of the consumers. */
  reader(consumer: number, places: readonly OperandPlace[]): ReadOperand
  /** It asks for nothing any more: nobody waits for it. */
  ended(consumer: number): void
}

/** Number of chunks by which the fastest may be ahead of the slowest, and thus of chunks held per operand. */
export const sharedWindow = 4

/**
 * Everybody goes through an operand from its first element to its last, as often as its method needs; passes are
 * counted, and who is a window ahead of the slowest waits. So a pass that several make is one reading, and memory stays
 * bounded. The slowest never waits.
 */
export function sharedReader(consumers: number, chunk: number, read: ReadPlace): SharedReader {
  /** How far each is: whole passes, and the share of the current one. */
  const clocks = Array.from({ length: consumers }, () => 0)
  const held = new Map<string, { readonly bytes: Promise<Uint8Array>; until: number }>()
  let waiting: (() => void)[] = []
  const slowest = (): number => clocks.reduce((least, clock) => Math.min(least, clock), Infinity)

  const moved = (consumer: number, clock: number): void => {
    clocks[consumer] = Math.max(clocks[consumer] ?? 0, clock)
    const least = slowest()
    for (const [key, { until }] of held) if (until <= least) held.delete(key)
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  const chunkOf = (place: OperandPlace, info: TensorInfo, index: number, pass: number): Promise<Uint8Array> => {
    const count = elementCount(info.shape)
    const end = Math.min(count, (index + 1) * chunk)
    const key = `${place.path}\0${place.offset}\0${index}`
    const known = held.get(key)
    // What fits into the window as a whole is kept for every pass.
    const until = count <= sharedWindow * chunk ? Infinity : pass + end / count
    if (known !== undefined) {
      known.until = Math.max(known.until, until)
      return known.bytes
    }
    const bytes = read(place, info, index * chunk, end)
    held.set(key, { bytes, until })
    return bytes
  }

  return {
    reader(consumer, places) {
      const passes = new Map<OperandPlace, { pass: number; at: number }>()
      return async ({ input, info }, from, to, into) => {
        const place = places.find((one) => one.input === input && one.tensor === info.name)
        if (place === undefined) throw fault('internal', { place: info.name, what: 'an operand without a place' })
        const count = Math.max(1, elementCount(info.shape))
        const before = passes.get(place) ?? { pass: 0, at: 0 }
        const now = { pass: from < before.at ? before.pass + 1 : before.pass, at: from }
        passes.set(place, now)
        const clock = now.pass + from / count
        moved(consumer, clock)
        while (clock > slowest() + (sharedWindow * chunk) / count)
          await new Promise<void>((resolve) => waiting.push(resolve))
        const size = dtypeBytes(info.dtype)
        const length = (to - from) * size
        // Every consumer gets its own bytes: values are widened in place where the types allow it.
        const bytes: Uint8Array =
          into !== undefined && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafeSlow(length)
        for (let at = from; at < to;) {
          const index = Math.floor(at / chunk)
          const end = Math.min(to, (index + 1) * chunk)
          const part = await chunkOf(place, info, index, now.pass)
          bytes.set(part.subarray((at - index * chunk) * size, (end - index * chunk) * size), (at - from) * size)
          at = end
        }
        return bytes
      }
    },
    ended: (consumer) => moved(consumer, Infinity),
  }
}
