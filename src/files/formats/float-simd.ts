/** Loops over bfloat16 and float32 bits in WebAssembly, eight elements at a time: copies into its memory and out again cost next to nothing beside a loop of single elements. */
import { type Code, code, get, i32Constant, instantiate, load, loop, set, simd, store, type WasmMemory, words } from '#platform/wasm'

interface Functions {
  readonly widen: (from: number, end: number) => void
  readonly narrow: (from: number, end: number) => void
  readonly finite: (from: number, end: number) => void
}

/** Elements of a stretch; shorter arrays are not worth the way. */
const stretch = 2 ** 13
const shortest = 64
const [shortBytes, longBytes] = [2 * stretch, 4 * stretch]
const [shortAt, longAt, flagsAt] = [0, shortBytes, shortBytes + longBytes]

// Both parameters count bytes: of the short array where there are two.
const [at, end, x, flags] = [0, 1, 2, 2]
const all = (word: number): Code => words(word, word, word, word)
const shuffle = (...order: readonly number[]): Code => code(simd(0x0d), order)
const [and, or, not, select] = [simd(0x4e), simd(0x50), simd(0x4d), simd(0x52)]
const [addWords, subtractWords, shiftRight, equalWords, greaterWords] = [simd(0xae), simd(0xb1), simd(0xad), simd(0x37), simd(0x3b)]
const twice: Code = [0x41, 1, 0x74]
const zero = all(0)
/** To nearest even, in the upper halves; a NaN keeps the upper bits of its payload, or gets one. */
const rounded = (offset: number): Code =>
  code(
    code(get(at), twice, load(longAt + offset), set(x)),
    code(get(x), get(x), all(0x7f0000), and, zero, equalWords, all(0x400000), and, or),
    code(get(x), all(0x7fff), addWords, get(x), i32Constant(16), shiftRight, all(1), and, addWords),
    code(get(x), all(0x7fffffff), and, all(0x7f800000), greaterWords, select),
  )

const functions = [
  {
    name: 'widen',
    parameters: ['i32', 'i32'],
    locals: ['v128'],
    body: loop(
      at,
      16,
      end,
      code(
        code(get(at), load(shortAt), set(x)),
        code(get(at), twice, zero, get(x), shuffle(0, 0, 16, 17, 0, 0, 18, 19, 0, 0, 20, 21, 0, 0, 22, 23), store(longAt)),
        code(get(at), twice, zero, get(x), shuffle(0, 0, 24, 25, 0, 0, 26, 27, 0, 0, 28, 29, 0, 0, 30, 31), store(longAt + 16)),
      ),
    ),
  },
  {
    name: 'narrow',
    parameters: ['i32', 'i32'],
    locals: ['v128'],
    body: loop(at, 16, end, code(get(at), rounded(0), rounded(16), shuffle(2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31), store(shortAt))),
  },
  {
    name: 'finite',
    parameters: ['i32', 'i32'],
    locals: ['v128'],
    body: code(
      // the sign bit of a flag is set by infinities and NaN
      loop(at, 16, end, code(get(flags), get(at), load(longAt), all(0x7fffffff), and, all(0x7f800000), subtractWords, not, or, set(flags))),
      code(i32Constant(0), get(flags), store(flagsAt)),
    ),
  },
] as const

let made: { readonly run: Functions; readonly short: Uint16Array; readonly long: Int32Array; readonly flags: Int32Array } | undefined

function machine(): NonNullable<typeof made> {
  if (made !== undefined) return made
  const run = instantiate(functions, 2) as WasmMemory & Functions
  const { buffer } = run.memory
  made = { run, short: new Uint16Array(buffer, shortAt, stretch), long: new Int32Array(buffer, longAt, stretch), flags: new Int32Array(buffer, flagsAt, 4) }
  return made
}

/** Bits of bfloat16 to bits of float32. */
export function widenBf16(source: Uint16Array, bits: Int32Array): void {
  if (source.length < shortest) {
    for (let i = 0; i < source.length; i++) bits[i] = source[i]! << 16
    return
  }
  const { run, short, long } = machine()
  for (let from = 0; from < source.length; from += stretch) {
    const size = Math.min(stretch, source.length - from)
    short.set(source.subarray(from, from + size))
    run.widen(0, padded(size, 8) * 2)
    bits.set(size === stretch ? long : long.subarray(0, size), from)
  }
}

/** Bits of float32 to bits of bfloat16, to nearest even; a NaN keeps the upper bits of its payload, or gets one. */
export function narrowBf16(bits: Int32Array, out: Uint16Array): void {
  if (bits.length < shortest) {
    for (let i = 0; i < bits.length; i++) out[i] = narrowWord(bits[i]!)
    return
  }
  const { run, short, long } = machine()
  for (let from = 0; from < bits.length; from += stretch) {
    const size = Math.min(stretch, bits.length - from)
    long.set(bits.subarray(from, from + size))
    run.narrow(0, padded(size, 8) * 2)
    out.set(size === stretch ? short : short.subarray(0, size), from)
  }
}

function narrowWord(word: number): number {
  if ((word & 0x7fffffff) > 0x7f800000) return (word >>> 16) | ((word & 0x7f0000) === 0 ? 0x40 : 0)
  return ((word + 0x7fff + ((word >>> 16) & 1)) | 0) >>> 16
}

/** Whether no value is infinite or NaN. */
export function allFinite(values: Float32Array): boolean {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length)
  const { run, long, flags: found } = machine()
  for (let from = 0; from < bits.length; from += stretch) {
    const size = Math.min(stretch, bits.length - from)
    long.set(bits.subarray(from, from + size))
    long.fill(0, size, padded(size, 4))
    run.finite(0, padded(size, 4) * 4)
    if (found.some((flag) => flag < 0)) return false
  }
  return true
}

function padded(size: number, of: number): number {
  return Math.ceil(size / of) * of
}
