/**
 * A model with another's vocabulary as a tensor source: new tables are made when they are asked for, everything else is
 * the model's own.
 */
import {
  dtypeBytes,
  elementCount,
  fault,
  fingerprint,
  type Dtype,
  type TensorInfo,
  type TensorSource,
  type ModelHeaders,
  type Floats,
} from '#core'
import { narrow, inputStamp } from '#files/formats'
import { sourceReader } from '#model/merge'
import type { Approximation, TableTask } from './approximation.ts'
import { nothing, type Vocabularies } from './assign.ts'
import { gaussians } from './gaussian.ts'
import type { TransplantPlan, TransplantTensor } from './plan.ts'
import { rotaryOf } from './rotary-of.ts'
import { type Rows, rowsOf } from './rows.ts'
import { approximations } from './table.ts'
import { tokenText } from './token-keys.ts'

export interface TransplantInputs {
  readonly model: ModelHeaders
  readonly donor: ModelHeaders
  readonly vocabularies: Vocabularies
  /** Texts → ids of the model's own tokenizer, without special tokens. */
  readonly cut: (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>
  /** Rows that are finished, of all that are made up for one tensor. */
  readonly onRows?: ((tensor: string, done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Changes when the arithmetic does. */
const arithmetic = '1'

/**
 * Throws, when a table is read, `tensor.value` for rows that are not finite, and what the method throws. Closing it
 * leaves the models open.
 */
export function transplantedSource(plan: TransplantPlan, inputs: TransplantInputs): TensorSource {
  const { model, donor } = inputs
  const changed = new Map(plan.tensors.map((tensor) => [tensor.name, tensor]))
  const reader = sourceReader([model.tensors, donor.tensors])
  const rows = (input: 0 | 1, info: TensorInfo): Rows =>
    rowsOf(info, (from, to) => reader.read({ input, info }, from, to))
  const infoOf = (name: string): TensorInfo | undefined => {
    const tensor = changed.get(name)
    return tensor === undefined
      ? model.tensors.info(name)
      : { name, dtype: tensor.info.dtype, shape: tensor.shape, byteLength: sizeOf(tensor) }
  }
  const tables = new Map<string, Promise<Uint8Array>>()
  const readTable = (name: string): Promise<Uint8Array> => {
    const tensor = changed.get(name)
    if (tensor === undefined) throw fault('internal', { place: name, what: 'not a table of the vocabulary' })
    const made =
      tables.get(tensor.sameAs ?? name) ??
      madeTable(tensor.sameAs === undefined ? tensor : (changed.get(tensor.sameAs) ?? tensor))
    // Kept only for a second tensor that has the same bytes.
    if (plan.tensors.some(({ sameAs }) => sameAs === name)) tables.set(name, made)
    return made
  }
  const madeTable = async (tensor: TransplantTensor): Promise<Uint8Array> => {
    const out = new Uint8Array(sizeOf(tensor))
    await copyRows(tensor, out, (from, to) => reader.read({ input: 0, info: tensor.info }, from, to))
    if (tensor.role !== 'bias') await makeRows(plan, tensor, inputs, rows, out)
    return out
  }
  return {
    name: `${model.model} with the tokens of ${donor.model}`,
    names: () => model.tensors.names(),
    info: infoOf,
    read: (name) => (changed.has(name) ? readTable(name) : model.tensors.read(name)),
    locate: (name) => (changed.has(name) ? undefined : model.tensors.locate(name)),
    async identity() {
      const stamps = await Promise.all([model, donor].map(({ tensors }) => inputStamp(tensors)))
      // The seed counts only where something is drawn; batches never do.
      const tables = plan.tensors.map(({ name, rows: { from } }) => [name, fingerprint([...from])])
      return fingerprint({ arithmetic, stamps, tables, options: { ...plan.options, batchSize: null } })
    },
    close: () => reader.close(),
  }
}

function sizeOf({ shape, info }: TransplantTensor): number {
  return elementCount(shape) * dtypeBytes(info.dtype)
}

/** Rows read at once. */
const rowsAtOnce = 4096

/** Stored bytes, unrounded; the model's table is passed once, from its beginning to its end. */
async function copyRows(
  { rows: { from }, info }: TransplantTensor,
  out: Uint8Array,
  read: (from: number, to: number) => Promise<Uint8Array>,
): Promise<void> {
  const width = info.shape[1] ?? 1
  const size = width * dtypeBytes(info.dtype)
  const order = Array.from(from, (row, id) => [row, id] as const)
    .filter(([row]) => row >= 0)
    .sort((a, b) => a[0] - b[0])
  for (let at = 0; at < order.length;) {
    const first = order[at]![0]
    let end = at
    while (end < order.length && order[end]![0] < first + rowsAtOnce) end++
    const bytes = await read(first * width, (order[end - 1]![0] + 1) * width)
    for (; at < end; at++)
      out.set(bytes.subarray((order[at]![0] - first) * size, (order[at]![0] - first + 1) * size), order[at]![1] * size)
  }
}

async function makeRows(
  plan: TransplantPlan,
  tensor: TransplantTensor,
  inputs: TransplantInputs,
  rows: (input: 0 | 1, info: TensorInfo) => Rows,
  out: Uint8Array,
): Promise<void> {
  const { made } = tensor.rows
  const { method, batchSize, newVocabNoise, newVocabScale, seed } = plan.options
  const width = tensor.shape[1] ?? 1
  const size = width * dtypeBytes(tensor.info.dtype)
  const approximation: Approximation = approximations[method]
  if (made.length === 0) return
  const make = await approximation.prepare(tableTask(plan, tensor, inputs, rows))
  const noise = gaussians(`${seed}\0${tensor.name}\0noise`)
  const step = batchSize > 0 ? batchSize : made.length
  for (let from = 0; from < made.length; from += step) {
    if (inputs.signal?.aborted)
      throw fault('run.cancelled', {
        place: tensor.name,
        what: 'stopped',
        hint: 'run the same command again',
        cause: inputs.signal.reason,
      })
    const to = Math.min(made.length, from + step)
    const values = Float64Array.from(await make(from, to))
    if (newVocabNoise !== 0) {
      const drawn = new Float64Array(values.length)
      noise(from * width, drawn)
      for (let i = 0; i < values.length; i++) values[i] = values[i]! + newVocabNoise * drawn[i]!
    }
    if (newVocabScale !== 1) for (let i = 0; i < values.length; i++) values[i] = newVocabScale * values[i]!
    checkFinite(values, tensor, from, inputs.vocabularies)
    const bytes = stored(values, tensor.info.dtype)
    for (let i = from; i < to; i++) out.set(bytes.subarray((i - from) * size, (i - from + 1) * size), made[i]! * size)
    inputs.onRows?.(tensor.name, to, made.length)
  }
}

function tableTask(
  plan: TransplantPlan,
  tensor: TransplantTensor,
  inputs: TransplantInputs,
  rows: (input: 0 | 1, info: TensorInfo) => Rows,
): TableTask {
  const { model, donor, vocabularies, cut } = inputs
  const { from, shared, made } = tensor.rows
  const own = rows(0, tensor.info)
  const donorRows = (): Rows => {
    if (tensor.donor === undefined)
      throw fault('tensor.missing', { place: donor.model, what: `nothing plays the role of ${tensor.name}` })
    return rows(1, tensor.donor)
  }
  return {
    name: tensor.name,
    head: tensor.role === 'head',
    model: own,
    donor: donorRows,
    shared: async () => ({
      donor: await donorRows().take(shared),
      model: await own.take(shared.map((id) => from[id] ?? nothing)),
    }),
    async pieces() {
      const spaced = await beginsWords(inputs)
      const texts = Array.from(made, (id) => tokenText(vocabularies.donor.tokens[id] ?? '', vocabularies.donorScript))
      return (await cut(texts.map((text) => (spaced && text.startsWith(' ') ? text.slice(1) : text)))).map((ids) =>
        Array.from(ids).filter((id) => id < own.count),
      )
    },
    targets: made,
    rotary: () => ({ donor: rotaryOf(donor, donorRows().width), model: rotaryOf(model, own.width) }),
    options: plan.options,
    normal: gaussians(`${plan.options.seed}\0${tensor.name}`),
  }
}

/**
 * Whether the model's tokenizer takes any text for the beginning of a word: a space before it would then be a second
 * one.
 */
async function beginsWords({ vocabularies: { model, modelScript }, cut }: TransplantInputs): Promise<boolean> {
  const [ids = []] = modelScript.wordStart === '▁' ? await cut(['a']) : []
  return model.tokens[ids[0] ?? -1]?.startsWith('▁') === true
}

function checkFinite(
  values: Float64Array,
  { name, rows, shape }: TransplantTensor,
  from: number,
  { donor }: Vocabularies,
): void {
  const at = values.findIndex((value) => !Number.isFinite(value))
  if (at < 0) return
  const id = rows.made[from + Math.floor(at / (shape[1] ?? 1))] ?? -1
  throw fault('tensor.value', {
    place: `${name} › row ${id}`,
    what: 'a row that was made up is not finite',
    seen: donor.tokens[id],
    hint: 'is there a NaN in one of the models? choose a smaller --k, or --magikarp',
  })
}

function stored(values: Floats, dtype: Dtype): Uint8Array {
  return dtype === 'F64' ? new Uint8Array(Float64Array.from(values).buffer) : narrow(Float32Array.from(values), dtype)
}
