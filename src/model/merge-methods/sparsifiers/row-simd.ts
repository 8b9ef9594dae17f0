/**
 * The loops over one row of magnitudes in WebAssembly: keys, counts by bucket, decisions by bucket, and counts of
 * greater keys.
 */
import { code, type Code, f32x4, func, i32, i32x4, kernel, local, type Local, loop, v128 } from '#platform/wasm'

/** Values taken at once, and keys compared at once: a row is filled up to whole groups. */
export const rowChunk = 2 ** 11
export const rowGroup = 16

/** Entries of lists by bucket beyond half the elements. */
const margin = 32
const fourLanes = [0, 1, 2, 3]

/** Bytes at which the arrays begin. */
type Places = Readonly<
  Record<
    'values' | 'lowest' | 'highest' | 'counts' | 'words' | 'keys' | 'starts' | 'limits' | 'possible' | 'undecided',
    number
  >
>

const [start, zero] = [i32.const(0), i32x4.all(0)]

/** Buckets of four keys at an address, from 0 up, times the size of an entry. */
const bucketsAt = (keys: number, at: Local, shift: Local, before: Local, logSize: number): Code => {
  const bucket = i32x4.sub(i32x4.shr_u(v128.load(at, keys), shift), i32x4.splat(before))
  return i32x4.shl(i32x4.max_s(bucket, zero), i32.const(logSize))
}

// Functions count bytes of float64 values (`take`) or keys, from and to.

/**
 * Values to keys from a byte on; what the smallest key less one (0 counts as above all) and the greatest one
 * are so far.
 */
const take = (places: Places) =>
  func(['i32', 'i32', 'i32'], (declare, [at, end, into]) => {
    const [lowest, highest, own] = [declare(), declare(), declare()]
    const narrow = (offset: number): Code => f32x4.demote_f64x2_zero(v128.load(at, places.values + offset))
    const keys = v128.and(i32x4.shuffle(narrow(0), narrow(16), 0, 1, 4, 5), i32x4.all(0x7fffffff))
    return code(
      local.set(lowest, v128.load(start, places.lowest)),
      local.set(highest, v128.load(start, places.highest)),
      loop(
        at,
        32,
        end,
        v128.store(i32.add(into, i32.shr_u(at, i32.const(1))), local.tee(own, keys), places.keys),
        local.set(lowest, i32x4.min_u(i32x4.add(own, i32x4.all(-1)), lowest)),
        local.set(highest, i32x4.max_s(own, highest)),
      ),
      v128.store(start, lowest, places.lowest),
      v128.store(start, highest, places.highest),
    )
  })

/** Counts keys by bucket, each one entry further on than its own. */
const count = (places: Places) =>
  func(['i32', 'i32', 'i32', 'i32'], (declare, [at, end, shift, before]) => {
    const [entries, entry] = [declare(), declare('i32')]
    const further = places.starts + 4
    const countLane = (lane: number): Code =>
      i32.store(
        local.tee(entry, i32x4.extract_lane(entries, lane)),
        i32.add(i32.load(entry, further), i32.const(1)),
        further,
      )
    return loop(
      at,
      16,
      end,
      local.set(entries, bucketsAt(places.keys, at, shift, before, 2)),
      ...fourLanes.map(countLane),
    )
  })

/**
 * Bits of those words below the upper limit of their key's bucket, and of those of them that are not below the
 * lower one.
 */
const decide = (places: Places) =>
  func(['i32', 'i32', 'i32', 'i32'], (declare, [at, end, shift, before]) => {
    const [bucket, pairs, word] = [declare(), declare(), declare()]
    const [possible, undecided] = [
      [declare(), declare()],
      [declare(), declare()],
    ] as const
    /** Both limits of two buckets, each bucket's loaded as one. */
    const pair = (lane: number): Code => {
      const first = v128.load64_zero(i32x4.extract_lane(bucket, lane), places.limits)
      return v128.load64_lane(i32x4.extract_lane(bucket, lane + 1), first, 1, places.limits)
    }
    const decideFour = (half: 0 | 1): Code =>
      code(
        local.set(bucket, bucketsAt(places.keys + 16 * half, at, shift, before, 3)),
        local.set(pairs, pair(0)),
        local.set(bucket, pair(2)),
        local.set(word, v128.load(at, places.words + 16 * half)),
        local.set(possible[half], i32x4.lt_u(word, i32x4.shuffle(pairs, bucket, 1, 3, 5, 7))),
        local.set(
          undecided[half],
          v128.andnot(possible[half], i32x4.lt_u(word, i32x4.shuffle(pairs, bucket, 0, 2, 4, 6))),
        ),
      )
    const storeByte = (list: number, [lower, upper]: readonly [Local, Local]): Code =>
      i32.store8(
        i32.shr_u(at, i32.const(5)),
        i32.or(i32x4.bitmask(lower), i32.shl(i32x4.bitmask(upper), i32.const(4))),
        list,
      )
    return loop(
      at,
      32,
      end,
      decideFour(0),
      decideFour(1),
      storeByte(places.possible, possible),
      storeByte(places.undecided, undecided),
    )
  })

/** Adds up how many keys are greater than one. */
const greater = (places: Places) =>
  func(['i32', 'i32', 'i32'], (declare, [at, end, key]) => {
    const total = declare()
    const ofFour = (lane: number): Code => i32x4.gt_s(v128.load(at, places.keys + 16 * lane), i32x4.splat(key))
    return code(
      local.set(total, v128.load(start, places.counts)),
      loop(at, 4 * rowGroup, end, ...fourLanes.map((lane) => local.set(total, i32x4.sub(total, ofFour(lane))))),
      v128.store(start, total, places.counts),
    )
  })

// oxlint-disable-next-line explicit-function-return-type -- what a kernel is follows from its layout
function workspaceFor(capacity: number) {
  const buckets = capacity / 2 + margin
  return kernel(
    {
      values: ['f64', rowChunk],
      // four of each, of which the extreme one counts
      lowest: ['u32', 4],
      highest: ['u32', 4],
      // four, to be added up
      counts: ['i32', 4],
      words: ['u32', capacity],
      keys: ['i32', capacity],
      starts: ['i32', buckets],
      // lower and upper limit of each bucket
      limits: ['u32', 2 * buckets],
      possible: ['u32', capacity / 32],
      undecided: ['u32', capacity / 32],
    },
    (places) => {
      return {
        take: take(places),
        count: count(places),
        decide: decide(places),
        greater: greater(places),
      }
    },
  )
}

type RowSimd = ReturnType<ReturnType<typeof workspaceFor>>

let made: { readonly capacity: number; readonly work: RowSimd } | undefined

/** One workspace of a thread for rows up to the widest so far. */
export function rowSimd(width: number): RowSimd {
  if (made !== undefined && made.capacity >= width) return made.work
  const capacity = Math.max(rowChunk, 2 ** Math.ceil(Math.log2(width)))
  made = { capacity, work: workspaceFor(capacity)() }
  return made.work
}
