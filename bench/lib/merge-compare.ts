/** Two model folders tensor by tensor, and their configurations. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Borders } from './merge-cases.ts'
import { openTensors, widen64 } from './strata.ts'

export interface TensorComparison {
  tensors: number
  elements: number
  /** Largest absolute difference of elements that are on no border. */
  worst: number
  /** Their largest difference in units of the last place of the largest operand; for 16-bit types. */
  units: number
  /** Elements on no border that differ by more than the limit. */
  beyond: number
  /** Elements on the border of a selection that differ by more. */
  onBorder: number
  where: string
  /** Tensors of one side only, and types or shapes that differ. */
  unlike: string[]
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

export async function compareTensors(ours: string, theirs: string, { inputs = [], borders, narrow = false, limit }: CompareOptions): Promise<TensorComparison> {
  const [own, other, ...operands] = await Promise.all([ours, theirs, ...inputs].map(openTensorFolder))
  const found: TensorComparison = { tensors: 0, elements: 0, worst: 0, units: 0, beyond: 0, onBorder: 0, where: '', unlike: [] }
  try {
    for (const name of new Set([...own!.names(), ...other!.names()])) {
      const [a, b] = [own!.info(name), other!.info(name)]
      if (a === undefined || b === undefined || a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) {
        const said = (info: typeof a): string => (info === undefined ? 'absent' : `${info.dtype} [${info.shape.join()}]`)
        found.unlike.push(`${name}: ${said(a)}, theirs ${said(b)}`)
        continue
      }
      const [x, y] = [widen64(await own!.read(name), a.dtype), widen64(await other!.read(name), b.dtype)]
      const from = await Promise.all(operands.map(async (source) => widen64(await source.read(name), source.info(name)!.dtype)))
      found.tensors++
      found.elements += x.length
      const isBorder = borders === undefined ? () => false : borderTest(from, borders, narrow ? 2 ** -8 : 2 ** -20)
      const { absolute = Infinity, units: most = Infinity } = limit(a.dtype)
      for (let i = 0; i < x.length; i++) {
        const difference = Math.abs(x[i]! - y[i]!)
        if (x[i] === y[i] || (Number.isNaN(x[i]!) && Number.isNaN(y[i]!))) continue
        const largest = from.reduce((top, values) => Math.max(top, Math.abs(values[i]!)), Math.max(Math.abs(x[i]!), Math.abs(y[i]!)))
        const units = a.dtype === 'F32' ? 0 : difference / spacing(largest, a.dtype)
        const beyond = !(difference <= absolute * Math.max(1, largest)) || units > most
        if (beyond && isBorder(i)) {
          found.onBorder++
          continue
        }
        if (beyond) found.beyond++
        if (!(difference <= found.worst)) Object.assign(found, { worst: difference, where: `${name}[${i}]: ${x[i]}, theirs ${y[i]}` })
        if (units > found.units) found.units = units
      }
    }
  } finally {
    await Promise.all([own!, other!, ...operands].map((source) => source.close()))
  }
  return found
}

/** Whether element i lies on a border of a selection: within `slack` of the size that decides. */
function borderTest([base, ...inputs]: readonly Float64Array[], borders: Borders, slack: number): (i: number) => boolean {
  const size = base?.length ?? 0
  if (base === undefined || borders === 'importance') return () => base !== undefined
  const near = (keys: Float64Array, places: readonly number[]): ((i: number) => boolean) => {
    const falling = keys.toSorted().reverse()
    const cuts = places.filter((place) => place > 0 && place <= size).flatMap((place) => [falling[place - 1]!, falling[place] ?? 0])
    return (i) => cuts.some((cut) => Math.abs(keys[i]! - cut) <= slack * Math.max(keys[i]!, cut))
  }
  if ('topk' in borders) {
    const variance = Float64Array.from({ length: size }, (_, i) => {
      const changes = inputs.map((input) => input[i]! - base[i]!)
      const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length
      return changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / changes.length
    })
    return near(variance, [Math.floor(borders.topk * variance.filter((value) => value > 0).length)])
  }
  const tests = inputs.map((input, k) => {
    const kept = Math.floor((borders.densities[k] ?? 1) * size)
    const top = Math.min(Math.floor((borders.gamma ?? 0) * size), size - kept)
    return near(
      Float64Array.from(input, (value, i) => Math.abs(value - base[i]!)),
      [top, top + kept],
    )
  })
  return (i) => tests.some((test) => test(i))
}

function spacing(magnitude: number, dtype: string): number {
  const [fraction, least] = grids[dtype] ?? [52, -1022]
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

/** Keys whose values differ; a key that only one side writes counts when the other side's class does not default to it, which Python decides later. */
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
