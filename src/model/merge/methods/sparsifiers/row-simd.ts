/** The loops over one row of magnitudes in WebAssembly: keys, counts by bucket, decisions by bucket, and counts of greater keys. */
import {
  code,
  get,
  i32Add,
  i32HalfOf,
  instantiate,
  lanes,
  load,
  loadHalf,
  loop,
  set,
  simd,
  store,
  type WasmFunction,
  type WasmMemory,
  words,
} from '#platform/wasm'

interface Functions {
  /** Values to keys from a byte on; what the smallest key less one (0 counts as above all) and the greatest one are so far. */
  readonly take: (from: number, end: number, into: number) => void
  /** Counts keys by bucket, each one entry further on than its own. */
  readonly count: (from: number, end: number, shift: number, before: number) => void
  /** Bits of those words below the upper limit of their key's bucket, and of those of them that are not below the lower one. */
  readonly decide: (from: number, end: number, shift: number, before: number) => void
  /** Adds up how many keys are greater than one. */
  readonly greater: (from: number, end: number, key: number) => void
}

/** Values taken at once, and keys compared at once: a row is filled up to whole groups. */
export const rowStretch = 2 ** 11
export const rowGroup = 16

export interface RowSimd extends Functions {
  readonly values: Float64Array
  /** Four of each, of which the extreme one counts. */
  readonly lowest: Uint32Array
  readonly highest: Uint32Array
  /** Four, to be added up. */
  readonly counts: Int32Array
  readonly words: Uint32Array
  readonly keys: Int32Array
  readonly starts: Int32Array
  /** Lower and upper limit of each bucket. */
  readonly limits: Uint32Array
  readonly possible: Uint32Array
  readonly undecided: Uint32Array
}

/** Entries of lists by bucket beyond half the elements. */
const margin = 32

function layout(capacity: number) {
  const sizes = { values: 8 * rowStretch, lowest: 16, highest: 16, counts: 16, words: 4 * capacity, keys: 4 * capacity }
  const byBucket = { starts: 4 * (capacity / 2 + margin), limits: 8 * (capacity / 2 + margin), possible: capacity / 8, undecided: capacity / 8 }
  let end = 0
  const place = (size: number): number => (end += size) - size
  const places = Object.fromEntries(Object.entries({ ...sizes, ...byBucket }).map(([name, size]) => [name, place(size)]))
  return { ...(places as Record<keyof typeof sizes | keyof typeof byBucket, number>), end }
}

const [at, end, third, fourth] = [0, 1, 2, 3]
const splat = simd(0x11)
const [and, andNot, demote] = [simd(0x4e), simd(0x4f), simd(0x5e)]
const [greater, belowUnsigned, add, subtract] = [simd(0x3b), simd(0x3a), simd(0xae), simd(0xb1)]
const [smallestUnsigned, greatest] = [simd(0xb7), simd(0xb8)]
const [shiftLeft, shiftRight, bitmask] = [simd(0xab), simd(0xad), simd(0xa4)]
const laneOf = (lane: number) => [...simd(0x1b), lane]
const four = (value: number) => words(value, value, value, value)
const number = (value: number) => [0x41, value]
/** So far beyond the address on the stack; LEB128 of five bytes. */
const beyond = (offset: number) => [0, ...[0, 7, 14, 21].map((shift) => ((offset >>> shift) & 127) | 128), offset >>> 28]

/** Buckets of four keys, from 0 up, times the size of an entry. */
const buckets = (keysAt: number, logSize: number) =>
  code(get(at), load(keysAt), get(third), shiftRight, get(fourth), splat, subtract, four(0), greatest, number(logSize), shiftLeft)

