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

/**
 * A `Mixing` for each number of rows; what all of them share is made once, for the first. `widths[h]`: of the states.
 * Throws `representation.width` where states of unequal width would be added.
 */
export function mixer(
  { mix, layerNorm, name }: CombinationRepresentation,
  widths: readonly number[],
): (rows: number) => Promise<Mixing> {
  const width = mixedWidth({ mix, name }, widths)
  if (mix.kind === 'sum') return (rows) => Promise.resolve(weightedSum(matrix(rows, width), mix.weights, layerNorm))
  let shared: Promise<Projection> | undefined
  return async (rows) => {
    shared ??= mix.basis().then((basis) => projectionOf(basis, mix.blocks, widths))
    return projected(matrix(rows, width), await shared, layerNorm)
  }
}

interface Projection {
  /** mean · Cᵀ */
  readonly offset: Float32Array
  /** The columns of C that a layer meets, times its factor. */
  readonly parts: readonly { readonly layer: number; readonly components: Matrix }[]
}

async function projectionOf(
  { mean, components }: Basis,
  blocks: readonly MixedBlock[],
  widths: readonly number[],
): Promise<Projection> {
  return {
    offset: await timesTransposed(matrix(1, mean.length, mean), components),
    parts: partsOf(blocks, widths).map(({ layer, from, factor }) => ({
      layer,
      components: columnsOf(components, { from, width: widths[layer] ?? 0, factor }),
    })),
  }
}

/** (v − mean) · Cᵀ = v · Cᵀ − mean · Cᵀ, the first part state by state. */
function projected(out: Matrix, { offset, parts }: Projection, layerNorm: LayerNorm): Mixing {
  const start = offset.map((value) => -value)
  for (let row = 0; row < out.rows; row++) out.data.set(start, row * out.width)
  let product: Float32Array | undefined
  return {
    async add(h, state) {
      const vectors = normed(state, layerNorm)
      for (const { components } of parts.filter(({ layer }) => layer === h)) {
        product = await timesTransposed(vectors, components, product)
        addTo(out.data, product, 1)
      }
    },
    finish: () => out,
  }
}

function weightedSum(out: Matrix, weights: Float64Array, layerNorm: LayerNorm): Mixing {
  return {
    add(h, state) {
      addTo(out.data, normed(state, layerNorm).data, weights[h] ?? 0)
      return Promise.resolve()
    },
    finish: () => out,
  }
}

/** sums += weight · values, added up in float64 and rounded to float32. */
function addTo(sums: Float32Array, values: Float32Array, weight: number): void {
  for (let i = 0; i < values.length; i++) sums[i] = sums[i]! + weight * values[i]!
}

/** `width` columns of the components from `from` on, times a factor. */
function columnsOf(
  { rows, width: all, data }: Matrix,
  { from, width, factor }: { readonly from: number; readonly width: number; readonly factor: number },
): Matrix {
  const out = matrix(rows, width)
  for (let k = 0; k < rows; k++)
    for (let i = 0; i < width; i++) out.data[k * width + i] = factor * (data[k * all + from + i] ?? 0)
  return out
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
