/** One output tensor computed, block by block: what surveys need is read before, what is finished is handed on in order. */
import { type Dtype, dtypeBytes, elementCount, fault, philox } from '../core/index.ts'
import { allFinite, narrow, widen, widen64 } from '../formats/index.ts'
import { checksum } from './checksum.ts'
import { roundingOf } from './classic-rounding.ts'
import type { Block, Floats, Kernel, MergeMethod, TensorTask } from './method.ts'
import { mergeMethods } from './methods/table.ts'
import { type MergePlan, type Operand, operandsOf, type PlannedTensor } from './plan.ts'
import type { ReadRange } from './read-range.ts'
import { runLength } from './run-sums.ts'
import { mostElements, type StatisticsSum, tensorStatistics, type TensorStatistics } from './statistics.ts'
import { mixStored, type StoredMix } from './stored-mix.ts'
import { isBehindLayers } from './tensor-names.ts'
import { vocabularyReader } from './vocabulary-reader.ts'

/** Takes finished bytes, in order. */
export type Emit = (bytes: Uint8Array, offset: number) => Promise<void>

export interface TensorOutcome {
  readonly name: string
  /** Of the stored bytes: see `checksum`. */
  readonly checksum: string
  readonly statistics: TensorStatistics | undefined
  readonly notes: readonly string[]
}

export interface RunOptions {
  /** Elements of a block, at most; the result does not depend on it. */
  blockElements?: number
  signal?: AbortSignal
}

/** Elements of a block where nothing else is said: small enough for the caches, large enough that system calls do not count. */
export const usualBlock = 2 ** 17

/** What all tensors of a plan share. */
export interface RunPlan extends Pick<MergePlan, 'method' | 'compat' | 'seed' | 'dtype' | 'vocabulary'> {
  /** What the method's visits have counted over the whole model. */
  readonly totals: readonly Float64Array[] | undefined
}

/** Throws `tensor.value` where inputs are finite and the output is not, and for whole numbers that differ. */
export async function mergeTensor(
  plan: RunPlan,
  tensor: PlannedTensor,
  raw: ReadRange,
  emit: Emit,
  { blockElements = usualBlock, signal }: RunOptions = {},
): Promise<TensorOutcome> {
  const read = readerOf(plan, tensor, raw)
  const sum = checksum()
  const handOn: Emit = async (bytes, offset) => {
    sum.update(bytes)
    await emit(bytes, offset)
  }
  switch (tensor.work) {
    case 'copy':
      await copied(tensor, read, handOn, blockElements)
      return { name: tensor.name, checksum: sum.digest(), statistics: undefined, notes: [] }
    case 'same':
      await agreed(tensor, read, handOn, blockElements)
      return { name: tensor.name, checksum: sum.digest(), statistics: undefined, notes: [] }
    case 'merge': {
      const { statistics, notes } = await merged(plan, tensor, read, handOn, blockElements, signal)
      return { name: tensor.name, checksum: sum.digest(), statistics, notes }
    }
    default:
      return tensor.work satisfies never
  }
}

async function merged(
  plan: RunPlan,
  tensor: PlannedTensor,
  read: ReadRange,
  emit: Emit,
  blockElements: number,
  signal: AbortSignal | undefined,
): Promise<{ statistics: TensorStatistics; notes: readonly string[] }> {
  const task = await taskOf(plan, tensor, read)
  const kernel: Kernel = mergeMethods[plan.method].kernel(task)
  const blocks = (grain: number): AsyncGenerator<Block> => blocksOf(plan, tensor, read, { grain, blockElements, signal })
  for (const survey of kernel.surveys) for await (const block of blocks(kernel.grain)) survey(block)
  await kernel.settle?.()
  const statistics = tensorStatistics(task.count, tensor.operands.length, tensor.base !== undefined)
  if (kernel.mix !== undefined && isStoredPair(plan, tensor)) {
    await mixed(kernel, kernel.mix(), plan, tensor, read, emit, statistics, { grain: 1, blockElements, signal })
    return { statistics: statistics.result(), notes: kernel.notes ?? [] }
  }
  // A block is written while the next one is computed.
  let writing = Promise.resolve()
  let room: Floats = new Float32Array(0)
  const places = storedRooms(tensor, kernel.grain, blockElements)
  for await (const block of blocks(kernel.grain)) {
    if (room.length < block.length) room = isWide(tensor) ? new Float64Array(block.length) : new Float32Array(block.length)
    const out = room.subarray(0, block.length)
    kernel.output(block, out)
    checkFinite(out, block, tensor.name)
    statistics.add(block, out)
    const bytes = stored(out, tensor.dtype, places())
    await writing
    writing = emit(bytes, block.offset * dtypeBytes(tensor.dtype))
    writing.catch(() => undefined)
  }
  await writing
  return { statistics: statistics.result(), notes: kernel.notes ?? [] }
}

