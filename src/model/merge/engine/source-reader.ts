/** Ranges of any source's tensors. */
import { open, type FileHandle } from 'node:fs/promises'
import { dtypeBytes, fault, type TensorSource } from '#core'
import { readAt } from '#platform/disk'
import type { Operand } from '../plan/plan.ts'
import type { ReadOperand } from './read-operand.ts'

/**
 * Reads ranges of the sources' tensors: straight from their files where they lie in one, otherwise from the whole
 * tensor, the last of which is kept.
 */
export function sourceReader(sources: readonly TensorSource[]): { read: ReadOperand; close(): Promise<void> } {
  const files = new Map<string, Promise<FileHandle>>()
  const held = new Map<number, { readonly tensor: string; readonly bytes: Promise<Uint8Array> }>()
  const wholeTensor = ({ input, info }: Operand, source: TensorSource): Promise<Uint8Array> => {
    const known = held.get(input)
    if (known?.tensor === info.name) return known.bytes
    const bytes = source.read(info.name)
    held.set(input, { tensor: info.name, bytes })
    return bytes
  }
  return {
    async read(operand, from, to, into) {
      const source = sources[operand.input]
      if (source === undefined) throw fault('internal', { place: operand.info.name, what: 'no such source' })
      const size = dtypeBytes(operand.info.dtype)
      const place = source.locate(operand.info.name)
      if (place === undefined) return (await wholeTensor(operand, source)).subarray(from * size, to * size)
      const opened = files.get(place.path) ?? open(place.path, 'r')
      files.set(place.path, opened)
      return readAt(
        await opened,
        place.offset + from * size,
        (to - from) * size,
        `${source.name} › ${operand.info.name}`,
        into,
      )
    },
    async close() {
      await Promise.all([...files.values()].map(async (file) => (await file).close()))
      files.clear()
      held.clear()
    },
  }
}
