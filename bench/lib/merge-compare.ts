/** Two model folders tensor by tensor, and their configurations. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Borders } from './merge-cases.ts'
import { openTensors, widen64 } from './strata.ts'

interface Differences {
  /** Largest absolute difference of elements that are on no border. */
  worst: number
  /** Their largest difference in units of the last place of the largest operand; for 16-bit types. */
  units: number
  /** Elements on no border that differ by more than the limit. */
  beyond: number
  /** Elements on the border of a selection that differ by more. */
  onBorder: number
  /** Elements that are NaN in theirs alone. */
  lost: number
  where: string
}

export interface TensorComparison extends Differences {
  tensors: number
  elements: number
  /** Tensors that differ beyond the limit. */
  apart: number
  /** Tensors of one side only, and types or shapes that differ. */
  unlike: string[]
  /** Shapes with axes of one element more or less. */
  reshaped: string[]
}

export interface CompareOptions {
  /** Folders whose tensors of the same name an output is made of, the base first. */
  readonly inputs?: readonly string[]
  readonly borders?: Borders
  readonly narrow?: boolean
  readonly limit: (dtype: string) => { absolute?: number; units?: number }
}

/** Bits of the fraction, and the exponent below which numbers are evenly spaced. */
const grids: Readonly<Record<string, readonly [number, number]>> = { BF16: [7, -126], F16: [10, -14], F32: [23, -126] }

export async function compareTensors(
  ours: string,
  theirs: string,
  { inputs = [], borders, narrow = false, limit }: CompareOptions,
): Promise<TensorComparison> {
  const [own, other, ...operands] = await Promise.all([ours, theirs, ...inputs].map(openTensorFolder))
  const found: TensorComparison = {
    tensors: 0,
    elements: 0,
    apart: 0,
    worst: 0,
    units: 0,
    beyond: 0,
    onBorder: 0,
    lost: 0,
    where: '',
    unlike: [],
    reshaped: [],
  }
  const rows = tokenRows(ours, theirs)
  try {
    for (const name of new Set([...own!.names(), ...other!.names()])) {
      const [a, b] = [own!.info(name), other!.info(name)]
      const said = (info: typeof a): string => (info === undefined ? 'absent' : `${info.dtype} [${info.shape.join()}]`)
      if (a === undefined || b === undefined || a.dtype !== b.dtype || withoutOnes(a.shape) !== withoutOnes(b.shape)) {
        found.unlike.push(`${name}: ${said(a)}, theirs ${said(b)}`)
        continue
      }
      if (a.shape.join() !== b.shape.join()) found.reshaped.push(`${name}: ${said(a)}, theirs ${said(b)}`)
      const [x, y] = [widen64(await own!.read(name), a.dtype), widen64(await other!.read(name), b.dtype)]
      if (rows !== undefined && vocabularyNames.test(name)) permute(y, rows, y.length / (a.shape[0] ?? 1))
      const from = await Promise.all(
        operands.map(async (source) => widen64(await source.read(name), source.info(name)!.dtype)),
      )
      found.tensors++
      found.elements += x.length
      const isBorder =
        borders === undefined
          ? () => false
          : borderTest(from, borders, a.shape, narrow ? operands[0]?.info(name)?.dtype : undefined)
      const here = compareElements({ name, dtype: a.dtype, x, y, from, isBorder, limit: limit(a.dtype) })
      // What sce selects decides its weights, and with them every element of the tensor.
      const follows = here.onBorder > 0 && typeof borders === 'object' && 'topk' in borders
      found.lost += here.lost
      found.onBorder += here.onBorder + (follows ? here.beyond : 0)
      if (follows && here.beyond > 0) continue
      found.beyond += here.beyond
      if (here.beyond > 0) found.apart++
      if (here.worst > found.worst || (found.where === '' && here.where !== ''))
        Object.assign(found, { worst: here.worst, where: here.where })
      found.units = Math.max(found.units, here.units)
    }
  } finally {
    await Promise.all([own!, other!, ...operands].map((source) => source.close()))
  }
  return found
}

interface Elements {
  readonly name: string
  readonly dtype: string
  readonly x: Float64Array
  readonly y: Float64Array
  /** The operands they are made of. */
  readonly from: readonly Float64Array[]
  readonly isBorder: (i: number) => boolean
  readonly limit: { absolute?: number; units?: number }
}