/** Whether two bfloat16 tensors, and a base, make one: they can be summed as they are stored. Small tensors are not worth it, as their statistics look at every element. */
function isStoredPair({ dtype }: RunPlan, tensor: PlannedTensor): boolean {
  const large = elementCount(tensor.shape) > mostElements
  const narrow = tensor.dtype === 'BF16' && (dtype === undefined || dtype === 'BF16')
  return large && narrow && operandsOf(tensor).every(({ info }) => info.dtype === 'BF16')
}

/** The output from stored bytes; only what the statistics look at is widened. */
async function mixed(
  kernel: Kernel,
  mix: StoredMix,
  plan: RunPlan,
  tensor: PlannedTensor,
  read: ReadRange,
  emit: Emit,
  statistics: StatisticsSum,
  stride: Stride,
): Promise<void> {
  const operands = operandsOf(tensor)
  const rooms = operands.map(() => storedRooms(tensor, stride.grain, stride.blockElements))
  const places = storedRooms(tensor, stride.grain, stride.blockElements)
  const load = (from: number, to: number): Promise<Uint8Array[]> => Promise.all(operands.map((operand, k) => read(operand, from, to, rooms[k]?.())))
  const blockOf = (bytes: readonly Uint8Array[], offset: number, from: number, to: number, into: readonly Float32Array[]): Block => {
    const values = bytes.map((one, k) => widen(one.subarray(2 * from, 2 * to), 'BF16', into[k]))
    const base = tensor.base === undefined ? undefined : values.shift()
    return { offset: offset + from, length: to - from, base, inputs: values }
  }
  const chosenRoom = Array.from({ length: operands.length + 1 }, () => new Float32Array(runLength))
  let writing = Promise.resolve()
  for await (const { offset, end, loaded } of stretches(tensor, stride, load)) {
    const out = places().subarray(0, 2 * (end - offset))
    if (!mixStored(mix, loaded, out)) {
      const block = blockOf(loaded, offset, 0, end - offset, [])
      const values = new Float32Array(block.length)
      kernel.output(block, values)
      checkFinite(values, block, tensor.name)
    }
    for (const [from, to] of statistics.chosen(offset, end - offset))
      statistics.add(blockOf(loaded, offset, from, to, chosenRoom), widen(out.subarray(2 * from, 2 * to), 'BF16', chosenRoom.at(-1)))
    await writing
    writing = emit(out, 2 * offset)
    writing.catch(() => undefined)
  }
  await writing
}

/** What a tensor gives to the whole model's sums at one stage of visits; undefined when the method has no such stage. Nothing is emitted. */
export async function visitTensor(
  plan: RunPlan,
  tensor: PlannedTensor,
  stage: number,
  raw: ReadRange,
  { blockElements = usualBlock, signal }: RunOptions = {},
): Promise<Float64Array | undefined> {
  const method: MergeMethod = mergeMethods[plan.method]
  if (tensor.work !== 'merge' || method.visit === undefined) return undefined
  const read = readerOf(plan, tensor, raw)
  const visit = method.visit(await taskOf(plan, tensor, read), stage)
  if (visit === undefined) return undefined
  for (const survey of visit.surveys) for await (const block of blocksOf(plan, tensor, read, { grain: visit.grain, blockElements, signal })) survey(block)
  return visit.totals()
}

/** Rows of a vocabulary tensor are found by token. */
function readerOf({ vocabulary }: RunPlan, tensor: PlannedTensor, read: ReadRange): ReadRange {
  return tensor.byToken && vocabulary !== undefined ? vocabularyReader(tensor, vocabulary, read) : read
}

interface Stride {
  readonly grain: number
  readonly blockElements: number
  readonly signal: AbortSignal | undefined
}

/** The tensor's blocks in order, widened. */
async function* blocksOf(plan: RunPlan, tensor: PlannedTensor, read: ReadRange, stride: Stride): AsyncGenerator<Block> {
  const count = elementCount(tensor.shape)
  const wide = isWide(tensor)
  const room = twoRooms(Math.min(stepOf(stride), count))
  let turn = 0
  const load = async (offset: number, end: number): Promise<Block> => {
    const into = room(turn++ % 2)
    const values = (operand: Operand): Promise<Floats> => widened(plan, operand, read, offset, end, wide, into(operand.info.dtype))
    const { extra }: MergeMethod = mergeMethods[plan.method]
    const [base, inputs, extras] = await Promise.all([
      tensor.base === undefined ? undefined : values(tensor.base),
      Promise.all(tensor.operands.map(values)),
      extra?.delivery === 'block' ? Promise.all(tensor.extras.map(async (along) => (along === undefined ? undefined : values(along)))) : undefined,
    ])
    return { offset, length: end - offset, base, inputs, ...(extras === undefined ? {} : { extras }) }
  }
  for await (const { loaded } of stretches(tensor, stride, load)) yield loaded
}

function stepOf({ grain, blockElements }: Pick<Stride, 'grain' | 'blockElements'>): number {
  return Math.max(grain, Math.floor(blockElements / grain) * grain)
}

interface Stretch<T> {
  readonly offset: number
  readonly end: number
  readonly loaded: T
}

