/** Which numbers reach a floor, in WebAssembly: sixteen at once, since nearly all of them do not. */
import { code, f32x4, func, i32, i32x4, kernel, local, loop, v128, when } from '#platform/wasm'

/** Numbers that are looked at together. */
const group = 16
const lanes = 4

/** Numbers at most of one call: 16 KiB stay in the cache. */
export const mostAtLeast = 2 ** 12

const workspace = kernel(
  { values: ['f32', mostAtLeast], places: ['u32', mostAtLeast + 1], floors: ['f32', 1], counts: ['u32', 1] },
  ({ values, places, floors, counts }) => ({
    /** The places of those of the first N bytes, whole groups, that are ≥ the floor; how many they are. */
    find: func(['i32'], (declare, [bytes]) => {
      const [at, end, bits] = [declare('i32'), declare('i32'), declare('i32')]
      const floor = declare()
      const masks = Array.from({ length: group / lanes }, () => declare())
      // behind the last place stands the next one, whether it counts or not
      const take = (place: number): ReturnType<typeof code> =>
        code(
          i32.store(end, i32.add(i32.shr_u(at, i32.const(2)), i32.const(place)), places),
          local.set(
            end,
            i32.add(end, i32.shl(i32.and(i32.shr_u(bits, i32.const(place % lanes)), i32.const(1)), i32.const(2))),
          ),
        )
      return code(
        local.set(floor, v128.load32_splat(i32.const(floors))),
        loop(
          at,
          4 * group,
          bytes,
          ...masks.map((mask, k) => local.set(mask, f32x4.ge(v128.load(at, values + 16 * k), floor))),
          when(
            v128.any_true(masks.reduce<ReturnType<typeof code>>((all, mask) => v128.or(all, mask), i32x4.all(0))),
            ...masks.map((mask, k) =>
              code(
                local.set(bits, i32x4.bitmask(mask)),
                ...Array.from({ length: lanes }, (_, lane) => take(lanes * k + lane)),
              ),
            ),
          ),
        ),
        i32.store(i32.const(counts), i32.shr_u(end, i32.const(2))),
      )
    }),
  }),
)

/**
 * Places of the numbers that are at least `floor`, ascending; NaN is not. The next call overwrites them.
 * @param numbers `mostAtLeast` at most
 */
export function placesAtLeast(numbers: Float32Array, floor: number): Uint32Array {
  const { values, places, floors, counts, find } = workspace()
  const whole = Math.ceil(numbers.length / group) * group
  values.set(numbers)
  values.fill(NaN, numbers.length, whole)
  if (whole === 0) return places.subarray(0, 0)
  floors[0] = floor
  find(4 * whole)
  return places.subarray(0, counts[0])
}