function compareElements({
  name,
  dtype,
  x,
  y,
  from,
  isBorder,
  limit: { absolute = Infinity, units: most = Infinity },
}: Elements): Differences {
  const here = { beyond: 0, onBorder: 0, lost: 0, worst: 0, units: 0, where: '' }
  for (let i = 0; i < x.length; i++) {
    const difference = Math.abs(x[i]! - y[i]!)
    if (x[i] === y[i] || (Number.isNaN(x[i]!) && Number.isNaN(y[i]!))) continue
    if (Number.isNaN(y[i]!)) {
      here.lost++
      continue
    }
    const largest = from.reduce(
      (top, values) => Math.max(top, Math.abs(values[i]!)),
      Math.max(Math.abs(x[i]!), Math.abs(y[i]!)),
    )
    const units = dtype === 'F32' ? 0 : difference / spacing(largest, dtype)
    const beyond = !(difference <= absolute * Math.max(1, largest)) || units > most
    if (beyond && isBorder(i)) {
      here.onBorder++
      continue
    }
    if (beyond) here.beyond++
    if (!(difference <= here.worst))
      Object.assign(here, { worst: difference, where: `${name}[${i}]: ${x[i]}, theirs ${y[i]}` })
    if (units > here.units) here.units = units
  }
  return here
}

/**
 * Whether element i lies on a border of a selection: as large as the element that decides, in the type that is compared
 * – the files' own where mergekit computes in it. Sizes that are sums (variances, divergences) are given the rounding
 * of their sums.
 */
function borderTest(
  [base, ...inputs]: readonly Float64Array[],
  borders: Borders,
  shape: readonly number[],
  narrow: string | undefined,
): (i: number) => boolean {
  const size = base?.length ?? 0
  if (base === undefined) return () => false
  const round = narrow === 'BF16' || narrow === 'F16' ? (value: number) => roundTo(value, narrow) : Math.fround
  const near = (
    keys: Float64Array,
    places: readonly number[],
    slack: (key: number) => number,
  ): ((i: number) => boolean) => {
    const falling = keys.toSorted().reverse()
    const cuts = places
      .filter((place) => place > 0 && place <= size)
      .flatMap((place) => [falling[place - 1]!, falling[place] ?? 0])
    return (i) => cuts.some((cut) => Math.abs(keys[i]! - cut) <= slack(Math.max(keys[i]!, cut)))
  }
  const unit = (key: number): number => (key === 0 ? 0 : spacing(key, narrow ?? 'F32'))
  if (borders === 'importance') {
    const { keys, slack } = importances(base, inputs[0]!, shape.at(-1) ?? 1, round, unit)
    const sorted = keys.toSorted()
    const at = (share: number): number => sorted[Math.floor(share * (size - 1))] ?? 0
    const threshold = at(0.5) + 1.5 * (at(0.75) - at(0.25))
    return (i) => Math.abs(keys[i]! - threshold) <= slack[i]! + 4 * unit(threshold)
  }
  if ('topk' in borders) {
    const variance = Float64Array.from({ length: size }, (_, i) => {
      const changes = inputs.map((input) => round(input[i]! - base[i]!))
      const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length
      return round(changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / changes.length)
    })
    // Welford's sums in float32 may end one unit beside
    return near(
      variance,
      [Math.floor(borders.topk * variance.filter((value) => value > 0).length)],
      (key) => 2 * unit(key),
    )
  }
  const tests = inputs.map((input, k) => {
    const kept = Math.floor((borders.densities[k] ?? 1) * size)
    const top = Math.min(Math.floor((borders.gamma ?? 0) * size), size - kept)
    return near(
      Float64Array.from(input, (value, i) => Math.abs(round(value - base[i]!))),
      [top, top + kept],
      () => 0,
    )
  })
  return (i) => tests.some((test) => test(i))
}

/**
 * What arcee_fusion compares, and how far the other program's may lie from it: probabilities, ratios and logarithms are
 * each rounded, their sum cancels.
 */