/** Stretches of the tensor in order; the next one is loaded while the caller works on one. */
async function* stretches<T>(tensor: PlannedTensor, stride: Stride, load: (from: number, to: number) => Promise<T>): AsyncGenerator<Stretch<T>> {
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
        hint: 'finished tensors are kept; run the same command again to go on',
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
    return (dtype) => (rooms[which]![used++] ??= { stored: new Uint8Array(size * dtypeBytes(dtype)), values: new Float32Array(dtype === 'F32' ? 0 : size) })
  }
}

/** Two stretches of stored bytes in turn: one is written while the next is filled. */
function storedRooms({ shape, dtype }: PlannedTensor, grain: number, blockElements: number): () => Uint8Array {
  const size = Math.min(stepOf({ grain, blockElements }), elementCount(shape)) * dtypeBytes(dtype)
  const rooms = [new Uint8Array(size), new Uint8Array(size)] as const
  let turn = 0
  return () => rooms[turn++ % 2 === 0 ? 0 : 1]
}

function isWide(tensor: PlannedTensor): boolean {
  return operandsOf(tensor).some(({ info }) => info.dtype === 'F64')
}

async function widened(plan: Pick<RunPlan, 'dtype'>, operand: Operand, read: ReadRange, from: number, to: number, wide: boolean, into: Room): Promise<Floats> {
  const bytes = await read(operand, from, to, into.stored)
  const values = wide ? widen64(bytes, operand.info.dtype) : widen(bytes, operand.info.dtype, into.values)
  return plan.dtype === undefined || plan.dtype === operand.info.dtype ? values : rounded(values, plan.dtype)
}

async function taskOf(plan: RunPlan, tensor: PlannedTensor, read: ReadRange): Promise<TensorTask> {
  const { compat, seed, dtype, totals } = plan
  const { name, shape, base, operands, shared, perModel, layer } = tensor
  const { extra }: MergeMethod = mergeMethods[plan.method]
  const extras =
    extra?.delivery !== 'whole'
      ? undefined
      : await Promise.all(
          tensor.extras.map(async (operand) =>
            operand === undefined ? undefined : { [extra.kind]: widen64(await read(operand, 0, elementCount(operand.info.shape)), operand.info.dtype) },
          ),
        )
  return {
    name,
    shape,
    count: elementCount(shape),
    inputs: operands.length,
    hasBase: base !== undefined,
    shared,
    perModel,
    compat,
    round: roundingOf(compat, dtype ?? base?.info.dtype ?? operands[0]?.info.dtype ?? 'F32'),
    random: (input) => philox(`${seed}\0${name}\0${input}`),
    ...(extras === undefined ? {} : { extras }),
    ...(layer === undefined ? { side: isBehindLayers(name) ? ('after' as const) : ('before' as const) } : { layer }),
    ...(totals === undefined ? {} : { totals }),
  }
}

function rounded(values: Floats, dtype: Dtype): Floats {
  return widen(narrow(values instanceof Float32Array ? values : Float32Array.from(values), dtype), dtype)
}

function stored(values: Floats, dtype: Dtype, into: Uint8Array): Uint8Array {
  if (values instanceof Float32Array) return narrow(values, dtype, into)
  if (dtype === 'F64') return new Uint8Array(Float64Array.from(values).buffer)
  return narrow(Float32Array.from(values), dtype)
}

function checkFinite(out: Floats, { offset, base, inputs }: Block, name: string): void {
  if (out instanceof Float32Array ? allFinite(out) : isFinite64(out)) return
  const at = out.findIndex((value) => !Number.isFinite(value))
  const values = [...(base ? [base] : []), ...inputs].map((input) => String(input[at]))
  throw fault('tensor.value', {
    place: `${name} › element ${offset + at}`,
    what: 'the merge is not a finite number',
    seen: String(out[at]),
    hint: `there the inputs are ${values.join(', ')}`,
  })
}

/** x − x is 0 for every finite x and NaN for the others; one sum tells. */
function isFinite64(values: Float64Array): boolean {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! - values[i]!
  return sum === 0
}

async function copied({ operands, shape, dtype }: PlannedTensor, read: ReadRange, emit: Emit, step: number): Promise<void> {
  const [operand] = operands
  if (operand === undefined) return
  for (let from = 0, count = elementCount(shape); from < count; from += step)
    await emit(await read(operand, from, Math.min(count, from + step)), from * dtypeBytes(dtype))
}

/** Counters, positions, truth values: their mean means nothing. */
async function agreed(tensor: PlannedTensor, read: ReadRange, emit: Emit, step: number): Promise<void> {
  const { name, shape, dtype } = tensor
  const all = operandsOf(tensor)
  for (let from = 0, count = elementCount(shape); from < count; from += step) {
    const [first = new Uint8Array(), ...others] = await Promise.all(all.map((operand) => read(operand, from, Math.min(count, from + step))))
    if (others.some((bytes) => Buffer.compare(bytes, first) !== 0)) {
      throw fault('tensor.value', { place: name, what: 'whole numbers differ between the inputs', hint: 'they cannot be merged; leave the tensor out' })
    }
    await emit(first, from * dtypeBytes(dtype))
  }
}
