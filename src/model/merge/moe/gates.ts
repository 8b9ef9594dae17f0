/** Rows of routers, one an expert: from vectors of prompts, or from the seed. */
import { normalOf, openFraction, philox } from '#platform/random'
import { svd } from '#platform/linalg'

/** Rows [experts × width] of every layer that has a router. */
export type Gates = readonly Float32Array[]

/** Vectors of one prompt, one per layer [width each]. */
export type PromptVectors = readonly Float64Array[]

const smallest = 1e-8

/**
 * The mean of the positive prompts' vectors less that of the negative ones', of length 1, layer by layer.
 * mergekit-moe's `hidden` modes.
 */
export function hiddenGates(
  experts: readonly { readonly positive: readonly PromptVectors[]; readonly negative: readonly PromptVectors[] }[],
): Gates {
  return gatesOf(experts, (positive, negative) =>
    minus(mean(positive), negative.length === 0 ? undefined : mean(negative)),
  )
}

/**
 * The same with the sum of the prompts' vectors, scaled to length 1 before the negative one is taken off.
 * mergekit-moe's `cheap_embed`.
 */
export function embeddingGates(
  experts: readonly { readonly positive: readonly PromptVectors[]; readonly negative: readonly PromptVectors[] }[],
): Gates {
  return gatesOf(experts, (positive, negative) =>
    minus(unit(mean(positive)), negative.length === 0 ? undefined : unit(mean(negative))),
  )
}

function gatesOf(
  experts: readonly { readonly positive: readonly PromptVectors[]; readonly negative: readonly PromptVectors[] }[],
  row: (positive: readonly Float64Array[], negative: readonly Float64Array[]) => Float64Array,
): Gates {
  const layers = experts[0]?.positive[0]?.length ?? 0
  return Array.from({ length: layers }, (_, layer) => {
    const at = (prompts: readonly PromptVectors[]): Float64Array[] => prompts.flatMap((vectors) => vectors[layer] ?? [])
    const rows = experts.map(({ positive, negative }) => unit(row(at(positive), at(negative))))
    return Float32Array.from(rows.flatMap((values) => [...values]))
  })
}

function mean(vectors: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (let i = 0; i < out.length; i++) out[i]! += vector[i]! / vectors.length
  return out
}

function minus(a: Float64Array, b: Float64Array | undefined): Float64Array {
  return b === undefined ? a : a.map((value, i) => value - b[i]!)
}

function unit(vector: Float64Array): Float64Array {
  const norm = Math.max(smallest, Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)))
  return vector.map((value) => value / norm)
}

export interface RandomGates {
  layers: number
  experts: number
  width: number
  seed: number
}

/**
 * N(0, 1), or uniform in ±1/√width as a fresh linear layer's weights are. Element by element from the seed and the
 * layer.
 */
export function randomGates(kind: 'random' | 'uniform_random', { layers, experts, width, seed }: RandomGates): Gates {
  const scale = 1 / Math.sqrt(width)
  return Array.from({ length: layers }, (_, layer) => {
    const words = new Uint32Array(2 * experts * width)
    philox(`${seed}\0router\0${layer}`)(0, words)
    return Float32Array.from({ length: experts * width }, (__, i) =>
      kind === 'random' ? normalOf(words[2 * i]!, words[2 * i + 1]!) : (2 * openFraction(words[2 * i]!) - 1) * scale,
    )
  })
}

/** Largest over smallest singular value of each layer's rows; Infinity where rows depend on each other. */
export async function conditionNumbers(gates: Gates, experts: number): Promise<number[]> {
  return Promise.all(
    gates.map(async (rows) => {
      const { s } = await svd({ rows: experts, width: rows.length / experts, data: Float64Array.from(rows) })
      return s.length < experts ? Infinity : (s[0] ?? 0) / (s[experts - 1] ?? 0)
    }),
  )
}