function importances(
  base: Float64Array,
  input: Float64Array,
  width: number,
  round: (value: number) => number,
  unit: (key: number) => number,
): { keys: Float64Array; slack: Float64Array } {
  const [keys, slack] = [new Float64Array(base.length), new Float64Array(base.length)]
  const shares = (values: Float64Array): Float64Array => {
    const top = Math.max(...values)
    const powers = values.map((value) => Math.exp(value - top))
    const sum = powers.reduce((all, power) => all + power, 0)
    return powers.map((power) => power / sum + 1e-8)
  }
  for (let from = 0; from < base.length; from += width) {
    const [p, q] = [shares(input.subarray(from, from + width)), shares(base.subarray(from, from + width))]
    const divergence = p.reduce((sum, value, i) => sum + value * Math.log(value / q[i]!), 0)
    for (let i = from; i < from + width; i++) {
      const change = Math.abs(round(input[i]! - base[i]!))
      keys[i] = change * divergence
      // Σ p = 1, and each term is off by a few units of 1 at most
      slack[i] = change * 4 * unit(1)
    }
  }
  return { keys, slack }
}

function withoutOnes(shape: readonly number[]): string {
  return shape.filter((size) => size !== 1).join()
}

function roundTo(value: number, dtype: string): number {
  const step = spacing(Math.abs(value), dtype)
  const scaled = value / step
  const nearest = Math.round(scaled)
  return (Math.abs(scaled % 1) === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest) * step
}

/**
 * For each of our rows theirs of the same token, where both tokenizers have the same tokens under other numbers: which
 * way they append them is left to a hash table.
 */
function tokenRows(ours: string, theirs: string): Int32Array | undefined {
  const [own, other] = [ours, theirs].map(vocabularyOf)
  if (own === undefined || other === undefined || own.size !== other.size) return undefined
  const rows = Int32Array.from({ length: own.size }, (_, row) => row)
  for (const [token, id] of own) {
    const found = other.get(token)
    if (found === undefined || id >= rows.length) return undefined
    rows[id] = found
  }
  return rows.every((row, i) => row === i) ? undefined : rows
}

function vocabularyOf(folder: string): Map<string, number> | undefined {
  const path = join(folder, 'tokenizer.json')
  if (!existsSync(path)) return undefined
  const { model, added_tokens: added = [] } = JSON.parse(readFileSync(path, 'utf8')) as {
    model: { vocab: Record<string, number> | [string, number][] }
    added_tokens?: { id: number; content: string }[]
  }
  const own = Array.isArray(model.vocab)
    ? model.vocab.map(([token], id) => [token, id] as const)
    : Object.entries(model.vocab)
  return new Map([...own, ...added.map(({ content, id }) => [content, id] as const)])
}

const vocabularyNames = /(^|\.)(embed_in|embed_out|embed_tokens|word_embeddings|lm_head)\./

/** Rows of a matrix by another's numbers; rows beyond them stay. */
function permute(values: Float64Array, rows: Int32Array, width: number): void {
  const before = values.slice()
  rows.forEach((from, row) => values.set(before.subarray(from * width, (from + 1) * width), row * width))
}

function spacing(magnitude: number, dtype: string): number {
  const [fraction, least] = grids[dtype] ?? [52, -1022]
  if (magnitude === 0) return 2 ** (least - fraction)
  return 2 ** (Math.max(least, Math.floor(Math.log2(magnitude))) - fraction)
}

type Tensors = Awaited<ReturnType<typeof openTensors>>

async function openTensorFolder(folder: string): Promise<Tensors> {
  const index = join(folder, 'model.safetensors.index.json')
  return openTensors(existsSync(index) ? index : join(folder, 'model.safetensors'))
}

/** Keys of config.json that say nothing about the model. */
const silent = ['transformers_version', '_name_or_path', 'use_cache']
/** Two names of one thing. */
const renamed: Readonly<Record<string, string>> = { torch_dtype: 'dtype' }

/**
 * Keys whose values differ; a key that only one side writes counts when the other side's class does not default to it,
 * which Python decides later.
 */
export function compareConfigs(ours: string, theirs: string): string[] {
  const read = (folder: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Record<string, unknown>)
        .filter(([key]) => !silent.includes(key))
        .map(([key, value]) => [renamed[key] ?? key, value]),
    )
  const [a, b] = [read(ours), read(theirs)]
  return Object.keys(a)
    .filter((key) => Object.hasOwn(b, key) && JSON.stringify(a[key]) !== JSON.stringify(b[key]))
    .map((key) => `${key}: ${JSON.stringify(a[key])}, theirs ${JSON.stringify(b[key])}`)
}
