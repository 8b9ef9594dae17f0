/** Ranges of any input's tensors. */
import { open, type FileHandle } from 'node:fs/promises'
import { dtypeBytes, fault, type TensorSource, type ModelHeaders } from '#core'
import { readAt } from '#platform/disk'
import type { Operand } from '../plan/plan.ts'
import type { ReadOperand } from './read-operand.ts'

/** Reads ranges of inputs' tensors: straight from their files where they lie in one, else from the whole tensor, of which the last one asked for is kept. */
export function inputReader(inputs: readonly ModelHeaders[]): { read: ReadOperand; close(): Promise<void> } {
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
      const source = inputs[operand.input]?.tensors
      if (source === undefined) throw fault('internal', { place: operand.info.name, what: 'no such input' })
      const size = dtypeBytes(operand.info.dtype)
      const place = source.locate(operand.info.name)
      if (place === undefined) return (await wholeTensor(operand, source)).subarray(from * size, to * size)
      const opened = files.get(place.path) ?? open(place.path, 'r')
      files.set(place.path, opened)
      return readAt(await opened, place.offset + from * size, (to - from) * size, `${source.name} › ${operand.info.name}`, into)
    },
    async close() {
      await Promise.all([...files.values()].map(async (file) => (await file).close()))
      files.clear()
      held.clear()
    },
  }
}
