/** An extraction's plan as facts. */
import type { OpenedExtraction } from './extract-lora.ts'

export interface ExtractionDescription {
  readonly model: string
  readonly base: string
  /** Last part of modules' names → number of modules with factors, and their largest rank. */
  readonly factors: Readonly<Record<string, { readonly modules: number; readonly rank: number }>>
  readonly modulesToSave: readonly string[]
  /** Upper bound of the adapter's size. */
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
/** The change, its transpose, its products with the vectors, the vectors, and the tensors read for it. */
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
  return {
    model: model.model,
    base: base.model,
    factors,
    modulesToSave,
    bytes,
    memoryBytes: fixedMemory + 8 * matrices * largest,
    seconds,
    notes,
  }
}
