/**
 * Keys below 2³¹ within a window, picked four at a time in WebAssembly, and how many lie above it: where the window is
 * narrow that is two comparisons for most.
 */
import { code, type Code, func, i32, i32x4, kernel, local, loop, v128, when } from '#platform/wasm'

/** Keys of a chunk. */
const chunkLength = 2 ** 11

const workspace = kernel(
  { keys: ['u32', chunkLength], above: ['i32', 4], count: ['u32', 1], picked: ['u32', chunkLength + 1] },
  ({ keys, above, count, picked }) => ({
    /**
     * Writes the keys greater than `under` and not greater than `top` one after the other, and the bytes that they
     * take; adds up how many are greater than `top`.
     */
    pick: func(['i32', 'i32', 'i32', 'i32'], (declare, [at, end, under, top]) => {
      const [address, own, over, inside, sum] = [declare('i32'), declare(), declare(), declare(), declare()]
      /** Every lane is written; only a wanted one advances the address. */
      const pickLane = (lane: number): Code =>
        code(
          i32.store(address, i32.load(at, keys + 4 * lane), picked),
          local.set(address, i32.sub(address, i32.shl(i32x4.extract_lane(inside, lane), i32.const(2)))),
        )
      return code(
        loop(
          at,
          16,
          end,
          local.set(own, v128.load(at, keys)),
          local.set(sum, i32x4.sub(sum, local.tee(over, i32x4.gt_s(own, i32x4.splat(top))))),
          local.set(inside, v128.andnot(i32x4.gt_s(own, i32x4.splat(under)), over)),
          when(v128.any_true(inside), ...[0, 1, 2, 3].map(pickLane)),
        ),
        i32.store(i32.const(0), address, count),
        v128.store(i32.const(0), sum, above),
      )
    }),
  }),
)

/** Keys from `first` on, one counter each. */
export interface KeyWindow {
  readonly first: number
  readonly counts: Uint32Array
  /** Keys above the last of them. */
  above: number
}

export function countWindows(keys: Uint32Array, length: number, windows: readonly KeyWindow[]): void {
  const { pick, keys: own, above, count, picked } = workspace()
  for (let done = 0; done < length; done += chunkLength) {
    const size = Math.min(chunkLength, length - done)
    own.set(keys.subarray(done, done + size))
    const filled = Math.ceil(size / 4) * 4
    // What fills up the last four may be counted as the smallest key there is: behind every border.
    own.fill(0, size, filled)
    for (const window of windows) {
      const { first, counts } = window
      pick(0, 4 * filled, first - 1, first + counts.length - 1)
      window.above += above[0]! + above[1]! + above[2]! + above[3]!
      for (let i = 0, found = count[0]! / 4; i < found; i++) counts[picked[i]! - first]!++
    }
  }
}
