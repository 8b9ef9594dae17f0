/** Stretches of tensors from the files they lie in. */
import type { FileHandle } from 'node:fs/promises'
import { dtypeBytes, fault } from '../core/index.ts'
import type { PlannedTensor } from './plan.ts'
import type { ReadRange } from './read-range.ts'

export interface OperandPlace {
  readonly input: number
  readonly tensor: string
  readonly path: string
  readonly offset: number
}

/** Reads the operands of one tensor. */
export function placedReader({ name }: Pick<PlannedTensor, 'name'>, places: readonly OperandPlace[], opened: (path: string) => Promise<FileHandle>): ReadRange {
  return async ({ input, info }, from, to, into) => {
    const place = places.find((one) => one.input === input && one.tensor === info.name)
    if (place === undefined) throw fault('internal', { place: name, what: 'an operand without a place', seen: info.name })
    const size = dtypeBytes(info.dtype)
    return readAt(await opened(place.path), place.offset + from * size, (to - from) * size, `${place.path} › ${info.name}`, into)
  }
}

/** Exactly `length` bytes, in the beginning of `into` where that holds them: memory that is used again costs no page faults. Throws `file.unreadable` when the file ends before. */
export async function readAt(file: FileHandle, position: number, length: number, place: string, into?: Uint8Array): Promise<Uint8Array> {
  // Not cleared: every byte is read, or a fault thrown. Aligned, as it is no part of node's pool.
  const bytes: Uint8Array = into !== undefined && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafeSlow(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, Math.min(length - done, 2 ** 30), position + done)
    if (bytesRead === 0) throw fault('file.unreadable', { place, what: 'the file ends before the tensor does', seen: position + done })
    done += bytesRead
  }
  return bytes
}
