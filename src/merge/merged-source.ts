/** A merge as a tensor source: tensors are computed when they are asked for, and nothing is written. */
import { open, type FileHandle } from 'node:fs/promises'
import { dtypeBytes, elementCount, fault, fingerprint, type TensorInfo, type TensorSource } from '../core/index.ts'
import type { MergeInput } from './align.ts'
import { readAt } from './placed-reader.ts'
import type { MergePlan, Operand } from './plan.ts'
import { mergeTensor, type ReadRange } from './run-tensor.ts'

/** Changes when the arithmetic does, so that stored vectors of older merges are not mistaken for new ones. */
export const arithmetic = '1'

/**
 * The output of a plan, lazily. Shares the inputs' open files and closes them. Asking again with other parameters costs a plan: no input is read twice for it.
 * `read` throws what computing a tensor throws: `tensor.value`, file faults.
 */
export function mergedSource(plan: MergePlan, inputs: readonly MergeInput[], name: string): TensorSource {
  const planned = new Map(plan.tensors.map((tensor) => [tensor.name, tensor]))
  const names = [...planned.keys()]
  const reader = rangeReader(inputs)
  const infoOf = (tensor: string): TensorInfo | undefined => {
    const found = planned.get(tensor)
    if (found === undefined) return undefined
    return { name: tensor, dtype: found.dtype, shape: found.shape, byteLength: elementCount(found.shape) * dtypeBytes(found.dtype) }
  }
  return {
    name,
    names: () => names,
    info: infoOf,
    async read(tensor) {
      const [found, info] = [planned.get(tensor), infoOf(tensor)]
      if (found === undefined || info === undefined) throw fault('tensor.missing', { place: name, what: `no tensor ${tensor}` })
      const bytes = new Uint8Array(info.byteLength)
      await mergeTensor(plan, found, reader.read, (part, offset) => {
        bytes.set(part, offset)
        return Promise.resolve()
      })
      return bytes
    },
    locate: () => undefined,
    identity: () => mergeIdentity(plan, inputs),
    async close() {
      await reader.close()
      await Promise.all(inputs.map(({ tensors }) => tensors.close()))
    },
  }
}

/** Hash of everything that decides the output's bytes: the inputs' own identities, every tensor's settings, seed and profile. */
export async function mergeIdentity({ method, compat, seed, dtype, tensors }: MergePlan, inputs: readonly MergeInput[]): Promise<string> {
  const identities = await Promise.all(inputs.map(({ tensors: source }) => source.identity()))
  return fingerprint({ arithmetic, method, compat, seed, dtype: dtype ?? null, identities, tensors })
}

/** Reads stretches of inputs' tensors: straight from their files where they lie in one, else from the whole tensor, of which the last one asked for is kept. */
export function rangeReader(inputs: readonly MergeInput[]): { read: ReadRange; close(): Promise<void> } {
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
    async read(operand, from, to) {
      const source = inputs[operand.input]?.tensors
      if (source === undefined) throw fault('internal', { place: operand.info.name, what: 'no such input' })
      const size = dtypeBytes(operand.info.dtype)
      const place = source.locate(operand.info.name)
      if (place === undefined) return (await wholeTensor(operand, source)).subarray(from * size, to * size)
      const opened = files.get(place.path) ?? open(place.path, 'r')
      files.set(place.path, opened)
      return readAt(await opened, place.offset + from * size, (to - from) * size, `${source.name} › ${operand.info.name}`)
    },
    async close() {
      await Promise.all([...files.values()].map(async (file) => (await file).close()))
      files.clear()
      held.clear()
    },
  }
}
