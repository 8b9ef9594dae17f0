/**
 * Several hidden states as one vector: a weighted sum of them, or blocks of them side by side on their principal
 * components.
 */
import { fault, fingerprint, matrix, type Matrix, mean } from '#core'
import { timesTransposed } from '#platform/linalg'
import type { PoolingName } from '#model/passes'

export const layerNorms = ['none', 'l2', 'zscore'] as const
/**
 * How each state's vector is normalised before mixing: not at all, to unit length, or to mean 0 and standard deviation
 * 1 over its coordinates. A vector of zeros, or one without deviation, becomes zeros.
 */
export type LayerNorm = (typeof layerNorms)[number]

/** A mean of states, times a factor, side by side with others. */
export interface MixedBlock {
  readonly layers: readonly number[]
  readonly factor: number
}

export interface Basis {
  /** [Σ width of the blocks] */
  readonly mean: Float32Array
  /** [width × Σ width of the blocks], rows orthonormal. */
  readonly components: Matrix
}

export type Mix =
  /** One weight a state, h = 0 first. */
  | { readonly kind: 'sum'; readonly weights: Float64Array }
  /**
   * (blocks − mean) · componentsᵀ, `width` numbers; the basis is made, or read, when it is first needed. `source`: hash
   * of what it is made from.
   */
  | {
      readonly kind: 'projection'
      readonly blocks: readonly MixedBlock[]
      readonly width: number
      readonly source: string
      readonly basis: () => Promise<Basis>
    }

export interface CombinationRepresentation {
  readonly kind: 'combination'
  /** `weighted-1a2b3c4d`: the method, and the beginning of the identity. */
  readonly name: string
  /** Hex SHA-256 of everything besides the model that decides a vector. */
  readonly identity: string
  readonly pooling?: PoolingName | undefined
  readonly layerNorm: LayerNorm
  readonly mix: Mix
  /** How it was found, for results: method, λ, similarity, quality, weights. */
  readonly about: Readonly<Record<string, unknown>>
}

/** Changes when the arithmetic does. */
const arithmetic = 1

/**
 * A mix of hidden states as a representation: one weight per state, h = 0 first, or a projection of several states side
 * by side. Its name holds the beginning of a hash of everything that decides a vector.
 *
 * @example
 * ```ts
 * import { combinationOf, openModel, openRepresentation } from 'strata-lm/layers'
 *
 * const mix = combinationOf('mine', {
 *   mix: { kind: 'sum', weights: Float64Array.of(0, 0, 0, 0.5, 0.5, 0) },
 *   about: { why: 'the mean of two layers' },
 * })
 * const model = await openModel('assets/models/stories260K')
 * const embedder = await openRepresentation(model, mix)
 * console.log(embedder.representation, (await embedder.embed(['Once upon a time'])).width) // → mine-27af1453 64
 * await model.close()
 * ```
 */
export function combinationOf(
  method: string,
  {
    mix,
    layerNorm = 'none',
    pooling,
    about,
  }: Pick<CombinationRepresentation, 'mix' | 'about' | 'pooling'> & { layerNorm?: LayerNorm | undefined },
): CombinationRepresentation {
  const what =
    mix.kind === 'sum' ? { weights: [...mix.weights] } : { blocks: mix.blocks, width: mix.width, source: mix.source }
  const identity = fingerprint({ arithmetic, kind: mix.kind, ...what, layerNorm, pooling: pooling ?? null })
  return { kind: 'combination', name: `${method}-${identity.slice(0, 8)}`, identity, pooling, layerNorm, mix, about }
}

/** States that take part, ascending. */
export function layersOf(mix: Mix): number[] {
  switch (mix.kind) {
    case 'sum':
      return Array.from(mix.weights.keys()).filter((h) => mix.weights[h] !== 0)
    case 'projection':
      return [...new Set(mix.blocks.flatMap(({ layers }) => layers))].sort((a, b) => a - b)
    default:
      return mix satisfies never
  }
}

/** States of the same rows in, one at a time and each once; their combination out. */
export interface Mixing {
  add(h: number, state: Matrix): Promise<void>
  /** [rows × width] */
  finish(): Matrix
}

