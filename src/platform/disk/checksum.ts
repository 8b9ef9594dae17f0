/**
 * A checksum that shows whether bytes are still those that were written, several times as fast as a cryptographic hash:
 * in each of four 32-bit lanes the sum of the words, and the sum of these sums (Fletcher 1982), so that moved and
 * missing parts show as well as changed ones. Against accidents, not against intent.
 */
import { code, func, i32, i32x4, kernel, local, loop, v128 } from '#platform/wasm'

export interface Checksum {
  /** In parts of any length. */
  update(bytes: Uint8Array): void
  /** Hex, of 32 bytes and the length. Ends it. */
  digest(): string
}

const blockBytes = 2 ** 16
const width = 16

const workspace = kernel({ bytes: ['u8', blockBytes], state: ['u8', 2 * width] }, ({ bytes, state }) => ({
  run: func(['i32', 'i32'], (declare, [at, end]) => {
    const [sum, sums, start] = [declare(), declare(), i32.const(0)]
    return code(
      local.set(sum, v128.load(start, state)),
      local.set(sums, v128.load(start, state + width)),
      loop(at, width, end, local.set(sum, i32x4.add(sum, v128.load(at, bytes))), local.set(sums, i32x4.add(sums, sum))),
      v128.store(start, sum, state),
      v128.store(start, sums, state + width),
    )
  }),
}))

export function checksum(): Checksum {
  const { bytes: room, state, run } = workspace()
  const own = new Uint8Array(2 * width)
  /** Bytes that fill no vector yet. */
  const pending = new Uint8Array(width)
  let [length, held] = [0, 0]
  return {
    update(bytes) {
      state.set(own)
      length += bytes.length
      for (let from = 0; from < bytes.length;) {
        room.set(pending.subarray(0, held))
        const taken = Math.min(bytes.length - from, blockBytes - held)
        room.set(bytes.subarray(from, from + taken), held)
        from += taken
        const filled = held + taken
        held = filled % width
        if (filled >= width) run(0, filled - held)
        pending.set(room.subarray(filled - held, filled))
      }
      own.set(state)
    },
    digest() {
      const all = length
      if (held > 0) this.update(new Uint8Array(width - held))
      return `${Buffer.from(own).toString('hex')}-${all.toString(16)}`
    },
  }
}