function functions(places: ReturnType<typeof layout>): readonly WasmFunction[] {
  const zero = number(0)
  const [lowest, highest, own] = [3, 4, 5]
  const [entries, entry] = [4, 5]
  const total = 3
  /** Of four words: which are possible, and which of these are undecided. A bucket's two limits are loaded as one. */
  const decideFour = (offset: number, possible: number, undecided: number) => {
    const [bucket, pairs, word] = [4, 5, 6]
    const pair = (lane: number) =>
      code(get(bucket), laneOf(lane + 1), get(bucket), laneOf(lane), loadHalf(places.limits), simd(0x57), beyond(places.limits), [1])
    return code(
      code(buckets(places.keys + offset, 3), set(bucket), pair(0), set(pairs), pair(2), set(bucket), get(at), load(places.words + offset), set(word)),
      code(get(word), get(pairs), get(bucket), lanes(1, 3, 5, 7), belowUnsigned, set(possible)),
      code(get(possible), get(word), get(pairs), get(bucket), lanes(0, 2, 4, 6), belowUnsigned, andNot, set(undecided)),
    )
  }
  const [possible, undecided] = [
    [7, 8],
    [9, 10],
  ] as const
  const storeByte = (list: number, [first, second]: readonly [number, number]) =>
    code(get(at), number(5), [0x76], get(first), bitmask, get(second), bitmask, number(4), [0x74, 0x72, 0x3a], beyond(list))
  return [
    {
      name: 'take',
      parameters: ['i32', 'i32', 'i32'],
      locals: ['v128', 'v128', 'v128'],
      body: code(
        code(zero, load(places.lowest), set(lowest), zero, load(places.highest), set(highest)),
        loop(
          at,
          32,
          end,
          code(
            code(get(third), get(at), i32HalfOf, i32Add, get(at), load(places.values), demote, get(at), load(places.values + 16), demote),
            code(lanes(0, 1, 4, 5), four(0x7fffffff), and, [0x22, own], store(places.keys)),
            code(get(own), four(-1), add, get(lowest), smallestUnsigned, set(lowest), get(own), get(highest), greatest, set(highest)),
          ),
        ),
        code(zero, get(lowest), store(places.lowest), zero, get(highest), store(places.highest)),
      ),
    },
    {
      name: 'count',
      parameters: ['i32', 'i32', 'i32', 'i32'],
      locals: ['v128', 'i32'],
      body: loop(
        at,
        16,
        end,
        code(
          code(buckets(places.keys, 2), set(entries)),
          ...[0, 1, 2, 3].map((lane) =>
            code(
              get(entries),
              laneOf(lane),
              [0x22, entry],
              get(entry),
              [0x28],
              beyond(places.starts + 4),
              number(1),
              i32Add,
              [0x36],
              beyond(places.starts + 4),
            ),
          ),
        ),
      ),
    },
    {
      name: 'decide',
      parameters: ['i32', 'i32', 'i32', 'i32'],
      locals: Array.from({ length: 7 }, () => 'v128' as const),
      body: loop(
        at,
        32,
        end,
        code(
          code(decideFour(0, possible[0], undecided[0]), decideFour(16, possible[1], undecided[1])),
          code(storeByte(places.possible, possible), storeByte(places.undecided, undecided)),
        ),
      ),
    },
    {
      name: 'greater',
      parameters: ['i32', 'i32', 'i32'],
      locals: ['v128'],
      body: code(
        code(zero, load(places.counts), set(total)),
        loop(
          at,
          4 * rowGroup,
          end,
          code(...[0, 16, 32, 48].map((offset) => code(get(total), get(at), load(places.keys + offset), get(third), splat, greater, subtract, set(total)))),
        ),
        code(zero, get(total), store(places.counts)),
      ),
    },
  ]
}

let made: { readonly capacity: number; readonly simd: RowSimd } | undefined

/** One workspace of a thread for rows up to the widest so far. */
export function rowSimd(width: number): RowSimd {
  if (made !== undefined && made.capacity >= width) return made.simd
  const capacity = Math.max(rowStretch, 2 ** Math.ceil(Math.log2(width)))
  const places = layout(capacity)
  const run = instantiate(functions(places), Math.ceil(places.end / 65536)) as WasmMemory & Functions
  const { buffer } = run.memory
  const byBucket = capacity / 2 + margin
  made = {
    capacity,
    simd: {
      take: run.take,
      count: run.count,
      decide: run.decide,
      greater: run.greater,
      values: new Float64Array(buffer, places.values, rowStretch),
      lowest: new Uint32Array(buffer, places.lowest, 4),
      highest: new Uint32Array(buffer, places.highest, 4),
      counts: new Int32Array(buffer, places.counts, 4),
      words: new Uint32Array(buffer, places.words, capacity),
      keys: new Int32Array(buffer, places.keys, capacity),
      starts: new Int32Array(buffer, places.starts, byBucket),
      limits: new Uint32Array(buffer, places.limits, 2 * byBucket),
      possible: new Uint32Array(buffer, places.possible, capacity / 32),
      undecided: new Uint32Array(buffer, places.undecided, capacity / 32),
    },
  }
  return made.simd
}
