/**
 * Computes one output tensor, block by block: the passes before the output read their blocks first, finished blocks are
 * handed on in order.
 */
import { type Dtype, dtypeBytes, elementCount, fault, type Floats, type PluginSource } from '#core'
import { philox } from '#platform/random'
import { allFinite, narrow, widen, widen64 } from '#files/formats'
import { checksum } from '#platform/disk'
import { roundingOf } from './storage-rounding.ts'
import { type Block, type Kernel, type StoredMix, type TensorTask, mergeMethodNamed } from '#model/merge-methods'
import { type MergePlan, operandsOf, type PlannedTensor } from '../plan/plan.ts'
import type { ReadOperand } from './read-operand.ts'
import { runLength } from './statistics-simd.ts'
import { cachedReader } from './cached-reader.ts'
import { mostElements, type StatisticsSum, tensorStatistics, type TensorStatistics } from './statistics.ts'
import { type SummedType, summedTypes, sumStored } from './stored-sum.ts'
import { blocksOf, isWide, sampledBlocks, storedRooms, chunks, type Stride } from './tensor-blocks.ts'
import { vocabularyReader } from './vocabulary-reader.ts'

/** Takes finished bytes, in order. */
export type Emit = (bytes: Uint8Array, offset: number) => Promise<void>

export interface TensorOutcome {
  readonly name: string
  /** Checksum of the stored bytes: see `checksum`. */
  readonly checksum: string
  readonly statistics: TensorStatistics | undefined
  readonly notes: readonly string[]
}

export interface RunOptions {
  /** Elements of a block, at most; the result does not depend on it. */
  blockElements?: number | undefined
  /**
   * Memory for the operands of a tensor that is gone through more than once; 0 also where they can be read in their
   * order only.
   */
  holdBytes?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Elements of a block where nothing else is said: small enough for the caches, large enough that system calls do not
 * count.
 */
export const usualBlock = 2 ** 16

/** What all tensors of a plan share. */
export interface RunPlan extends Pick<MergePlan, 'method' | 'compat' | 'seed' | 'dtype' | 'vocabulary'> {
  /** What the method's passes have counted over the whole model. */
  readonly totals: readonly Float64Array[] | undefined
  /** The plug-in that the method comes from: threads run it on their own. */
  readonly plugin?: PluginSource | undefined
}

/** Throws `tensor.value` where inputs are finite and the output is not, and for whole numbers that differ. */
export async function mergeTensor(
  plan: RunPlan,
  tensor: PlannedTensor,
  raw: ReadOperand,
  emit: Emit,
  { blockElements = usualBlock, holdBytes = 0, signal }: RunOptions = {},
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
      const { statistics, notes } = await merged(plan, tensor, read, handOn, { blockElements, holdBytes, signal })
      return { name: tensor.name, checksum: sum.digest(), statistics, notes }
    }
    default:
      return tensor.work satisfies never
  }
}

