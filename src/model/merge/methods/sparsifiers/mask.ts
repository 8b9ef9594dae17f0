/** Which elements stay, a bit each: made of random words and played upon changes, in WebAssembly vectors and without a branch. */
import { code, get, instantiate, load, loop, simd, store, type WasmFunction, type WasmMemory } from '#platform/wasm'

interface Functions {
  /** Bits of the words below a limit. */
  readonly below: (from: number, end: number, limit: number) => void
  readonly apply: (from: number, end: number) => void
}

/** Elements of a stretch, and bits of one word of a mask. */
const stretch = 2 ** 11
const wordBits = 32
const [valuesAt, wordsAt, bitsAt, factorsAt] = [0, 8 * stretch, 12 * stretch, 12 * stretch + stretch / 8]

const [at, end, third] = [0, 1, 2]
const splatWord = simd(0x11)
const [belowUnsigned, multiply] = [simd(0x3a), simd(0xf2)]
const [narrowTo16, narrowTo8, bitmask] = [simd(0x85), simd(0x65), simd(0x64)]
const shiftedRight = (by: number) => [0x41, by, 0x76]
const fourBelow = (offset: number) => code(get(at), load(wordsAt + offset), get(third), splatWord, belowUnsigned)

/** Four values by the factors of half a byte of bits, which local 2 says where to find. */
const fourTimes = (offset: number) =>
  code(
    code(get(at), get(at), load(valuesAt + offset), get(third), load(factorsAt), multiply, store(valuesAt + offset)),
    code(get(at), get(at), load(valuesAt + offset + 16), get(third), load(factorsAt + 16), multiply, store(valuesAt + offset + 16)),
  )
/** So far beyond the address on the stack; LEB128 of three bytes. */
const memoryAt = (offset: number) => [0, (offset & 127) | 128, ((offset >>> 7) & 127) | 128, offset >>> 14]
const byteOfBits = code(get(at), shiftedRight(6), [0x2d], memoryAt(bitsAt))

const functions: readonly WasmFunction[] = [
  {
    name: 'below',
    parameters: ['i32', 'i32', 'i32'],
    locals: [],
    // sixteen words to as many bytes, of which the sign bits are taken
    body: loop(
      at,
      64,
      end,
      code(
        code(get(at), shiftedRight(5), fourBelow(0), fourBelow(16), narrowTo16, fourBelow(32), fourBelow(48), narrowTo16, narrowTo8),
        code(bitmask, [0x3b], memoryAt(bitsAt)),
      ),
    ),
  },
  {
    name: 'apply',
    parameters: ['i32', 'i32'],
    locals: ['i32'],
    // the factors of four bits take 32 bytes
    body: loop(
      at,
      64,
      end,
      code(
        code(byteOfBits, [0x41, 15, 0x71, 0x41, 5, 0x74, 0x21, third], fourTimes(0)),
        code(byteOfBits, [0x41, 4, 0x76, 0x41, 5, 0x74, 0x21, third], fourTimes(32)),
      ),
    ),
  },
]

interface Machine {
  readonly run: Functions
  readonly values: Float64Array
  readonly words: Uint32Array
  readonly bits: Uint32Array
  readonly factors: Float64Array
}

let made: Machine | undefined

function machine(): Machine {
  if (made !== undefined) return made
  const run = instantiate(functions, 1) as WasmMemory & Functions
  const { buffer } = run.memory
  made = {
    run,
    values: new Float64Array(buffer, valuesAt, stretch),
    words: new Uint32Array(buffer, wordsAt, stretch),
    bits: new Uint32Array(buffer, bitsAt, stretch / wordBits),
    factors: new Float64Array(buffer, factorsAt, 4 * 16),
  }
  return made
}

/** Words of a mask for so many elements. */
export const maskWords = (length: number): number => Math.ceil(length / wordBits)

/** Bit i is 1 where word i is below `limit` < 2³². Bits beyond the length mean nothing. */
export function maskBelow(drawn: Uint32Array, length: number, limit: number, bits: Uint32Array): void {
  const { run, words, bits: made } = machine()
  for (let done = 0; done < length; done += stretch) {
    const size = Math.min(stretch, length - done)
    words.set(drawn.subarray(done, done + size))
    run.below(0, 4 * size, limit)
    bits.set(made.subarray(0, maskWords(size)), done / wordBits)
  }
}

/** Multiplies kept elements by `factor` and the others by 0 · `factor`. */
export function applyMask(delta: Float64Array, length: number, bits: Uint32Array, factor: number): void {
  const { run, values, bits: played, factors } = machine()
  for (let i = 0; i < factors.length; i++) factors[i] = ((i >>> (2 + (i & 3))) & 1) * factor
  for (let done = 0; done < length; done += stretch) {
    const size = Math.min(stretch, length - done)
    values.set(delta.subarray(done, done + size))
    played.set(bits.subarray(done / wordBits, done / wordBits + maskWords(size)))
    run.apply(0, 8 * size)
    delta.set(size === stretch ? values : values.subarray(0, size), done)
  }
}
