/**
 * The lower halves of those keys that have a given upper half, four keys at a time in WebAssembly: where none has it,
 * as in most places, that is one comparison.
 */
import { code, type Code, func, i32, i32x4, kernel, local, loop, v128, when } from '#platform/wasm'

/** Keys of a chunk. */
const chunkLength = 2 ** 11

const workspace = kernel(
  { keys: ['u32', chunkLength], count: ['u32', 1], picked: ['u32', chunkLength + 1] },
  ({ keys, count, picked }) => ({
    /** Writes keys with the upper half one after the other, and the bytes that they take. */
    pick: func(['i32', 'i32', 'i32'], (declare, [at, end, half]) => {
      const [address, found] = [declare('i32'), declare()]
      /** Every lane is written; only a wanted one advances the address. */
      const pickLane = (lane: number): Code =>
        code(
          i32.store(address, i32.load16_u(at, keys + 4 * lane), picked),
          local.set(address, i32.sub(address, i32.shl(i32x4.extract_lane(found, lane), i32.const(2)))),
        )
      const equal = i32x4.eq(i32x4.shr_u(v128.load(at, keys), i32.const(16)), i32x4.splat(half))
      return code(
        loop(at, 16, end, when(v128.any_true(local.tee(found, equal)), ...[0, 1, 2, 3].map(pickLane))),
        i32.store(i32.const(0), address, count),
      )
    }),
  }),
)

/** Counts the lower halves of the keys that have each of some upper halves. */
export function countHalves(
  keys: Uint32Array,
  length: number,
  searches: readonly { readonly half: number; readonly counts: Float64Array }[],
): void {
  if (searches.length === 0) return
  const { pick, keys: own, count, picked } = workspace()
  for (let done = 0; done < length; done += chunkLength) {
    const size = Math.min(chunkLength, length - done)
    own.set(keys.subarray(done, done + size))
    const filled = Math.ceil(size / 4) * 4
    // What fills up the last four may be counted as the smallest key there is: behind every border.
    own.fill(0, size, filled)
    for (const { half, counts } of searches) {
      pick(0, 4 * filled, half)
      for (let i = 0, found = count[0]! / 4; i < found; i++) counts[picked[i]!]!++
    }
  }
}
