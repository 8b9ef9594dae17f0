/** The lower halves of those keys that have a given upper half, four keys at a time in WebAssembly: where none has it, as in most places, that is one comparison. */
import { code, get, instantiate, load, loop, set, simd, type WasmFunction, type WasmMemory } from '#platform/wasm'

interface Functions {
  /** Writes keys with the upper half one after the other, and how many. */
  readonly pick: (from: number, end: number, half: number) => void
}

/** Keys of a stretch. */
const stretch = 2 ** 11
const [keysAt, countAt, pickedAt] = [0, 4 * stretch, 4 * stretch + 16]

const [at, end, third, address, found] = [0, 1, 2, 3, 4]
const splat = simd(0x11)
const [equal, shiftRight, anyTrue] = [simd(0x37), simd(0xad), simd(0x53)]
/** So far beyond the address on the stack; LEB128 of two bytes. */
const memoryAt = (offset: number) => [0, (offset & 127) | 128, offset >>> 7]
/** Written whether it is wanted or not; only what is wanted moves the address on. */
const pickLane = (lane: number) =>
  code(
    code(get(address), get(at), [0x2f], memoryAt(keysAt + 4 * lane), [0x36], memoryAt(pickedAt)),
    code(get(address), get(found), [...simd(0x1b), lane], [0x41, 2, 0x74, 0x6b], set(address)),
  )

const functions: readonly WasmFunction[] = [
  {
    name: 'pick',
    parameters: ['i32', 'i32', 'i32'],
    locals: ['i32', 'v128'],
    body: code(
      loop(
        at,
        16,
        end,
        code(
          code(get(at), load(keysAt), [0x41, 16], shiftRight, get(third), splat, equal, [0x22, found], anyTrue),
          code([0x04, 0x40], ...[0, 1, 2, 3].map(pickLane), [0x0b]),
        ),
      ),
      code([0x41, 0], get(address), [0x36], memoryAt(countAt)),
    ),
  },
]

interface Machine {
  readonly run: Functions
  readonly keys: Uint32Array
  readonly count: Uint32Array
  readonly picked: Uint32Array
}

let made: Machine | undefined

function machine(): Machine {
  if (made !== undefined) return made
  const run = instantiate(functions, 1) as WasmMemory & Functions
  const { buffer } = run.memory
  made = {
    run,
    keys: new Uint32Array(buffer, keysAt, stretch),
    count: new Uint32Array(buffer, countAt, 1),
    picked: new Uint32Array(buffer, pickedAt, stretch + 1),
  }
  return made
}

/** Counts the lower halves of the keys that have each of some upper halves. */
export function countHalves(keys: Uint32Array, length: number, searches: readonly { readonly half: number; readonly counts: Float64Array }[]): void {
  if (searches.length === 0) return
  const { run, keys: own, count, picked } = machine()
  for (let done = 0; done < length; done += stretch) {
    const size = Math.min(stretch, length - done)
    own.set(keys.subarray(done, done + size))
    const filled = Math.ceil(size / 4) * 4
    // What fills up the last four may be counted as the smallest key there is: behind every border.
    own.fill(0, size, filled)
    for (const { half, counts } of searches) {
      run.pick(0, 4 * filled, half)
      for (let i = 0, found = count[0]! / 4; i < found; i++) counts[picked[i]!]!++
    }
  }
}
