/** An extraction's plan as facts, and as lines for a person. */
import { duration } from '#core'
import type { OpenedExtraction } from './extract-lora.ts'

export interface ExtractionDescription {
  readonly model: string
  readonly base: string
  /** Last part of modules' names: how many of them get factors, and their largest rank. */
  readonly factors: Readonly<Record<string, { readonly modules: number; readonly rank: number }>>
  readonly modulesToSave: readonly string[]
  /** Upper bound of the adapter. */
  readonly bytes: number
  readonly memoryBytes: number
  /** A rough figure. */
  readonly seconds: number
  readonly notes: readonly string[]
}

/** CPU seconds of a decomposition for n³ of its smaller side, from 8 s at n = 2048 and 60 s at 4096. */
const secondsPerCube = 9e-10
/** The program, the engine and its kernels. */
const fixedMemory = 256 * 2 ** 20
/** The change, its transpose, its products with the vectors, the vectors, and what was read for it. */
const matrices = 6

export function describeExtraction({ model, base, plan }: OpenedExtraction): ExtractionDescription {
  const factors: Record<string, { modules: number; rank: number }> = {}
  let [largest, seconds] = [0, 0]
  for (const { module, rank, rows, width } of plan.factors) {
    const name = module.slice(module.lastIndexOf('.') + 1)
    const known = factors[name] ?? { modules: 0, rank: 0 }
    factors[name] = { modules: known.modules + 1, rank: Math.max(known.rank, rank) }
    largest = Math.max(largest, rows * width)
    seconds += secondsPerCube * Math.min(rows, width) ** 3
  }
  const { modulesToSave, bytes, notes } = plan
  return { model: model.model, base: base.model, factors, modulesToSave, bytes, memoryBytes: fixedMemory + 8 * matrices * largest, seconds, notes }
}

export function extractionLines({ model, base, factors, modulesToSave, bytes, memoryBytes, seconds, notes }: ExtractionDescription): string[] {
  const row = (name: string, text: string): string => `${name.padEnd(10)}  ${text}`
  const more = modulesToSave.length > 6 ? ` and ${modulesToSave.length - 6} more` : ''
  return [
    row('model', model),
    row('base', base),
    ...Object.entries(factors).map(([name, { modules, rank }]) => row('factors', `${modules} × ${name}, rank ≤ ${rank}`)),
    ...(modulesToSave.length === 0 ? [] : [row('whole', `${modulesToSave.slice(0, 6).join(', ')}${more}`)]),
    row('output', `≤ ${(bytes / 1e6).toFixed(1)} MB`),
    row('memory', `≤ ${Math.ceil(memoryBytes / 1e6)} MB`),
    row('time', `roughly ${duration(Math.max(1, seconds))}`),
    ...notes.map((note) => row('notice', note)),
  ]
}