/** `widths[h]`: of the states. Throws `representation.width` where states of unequal width would be added. */
export async function mixing(
  { mix, layerNorm, name }: CombinationRepresentation,
  rows: number,
  widths: readonly number[],
): Promise<Mixing> {
  const out = matrix(rows, mixedWidth({ mix, name }, widths))
  if (mix.kind === 'sum') {
    return {
      add(h, state) {
        const weight = mix.weights[h] ?? 0
        const { data } = normed(state, layerNorm)
        for (let i = 0; i < data.length; i++) out.data[i] = (out.data[i] ?? 0) + weight * (data[i] ?? 0)
        return Promise.resolve()
      },
      finish: () => out,
    }
  }
  const { mean, components } = await mix.basis()
  // (v − mean) · Cᵀ = v · Cᵀ − mean · Cᵀ, the first part state by state
  const offset = await timesTransposed(matrix(1, mean.length, mean), components)
  for (let row = 0; row < rows; row++)
    for (let k = 0; k < out.width; k++) out.data[row * out.width + k] = -(offset[k] ?? 0)
  const parts = partsOf(mix.blocks, widths)
  return {
    async add(h, state) {
      const vectors = normed(state, layerNorm)
      for (const { from, factor } of parts.filter((part) => part.layer === h)) {
        const own = matrix(components.rows, state.width)
        for (let k = 0; k < components.rows; k++)
          for (let i = 0; i < state.width; i++)
            own.data[k * state.width + i] = factor * (components.data[k * components.width + from + i] ?? 0)
        const projected = await timesTransposed(vectors, own)
        for (let i = 0; i < projected.length; i++) out.data[i] = (out.data[i] ?? 0) + (projected[i] ?? 0)
      }
    },
    finish: () => out,
  }
}

/**
 * Width of the vectors that come out. Throws `representation.width` where states of unequal width would be added,
 * `representation.unknown` for a state that is not there.
 */
export function mixedWidth(
  { mix, name }: Pick<CombinationRepresentation, 'mix' | 'name'>,
  widths: readonly number[],
): number {
  const widthOf = (layers: readonly number[]): number => {
    const found = [...new Set(layers.map((h) => widths[h] ?? 0))]
    const [width = 0] = found
    if (width === 0)
      throw fault('representation.unknown', {
        place: name,
        what: 'the model has no such hidden state',
        seen: layers,
        wanted: `0 … ${widths.length - 1}`,
      })
    if (found.length > 1)
      throw fault('representation.width', { place: name, what: 'states of unequal width cannot be added', seen: found })
    return width
  }
  switch (mix.kind) {
    case 'sum':
      return widthOf(layersOf(mix))
    case 'projection':
      for (const { layers } of mix.blocks) widthOf(layers)
      return mix.width
    default:
      return mix satisfies never
  }
}

/** For every layer of every block, the start of its columns and the factor of its vector. */
function partsOf(
  blocks: readonly MixedBlock[],
  widths: readonly number[],
): { layer: number; from: number; factor: number }[] {
  let from = 0
  return blocks.flatMap(({ layers, factor }) => {
    const own = layers.map((layer) => ({ layer, from, factor: factor / layers.length }))
    from += widths[layers[0] ?? 0] ?? 0
    return own
  })
}

/** Each row by itself; the matrix itself where nothing is to be done. */
export function normed(state: Matrix, layerNorm: LayerNorm): Matrix {
  if (layerNorm === 'none') return state
  const { rows, width, data } = state
  const out = matrix(rows, width)
  for (let row = 0; row < rows; row++) {
    const from = row * width
    const end = from + width
    const middle = layerNorm === 'zscore' ? mean(data.subarray(from, end)) : 0
    let square = 0
    for (let i = from; i < end; i++) square += (data[i]! - middle) ** 2
    const scale = Math.sqrt(layerNorm === 'zscore' ? square / width : square)
    if (scale > 0) for (let i = from; i < end; i++) out.data[i] = (data[i]! - middle) / scale
  }
  return out
}
