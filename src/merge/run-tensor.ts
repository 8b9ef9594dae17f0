/** One output tensor computed, block by block: what surveys need is read before, what is finished is handed on in order. */
import { createHash } from 'node:crypto'
import { type Dtype, dtypeBytes, elementCount, fault, philox } from '../core/index.ts'
import { narrow, widen, widen64 } from '../formats/index.ts'
import { roundingOf } from './classic-rounding.ts'
import type { Block, Floats, Kernel, TensorTask } from './method.ts'
import { mergeMethods } from './methods/table.ts'
import type { MergePlan, Operand, PlannedTensor } from './plan.ts'
import { tensorStatistics, type TensorStatistics } from './statistics.ts'

/** Stored bytes of elements [from, to) of an operand. */
export type ReadRange = (operand: Operand, from: number, to: number) => Promise<Uint8Array>

/** Takes finished bytes, in order. */
export type Emit = (bytes: Uint8Array, offset: number) => Promise<void>

export interface TensorOutcome {
  readonly name: string
  /** Hex SHA-256 of the stored bytes. */
  readonly sha256: string
  readonly statistics: TensorStatistics | undefined
  readonly notes: readonly string[]
}

export interface RunOptions {
  /** Elements of a block, at most; the result does not depend on it. */
  blockElements?: number
  signal?: AbortSignal
}

/** What all tensors of a plan share. */
export type RunPlan = Pick<MergePlan, 'method' | 'compat' | 'seed' | 'dtype'>

/** Throws `tensor.value` where inputs are finite and the output is not, and for whole numbers that differ. */
export async function mergeTensor(
  plan: RunPlan,
  tensor: PlannedTensor,
  read: ReadRange,
  emit: Emit,
  { blockElements = 2 ** 20, signal }: RunOptions = {},
): Promise<TensorOutcome> {
  const hash = createHash('sha256')
  const handOn: Emit = async (bytes, offset) => {
    hash.update(bytes)
    await emit(bytes, offset)
  }
  switch (tensor.work) {
    case 'copy':
      await copied(tensor, read, handOn, blockElements)
      return { name: tensor.name, sha256: hash.digest('hex'), statistics: undefined, notes: [] }
    case 'same':
      await agreed(tensor, read, handOn, blockElements)
      return { name: tensor.name, sha256: hash.digest('hex'), statistics: undefined, notes: [] }
    case 'merge': {
      const { statistics, notes } = await merged(plan, tensor, read, handOn, blockElements, signal)
      return { name: tensor.name, sha256: hash.digest('hex'), statistics, notes }
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
  const task = taskOf(plan, tensor)
  const kernel: Kernel = mergeMethods[plan.method].kernel(task)
  const wide = tensor.base?.info.dtype === 'F64' || tensor.operands.some(({ info }) => info.dtype === 'F64')
  const step = Math.max(kernel.grain, Math.floor(blockElements / kernel.grain) * kernel.grain)
  const load = async (operand: Operand, from: number, to: number): Promise<Floats> => {
    const bytes = await read(operand, from, to)
    const values = wide ? widen64(bytes, operand.info.dtype) : widen(bytes, operand.info.dtype)
    return plan.dtype === undefined || plan.dtype === operand.info.dtype ? values : rounded(values, plan.dtype)
  }
  const blocks = async function* (): AsyncGenerator<Block> {
    for (let offset = 0; offset < task.count; offset += step) {
      if (signal?.aborted) throw fault('run.cancelled', { place: tensor.name, what: 'cancelled', cause: signal.reason })
      const end = Math.min(task.count, offset + step)
      const [base, ...inputs] = await Promise.all([
        tensor.base === undefined ? undefined : load(tensor.base, offset, end),
        ...tensor.operands.map((operand) => load(operand, offset, end)),
      ])
      yield { offset, length: end - offset, base, inputs: inputs as Floats[] }
    }
  }
  for (const survey of kernel.surveys) for await (const block of blocks()) survey(block)
  await kernel.settle?.()
  const statistics = tensorStatistics(task.count, tensor.operands.length, tensor.base !== undefined)
  for await (const block of blocks()) {
    const out = wide ? new Float64Array(block.length) : new Float32Array(block.length)
    kernel.output(block, out)
    checkFinite(out, block, tensor.name)
    statistics.add(block, out)
    await emit(stored(out, tensor.dtype), block.offset * dtypeBytes(tensor.dtype))
  }
  return { statistics: statistics.result(), notes: kernel.notes ?? [] }
}

function taskOf({ compat, seed, dtype }: RunPlan, { name, shape, base, operands, shared, perModel, layer }: PlannedTensor): TensorTask {
  const classic = dtype ?? base?.info.dtype ?? operands[0]?.info.dtype ?? 'F32'
  return {
    name,
    shape,
    count: elementCount(shape),
    inputs: operands.length,
    hasBase: base !== undefined,
    shared,
    perModel,
    compat,
    round: roundingOf(compat, classic),
    random: (input) => philox(`${seed}\0${name}\0${input}`),
    ...(layer === undefined ? {} : { layer }),
  }
}

function rounded(values: Floats, dtype: Dtype): Floats {
  return widen(narrow(values instanceof Float32Array ? values : Float32Array.from(values), dtype), dtype)
}

function stored(values: Floats, dtype: Dtype): Uint8Array {
  if (values instanceof Float32Array) return narrow(values, dtype)
  if (dtype === 'F64') return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  return narrow(Float32Array.from(values), dtype)
}

/** x − x is 0 for every finite x and NaN for the others; one sum over the block tells. */
function checkFinite(out: Floats, { offset, base, inputs }: Block, name: string): void {
  let sum = 0
  for (let i = 0; i < out.length; i++) sum += out[i]! - out[i]!
  if (sum === 0) return
  const at = out.findIndex((value) => !Number.isFinite(value))
  const values = [...(base ? [base] : []), ...inputs].map((input) => String(input[at]))
  throw fault('tensor.value', {
    place: `${name} › element ${offset + at}`,
    what: 'the merge is not a finite number',
    seen: String(out[at]),
    hint: `there the inputs are ${values.join(', ')}`,
  })
}

async function copied({ operands, shape, dtype }: PlannedTensor, read: ReadRange, emit: Emit, step: number): Promise<void> {
  const [operand] = operands
  if (operand === undefined) return
  for (let from = 0, count = elementCount(shape); from < count; from += step)
    await emit(await read(operand, from, Math.min(count, from + step)), from * dtypeBytes(dtype))
}

/** Counters, positions, truth values: their mean means nothing. */
async function agreed({ name, base, operands, shape, dtype }: PlannedTensor, read: ReadRange, emit: Emit, step: number): Promise<void> {
  const all = base === undefined ? operands : [base, ...operands]
  for (let from = 0, count = elementCount(shape); from < count; from += step) {
    const [first = new Uint8Array(), ...others] = await Promise.all(all.map((operand) => read(operand, from, Math.min(count, from + step))))
    if (others.some((bytes) => Buffer.compare(bytes, first) !== 0)) {
      throw fault('tensor.value', { place: name, what: 'whole numbers differ between the inputs', hint: 'they cannot be merged; leave the tensor out' })
    }
    await emit(first, from * dtypeBytes(dtype))
  }
}
