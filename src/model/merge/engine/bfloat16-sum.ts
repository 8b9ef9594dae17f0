/**
 * Weighted sums of bfloat16 tensors from stored bytes to stored bytes: eight elements at a time in WebAssembly, in float64, rounded to float32 and then to bfloat16 – the same
 * steps and the same bits as widening, summing and narrowing one after the other, without the memory traffic between them.
 */
import type { StoredMix } from '../methods/method.ts'
import { type Code, code, get, i32Constant, instantiate, load, loop, set, simd, store, type ValueType, type WasmMemory, words } from '#platform/wasm'

interface Functions {
  readonly values: (from: number, end: number, first: number, second: number) => void
  readonly changes: (from: number, end: number, first: number, second: number) => void
}

/** Elements of a chunk. */
const chunk = 2 ** 13
const bytes = 2 * chunk
const [outAt, flagsAt] = [3 * bytes, 4 * bytes]

const [at, end, first, second] = [0, 1, 2, 3]
/** Operands as they are stored, the coefficients in both lanes, four sums as float32, bits of whatever is not finite. */
const [x, y, z, one, other, sums, flags] = [4, 5, 6, 7, 8, 9, 10]
const zero = words(0, 0, 0, 0)
const all = (word: number): Code => words(word, word, word, word)
const shuffle = (...order: readonly number[]): Code => code(simd(0x0d), order)
const [splat, promote, demote] = [simd(0x14), simd(0x5f), simd(0x5e)]
const [add, subtract, multiply] = [simd(0xf0), simd(0xf1), simd(0xf2)]
const [and, or, not] = [simd(0x4e), simd(0x50), simd(0x4d)]
const [addWords, subtractWords, shiftRight] = [simd(0xae), simd(0xb1), simd(0xad)]

/** Elements 2p and 2p + 1 as float64: a bfloat16 is the upper half of a float32. */
const pair = (operand: number, p: number): Code =>
  code(zero, get(operand), shuffle(0, 0, 16 + 4 * p, 17 + 4 * p, 0, 0, 18 + 4 * p, 19 + 4 * p, 0, 0, 0, 0, 0, 0, 0, 0), promote)
const valuesOf = (p: number): Code => code(pair(x, p), get(one), multiply, pair(y, p), get(other), multiply, add)
const changesOf = (p: number): Code =>
  code(pair(x, p), get(one), pair(y, p), pair(x, p), subtract, multiply, add, get(other), pair(z, p), pair(x, p), subtract, multiply, add)
/** Two pairs as four float32. */
const quad = (of: (p: number) => Code, p: number): Code =>
  code(of(p), demote, of(p + 1), demote, shuffle(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23))
/** To nearest even, in the upper halves; what is infinite or NaN leaves a sign bit in the flags. */
const rounded = (of: (p: number) => Code, p: number): Code =>
  code(
    code(quad(of, p), set(sums), get(flags), get(sums), all(0x7fffffff), and, all(0x7f800000), subtractWords, not, or, set(flags)),
    code(get(sums), all(0x7fff), addWords, get(sums), i32Constant(16), shiftRight, all(1), and, addWords),
  )
const body = (operands: readonly number[], of: (p: number) => Code): Code =>
  code(
    code(get(first), splat, set(one), get(second), splat, set(other), zero, set(flags)),
    loop(
      at,
      16,
      end,
      code(
        ...operands.map((operand, k) => code(get(at), load(k * bytes), set(operand))),
        code(get(at), rounded(of, 0), rounded(of, 2), shuffle(2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31), store(outAt)),
      ),
    ),
    code(i32Constant(0), get(flags), store(flagsAt)),
  )
const parameters: readonly ValueType[] = ['i32', 'i32', 'f64', 'f64']
const locals: readonly ValueType[] = ['v128', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128']

let made: (Functions & { readonly operands: readonly Uint8Array[]; readonly out: Uint8Array; readonly flags: Int32Array }) | undefined

function machine(): NonNullable<typeof made> {
  if (made !== undefined) return made
  const run = instantiate(
    [
      { name: 'values', parameters, locals, body: body([x, y], valuesOf) },
      { name: 'changes', parameters, locals, body: body([x, y, z], changesOf) },
    ],
    2,
  ) as WasmMemory & Functions
  const region = (from: number): Uint8Array => new Uint8Array(run.memory.buffer, from, bytes)
  made = { ...run, operands: [region(0), region(bytes), region(2 * bytes)], out: region(outAt), flags: new Int32Array(run.memory.buffer, flagsAt, 4) }
  return made
}

/** Fills `out`; false where a sum is not a finite float32. Operands and `out` are little-endian bfloat16 of one length. */
export function sumBfloat16({ of, coefficients }: StoredMix, operands: readonly Uint8Array[], out: Uint8Array): boolean {
  const work = machine()
  let finite = true
  for (let from = 0; from < out.length; from += bytes) {
    const size = Math.min(bytes, out.length - from)
    const padded = Math.ceil(size / 16) * 16
    operands.forEach((operand, k) => {
      work.operands[k]!.set(operand.subarray(from, from + size))
      work.operands[k]!.fill(0, size, padded)
    })
    work[of](0, padded, coefficients[0], coefficients[1])
    finite &&= work.flags.every((flag) => flag >= 0)
    out.set(work.out.subarray(0, size), from)
  }
  return finite
}
