/** A tensor's operands in chunks, read ahead, as they are stored or widened. */
import { type Dtype, dtypeBytes, elementCount, fault, type Floats } from '#core'
import { narrow, widen, widen64 } from '#files/formats'
import { type Block, mergeMethodNamed } from '#model/merge-methods'
import { type MergePlan, type Operand, operandsOf, type PlannedTensor } from '../plan/plan.ts'
import type { ReadOperand } from './read-operand.ts'

type BlockPlan = Pick<MergePlan, 'method' | 'dtype'>

/** How a tensor is traversed: blocks of at most `blockElements` elements, cut at multiples of the grain. */
export interface Stride {
  readonly grain: number
  readonly blockElements: number
  readonly signal: AbortSignal | undefined
}

/** The tensor's blocks in order, widened. */
export async function* blocksOf(
  plan: BlockPlan,
  tensor: PlannedTensor,
  read: ReadOperand,
  stride: Stride,
): AsyncGenerator<Block> {
  const count = elementCount(tensor.shape)
  const wide = isWide(tensor)
  const room = twoRooms(Math.min(stepOf(stride), count))
  let turn = 0
  const load = async (offset: number, end: number): Promise<Block> => {
    const into = room(turn++ % 2)
    const values = (operand: Operand): Promise<Floats> =>
      widened(plan, operand, read, [offset, end], { wide, room: into(operand.info.dtype) })
    const { extra } = mergeMethodNamed(plan.method)
    const [base, inputs, extras] = await Promise.all([
      tensor.base === undefined ? undefined : values(tensor.base),
      Promise.all(tensor.operands.map(values)),
      extra?.delivery === 'block'
        ? Promise.all(tensor.extras.map(async (along) => (along === undefined ? undefined : values(along))))
        : undefined,
    ])
    return { offset, length: end - offset, base, inputs, extras }
  }
  for await (const { loaded } of chunks(tensor, stride, load)) yield loaded
}

/** Runs of a sample and elements of each: enough to place a border among a hundred thousand. */
const [sampleRuns, sampleRun] = [64, 2 ** 10]
/** Smaller tensors are gone through in less time than it takes to spare a pass. */
const worthASample = 16 * sampleRuns * sampleRun

/** Runs from all over a large tensor; nothing for others. */
export async function* sampledBlocks(plan: BlockPlan, tensor: PlannedTensor, read: ReadOperand): AsyncGenerator<Block> {
  const count = elementCount(tensor.shape)
  if (count < worthASample) return
  const wide = isWide(tensor)
  const room = twoRooms(sampleRun)
  for (let run = 0; run < sampleRuns; run++) {
    const offset = Math.floor(((count - sampleRun) * run) / (sampleRuns - 1))
    const into = room(0)
    const values = (operand: Operand): Promise<Floats> =>
      widened(plan, operand, read, [offset, offset + sampleRun], { wide, room: into(operand.info.dtype) })
    const [base, inputs] = await Promise.all([
      tensor.base === undefined ? undefined : values(tensor.base),
      Promise.all(tensor.operands.map(values)),
    ])
    yield { offset, length: sampleRun, base, inputs }
  }
}

function stepOf({ grain, blockElements }: Pick<Stride, 'grain' | 'blockElements'>): number {
  return Math.max(grain, Math.floor(blockElements / grain) * grain)
}

interface Chunk<T> {
  readonly offset: number
  readonly end: number
  readonly loaded: T
}

/** Chunks of the tensor in order; the next one is loaded while the caller works on one. */
export async function* chunks<T>(
  tensor: PlannedTensor,
  stride: Stride,
  load: (from: number, to: number) => Promise<T>,
): AsyncGenerator<Chunk<T>> {
  const count = elementCount(tensor.shape)
  const step = stepOf(stride)
  const endOf = (offset: number): number => Math.min(count, offset + step)
  let next = count === 0 ? undefined : load(0, endOf(0))
  for (let offset = 0; next !== undefined; offset += step) {
    if (stride.signal?.aborted) {
      await next.catch(() => undefined)
      throw fault('run.cancelled', {
        place: tensor.name,
        what: 'stopped',
        hint: 'finished tensors are kept; run the same command again to continue',
        cause: stride.signal.reason,
      })
    }
    const loaded: T = await next
    next = offset + step < count ? load(offset + step, endOf(offset + step)) : undefined
    // A caller that stops early must not leave a failed read without a listener.
    next?.catch(() => undefined)
    yield { offset, end: endOf(offset), loaded }
  }
}

/** Memory for an operand of a block: as it is read, and widened. */
interface Room {
  readonly stored: Uint8Array
  readonly values: Float32Array
}

/** Memory for two blocks in turn: the one being worked on and the one being read. */
function twoRooms(size: number): (which: number) => (dtype: Dtype) => Room {
  const rooms: Room[][] = [[], []]
  return (which) => {
    let used = 0
    return (dtype) =>
      (rooms[which]![used++] ??= {
        stored: new Uint8Array(size * dtypeBytes(dtype)),
        values: new Float32Array(dtype === 'F32' ? 0 : size),
      })
  }
}

/** Two chunks of stored bytes in turn: one is written while the next is filled. */
export function storedRooms({ shape, dtype }: PlannedTensor, grain: number, blockElements: number): () => Uint8Array {
  const size = Math.min(stepOf({ grain, blockElements }), elementCount(shape)) * dtypeBytes(dtype)
  const rooms = [new Uint8Array(size), new Uint8Array(size)] as const
  let turn = 0
  return () => rooms[turn++ % 2 === 0 ? 0 : 1]
}

export function isWide(tensor: PlannedTensor): boolean {
  return operandsOf(tensor).some(({ info }) => info.dtype === 'F64')
}

async function widened(
  { dtype }: Pick<MergePlan, 'dtype'>,
  operand: Operand,
  read: ReadOperand,
  [from, to]: readonly [from: number, to: number],
  { wide, room }: { readonly wide: boolean; readonly room: Room },
): Promise<Floats> {
  const bytes = await read(operand, from, to, room.stored)
  const values = wide ? widen64(bytes, operand.info.dtype) : widen(bytes, operand.info.dtype, room.values)
  return dtype === undefined || dtype === operand.info.dtype ? values : rounded(values, dtype)
}

function rounded(values: Floats, dtype: Dtype): Floats {
  return widen(narrow(values instanceof Float32Array ? values : Float32Array.from(values), dtype), dtype)
}
