/** How a merge's tensors are dealt out: which go to the threads, which go together, how large their blocks are. */
import { dtypeBytes, elementCount, type TensorSource } from '#core'
import type { PlacedTensor } from '../plan/layout.ts'
import { threadBudget } from '#platform/threads'
import { mergeMethodNamed } from '#model/merge-methods'
import type { OperandPlace } from './file-reader.ts'
import { type MergePlan, operandsOf, type PlannedTensor } from '../plan/plan.ts'
import { usualBlock } from './run-tensor.ts'
import { sharedWindow } from './shared-reader.ts'
import type { TensorJob } from './worker.ts'

export const defaultMemory = 2 ** 30
/** Node, the compiled program and the files' headers. */
const fixedMemory = 128 * 2 ** 20

export interface Memory {
  readonly threads: number
  readonly memoryBytes: number
}

/** The tensors of one plan that are still to be merged. */
export interface OpenTensors {
  readonly plan: MergePlan
  /** The plan's models, then its further sources. */
  readonly sources: readonly TensorSource[]
  readonly open: readonly PlannedTensor[]
  readonly placed: ReadonlyMap<string, PlacedTensor>
}

type OpenJob = Omit<TensorJob, 'blockElements' | 'holdBytes'>

/** Jobs for the threads: open tensors whose operands lie in files; those that share an operand go together. */
export function tensorJobs(parts: readonly OpenTensors[], memory: Memory): { kind: 'tensors'; tensors: TensorJob[] }[] {
  const groups: OpenJob[][] = []
  const byPlace = new Map<string, OpenJob[]>()
  for (const [merge, { plan, sources, open: tensors, placed }] of parts.entries()) {
    if (isWhole(plan)) continue
    for (const tensor of tensors) {
      const places = placesOf(tensor, sources)
      const target = placed.get(tensor.name)
      if (places === undefined || target === undefined) continue
      const keys = places.map(({ path, offset }) => `${path}\0${offset}`)
      const known =
        parts.length === 1 ? undefined : keys.map((key) => byPlace.get(key)).find((group) => group !== undefined)
      const group = known ?? []
      if (known === undefined) groups.push(group)
      group.push({ merge, tensor, places, target })
      for (const key of keys) if (!byPlace.has(key)) byPlace.set(key, group)
    }
  }
  return groups.map((group) => {
    const share = memoryFor(
      group.map(({ tensor }) => tensor),
      memory,
    )
    return { kind: 'tensors', tensors: group.map((job) => ({ ...job, ...share })) }
  })
}

function isWhole({ method }: Pick<MergePlan, 'method'>): boolean {
  const { streaming } = mergeMethodNamed(method)
  return streaming === 'whole'
}

/** Where the operands lie, the base first; undefined when one lies in no file. */
function placesOf(tensor: PlannedTensor, sources: readonly TensorSource[]): OperandPlace[] | undefined {
  const places = operandsOf(tensor).map(({ input, info }) => {
    const place = sources[input]?.locate(info.name)
    return place === undefined ? undefined : { input, tensor: info.name, path: place.path, offset: place.offset }
  })
  return places.every((place) => place !== undefined) ? places : undefined
}

/**
 * How a thread's share of the memory is used: elements of a block, and bytes for operands that are gone through more
 * than once.
 */
export function memoryFor(
  together: readonly PlannedTensor[],
  { threads, memoryBytes }: Memory,
): { blockElements: number; holdBytes: number } {
  const counts = together.map((tensor) => operandsOf(tensor).length)
  const operands = counts.reduce((sum, count) => sum + count, 0)
  // A block takes stored bytes and widened values of every operand, twice, as the next one is read while one is
  // computed; the output twice; what tensors merged together share.
  const own = 2 * operands * 8 + 16 * together.length
  const bytesPerElement = own + (together.length > 1 ? (sharedWindow + 2) * operands * 4 : 0)
  const share = Math.max(2 ** 24, memoryBytes - fixedMemory) / Math.max(1, threads)
  const blockElements = Math.max(2 ** 12, Math.min(usualBlock, Math.floor(share / bytesPerElement)))
  return { blockElements, holdBytes: together.length > 1 ? 0 : Math.max(0, share - blockElements * bytesPerElement) }
}

/** Bytes of memory that a plan may take, for the person who asks before. */
export function planMemory(
  { tensors, method }: MergePlan,
  { threads = threadBudget(), memoryBytes = defaultMemory }: { [Name in keyof Memory]?: Memory[Name] | undefined } = {},
): number {
  const whole = isWhole({ method })
  const bytesOf = (tensor: PlannedTensor): number =>
    elementCount(tensor.shape) * (operandsOf(tensor).length + 2) * dtypeBytes('F64')
  const largest = tensors.reduce((most, tensor) => Math.max(most, bytesOf(tensor)), 0)
  return whole ? largest + fixedMemory : Math.min(memoryBytes, largest * threads + fixedMemory)
}