async function merged(
  plan: RunPlan,
  tensor: PlannedTensor,
  once: ReadOperand,
  emit: Emit,
  { blockElements, holdBytes, signal }: Pick<Stride, 'blockElements' | 'signal'> & { readonly holdBytes: number },
): Promise<{ statistics: TensorStatistics; notes: readonly string[] }> {
  const task = await taskOf(plan, tensor, once)
  const kernel: Kernel = mergeMethodNamed(plan.method).kernel(task)
  // Elements of rows found by token are not counted as those of their file are.
  const { read, release } = cachedReader(
    once,
    operandsOf(tensor),
    kernel.passes.length === 0 || tensor.byToken ? 0 : holdBytes,
  )
  try {
    const blocks = (grain: number): AsyncGenerator<Block> =>
      blocksOf(plan, tensor, read, { grain, blockElements, signal })
    if (kernel.sample !== undefined && holdBytes > 0 && !tensor.byToken)
      for await (const block of sampledBlocks(plan, tensor, once)) kernel.sample(block)
    for (const [at, pass] of kernel.passes.entries())
      if (kernel.needs?.(at) !== false) for await (const block of blocks(kernel.grain)) pass(block)
    await kernel.settle?.()
    const statistics = tensorStatistics(task.count, tensor.operands.length, tensor.base !== undefined)
    const dtype = kernel.mix === undefined ? undefined : summedType(plan, tensor)
    if (kernel.mix !== undefined && dtype !== undefined) {
      const work = { kernel, mix: kernel.mix(), dtype, statistics }
      await mixed(work, tensor, read, emit, { grain: 1, blockElements, signal })
      return { statistics: statistics.result(), notes: kernel.notes ?? [] }
    }
    // A block is written while the next one is computed.
    let writing = Promise.resolve()
    let room: Floats = new Float32Array(0)
    const places = storedRooms(tensor, kernel.grain, blockElements)
    for await (const block of blocks(kernel.grain)) {
      if (room.length < block.length)
        room = isWide(tensor) ? new Float64Array(block.length) : new Float32Array(block.length)
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
  } finally {
    release()
  }
}

/**
 * The one type of two tensors, a base and their output, where they can be summed as they are stored. Small tensors are
 * not worth it, as their statistics look at every element.
 */
function summedType({ dtype }: RunPlan, tensor: PlannedTensor): SummedType | undefined {
  if (elementCount(tensor.shape) <= mostElements) return undefined
  return summedTypes.find(
    (type) =>
      type === tensor.dtype &&
      (dtype === undefined || dtype === type) &&
      operandsOf(tensor).every(({ info }) => info.dtype === type),
  )
}

/**
 * The output from stored bytes; only what the statistics look at is widened. They look at stored values, those of a
 * `mean` at the values before they are rounded: what manifests say stays what it was.
 */
async function mixed(
  { kernel, mix, dtype, statistics }: { kernel: Kernel; mix: StoredMix; dtype: SummedType; statistics: StatisticsSum },
  tensor: PlannedTensor,
  read: ReadOperand,
  emit: Emit,
  stride: Stride,
): Promise<void> {
  const operands = operandsOf(tensor)
  const size = dtypeBytes(dtype)
  const rooms = operands.map(() => storedRooms(tensor, stride.grain, stride.blockElements))
  const places = storedRooms(tensor, stride.grain, stride.blockElements)
  const load = (from: number, to: number): Promise<Uint8Array[]> =>
    Promise.all(operands.map((operand, k) => read(operand, from, to, rooms[k]?.())))
  const blockOf = (
    bytes: readonly Uint8Array[],
    offset: number,
    from: number,
    to: number,
    into: readonly Float32Array[],
  ): Block => {
    const values = bytes.map((one, k) => widen(one.subarray(size * from, size * to), dtype, into[k]))
    const base = tensor.base === undefined ? undefined : values.shift()
    return { offset: offset + from, length: to - from, base, inputs: values }
  }
  const chosenRoom = Array.from({ length: operands.length + 1 }, () => new Float32Array(runLength))
  let writing = Promise.resolve()
  for await (const { offset, end, loaded } of chunks(tensor, stride, load)) {
    const out = places().subarray(0, size * (end - offset))
    if (!sumStored(mix, dtype, loaded, out)) {
      const block = blockOf(loaded, offset, 0, end - offset, [])
      const values = new Float32Array(block.length)
      kernel.output(block, values)
      checkFinite(values, block, tensor.name)
    }
    for (const [from, to] of statistics.chosen(offset, end - offset)) {
      const block = blockOf(loaded, offset, from, to, chosenRoom)
      const room = chosenRoom.at(-1)
      statistics.add(
        block,
        room !== undefined && mix.of === 'mean'
          ? made(kernel, block, room)
          : widen(out.subarray(size * from, size * to), dtype, room),
      )
    }
    await writing
    writing = emit(out, size * offset)
    writing.catch(() => undefined)
  }
  await writing
}

/** A run of the output before it is rounded to the stored type. */
function made(kernel: Kernel, block: Block, room: Float32Array): Float32Array {
  const out = room.subarray(0, block.length)
  kernel.output(block, out)
  return out
}

/**
 * What a tensor gives to the whole model's sums at one stage; undefined when the method has no such stage. Nothing is
 * emitted.
 */
export async function tensorTotals(
  plan: RunPlan,
  tensor: PlannedTensor,
  stage: number,
  raw: ReadOperand,
  { blockElements = usualBlock, signal }: RunOptions = {},
): Promise<Float64Array | undefined> {
  const method = mergeMethodNamed(plan.method)
  if (tensor.work !== 'merge' || method.modelPass === undefined) return undefined
  const read = readerOf(plan, tensor, raw)
  const work = method.modelPass(await taskOf(plan, tensor, read), stage)
  if (work === undefined) return undefined
  for (const pass of work.passes)
    for await (const block of blocksOf(plan, tensor, read, { grain: work.grain, blockElements, signal })) pass(block)
  return work.totals()
}

/** Rows of a vocabulary tensor are found by token. */
function readerOf({ vocabulary }: RunPlan, tensor: PlannedTensor, read: ReadOperand): ReadOperand {
  return tensor.byToken && vocabulary !== undefined ? vocabularyReader(tensor, vocabulary, read) : read
}

async function taskOf(plan: RunPlan, tensor: PlannedTensor, read: ReadOperand): Promise<TensorTask> {
  const { compat, seed, dtype, totals } = plan
  const { name, side, shape, base, operands, shared, perModel, layer } = tensor
  const { extra } = mergeMethodNamed(plan.method)
  const extras =
    extra?.delivery !== 'whole'
      ? undefined
      : await Promise.all(
          tensor.extras.map(async (operand) =>
            operand === undefined
              ? undefined
              : { [extra.kind]: widen64(await read(operand, 0, elementCount(operand.info.shape)), operand.info.dtype) },
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
    extras,
    ...(layer === undefined ? { side: side === 'after' ? ('after' as const) : ('before' as const) } : { layer }),
    totals,
  }
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

/** x − x is 0 for every finite x and NaN for the others; one sum shows which. */
function isFinite64(values: Float64Array): boolean {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! - values[i]!
  return sum === 0
}

async function copied(
  { operands, shape, dtype }: PlannedTensor,
  read: ReadOperand,
  emit: Emit,
  step: number,
): Promise<void> {
  const [operand] = operands
  if (operand === undefined) return
  for (let from = 0, count = elementCount(shape); from < count; from += step)
    await emit(await read(operand, from, Math.min(count, from + step)), from * dtypeBytes(dtype))
}

/** Counters, positions, truth values: their mean means nothing. */
async function agreed(tensor: PlannedTensor, read: ReadOperand, emit: Emit, step: number): Promise<void> {
  const { name, shape, dtype } = tensor
  const all = operandsOf(tensor)
  for (let from = 0, count = elementCount(shape); from < count; from += step) {
    const [first = new Uint8Array(), ...others] = await Promise.all(
      all.map((operand) => read(operand, from, Math.min(count, from + step))),
    )
    if (others.some((bytes) => Buffer.compare(bytes, first) !== 0)) {
      throw fault('tensor.value', {
        place: name,
        what: 'whole numbers differ between the inputs',
        hint: 'they cannot be merged; leave the tensor out',
      })
    }
    await emit(first, from * dtypeBytes(dtype))
  }
}
