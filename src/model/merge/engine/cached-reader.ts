/**
 * Operands of a tensor that is gone through more than once, kept as they are stored: every pass after the first is
 * served from memory.
 */
import { dtypeBytes, elementCount } from '#core'
import type { Operand } from '../plan/plan.ts'
import type { ReadOperand } from './read-operand.ts'

export interface CachedReader {
  readonly read: ReadOperand
  /** The memory may be used for another tensor. */
  readonly release: () => void
}

/** Memory of tensors that are finished: fresh pages cost about as much as reading what fills them. */
const free: Uint8Array[] = []

/** The reader itself where the operands take more than `most` bytes. Bytes that it returns must not be written to. */
export function cachedReader(read: ReadOperand, operands: readonly Operand[], most: number): CachedReader {
  // Views of any element must begin where one may.
  const bytesOf = ({ info }: Operand): number => Math.ceil((elementCount(info.shape) * dtypeBytes(info.dtype)) / 8) * 8
  const total = operands.reduce((sum, operand) => sum + bytesOf(operand), 0)
  if (total > most) return { read, release: () => undefined }
  const room = taken(total)
  const held = new Map<string, { readonly bytes: Uint8Array; filled: number }>()
  let used = 0
  for (const operand of operands) {
    held.set(keyOf(operand), { bytes: room.subarray(used, used + bytesOf(operand)), filled: 0 })
    used += bytesOf(operand)
  }
  return {
    async read(operand, from, to, into) {
      const own = held.get(keyOf(operand))
      const size = dtypeBytes(operand.info.dtype)
      if (own === undefined) return read(operand, from, to, into)
      if (to * size <= own.filled) return own.bytes.subarray(from * size, to * size)
      if (from * size !== own.filled) return read(operand, from, to, into)
      const place = own.bytes.subarray(from * size, to * size)
      const bytes = await read(operand, from, to, place)
      if (bytes.buffer !== place.buffer) place.set(bytes)
      own.filled = to * size
      return place
    },
    release: () => void free.push(room),
  }
}

function keyOf({ input, info }: Operand): string {
  return `${input}\0${info.name}`
}

/**
 * The largest free piece if it is large enough; otherwise it is dropped, so that no more is held than the tensors at
 * work need.
 */
function taken(size: number): Uint8Array {
  free.sort((a, b) => a.length - b.length)
  const largest = free.pop()
  return largest !== undefined && largest.length >= size ? largest : Buffer.allocUnsafeSlow(size)
}
