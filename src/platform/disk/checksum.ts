/**
 * A checksum that tells whether bytes are still those that were written, several times as fast as a cryptographic hash: in each of four 32-bit lanes the sum of the words, and
 * the sum of these sums (Fletcher 1982), so that moved and missing stretches show as well as changed ones. Against accidents, not against intent.
 */
import { code, get, instantiate, load, loop, set, simd, store, type WasmMemory } from '#platform/wasm'

export interface Checksum {
  /** In stretches of any length. */
  update(bytes: Uint8Array): void
  /** Hex, of 32 bytes and the length. Ends it. */
  digest(): string
}

const stretch = 2 ** 16
const width = 16
/** Behind the stretch: the two sums. */
const stateAt = stretch
const [at, end, sum, sums] = [0, 1, 2, 3]
const addWords = simd(0xae)

const body = code(
  code([0x41, 0], load(stateAt), set(sum), [0x41, 0], load(stateAt + width), set(sums)),
  loop(at, width, end, code(get(sum), get(at), load(), addWords, set(sum), get(sums), get(sum), addWords, set(sums))),
  code([0x41, 0], get(sum), store(stateAt), [0x41, 0], get(sums), store(stateAt + width)),
)

interface Machine {
  readonly bytes: Uint8Array
  readonly state: Uint8Array
  readonly run: (from: number, end: number) => void
}

let made: Machine | undefined

function machine(): Machine {
  if (made !== undefined) return made
  const { memory, run } = instantiate([{ name: 'run', parameters: ['i32', 'i32'], locals: ['v128', 'v128'], body }], 2) as WasmMemory & Pick<Machine, 'run'>
  made = { bytes: new Uint8Array(memory.buffer, 0, stretch), state: new Uint8Array(memory.buffer, stateAt, 2 * width), run }
  return made
}

export function checksum(): Checksum {
  const { bytes: room, state: shared, run } = machine()
  const own = new Uint8Array(2 * width)
  /** Bytes that fill no vector yet. */
  const pending = new Uint8Array(width)
  let [length, held] = [0, 0]
  return {
    update(bytes) {
      shared.set(own)
      length += bytes.length
      for (let from = 0; from < bytes.length;) {
        room.set(pending.subarray(0, held))
        const taken = Math.min(bytes.length - from, stretch - held)
        room.set(bytes.subarray(from, from + taken), held)
        from += taken
        const filled = held + taken
        held = filled % width
        if (filled >= width) run(0, filled - held)
        pending.set(room.subarray(filled - held, filled))
      }
      own.set(shared)
    },
    digest() {
      const all = length
      if (held > 0) this.update(new Uint8Array(width - held))
      return `${Buffer.from(own).toString('hex')}-${all.toString(16)}`
    },
  }
}
