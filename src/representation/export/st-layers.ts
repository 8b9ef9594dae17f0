/**
 * Which of its layers sentence-transformers is to add up, for representations that are not simply the last state of a
 * shorter model.
 */
import { fault } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { Basis } from '#representation/layers'
import { columnsOf, offsetOf } from './affine.ts'
import { whyNotLast } from './first-blocks.ts'
import type { Reading, ReadSettings } from './reading.ts'

export interface LibraryLayers {
  /** Blocks the model keeps. */
  readonly blocks: number
  /** Weights of the states `start … blocks`; undefined: the last state alone. The library divides them by their sum. */
  readonly weighted: { readonly start: number; readonly weights: Float32Array } | undefined
  /** The layer after the pooling. */
  readonly dense:
    | { readonly inputs: number; readonly outputs: number; readonly weight: Float32Array; readonly bias: Float32Array }
    | undefined
}

type Refuse = (what: string, hint?: string) => never

/** Throws `usage.conflict`, with the reason, for what the library's modules cannot say. */
export async function libraryLayers(reading: Reading, spec: ModelSpec): Promise<LibraryLayers> {
  const { name, seen, finalNorm } = reading
  const refuse: Refuse = (what, hint = '--as onnx') => {
    throw fault('usage.conflict', { place: name, what, hint })
  }
  const shares = sharesOf(seen, spec.layers, refuse)
  refuseScaled([...shares.values()], reading, refuse)
  const dense =
    seen.kind === 'mix' && seen.mix.kind === 'projection'
      ? denseOf(await seen.mix.basis(), seen.mix.blocks[0]?.factor ?? 1)
      : undefined
  const states = [...shares.keys()].sort((a, b) => a - b)
  const [first = 0, last = first] = [states[0], states.at(-1)]
  if (seen.kind === 'last' || (shares.size === 1 && whyNotLast(last, finalNorm, spec) === undefined))
    return { blocks: last, weighted: undefined, dense }
  refuseUnmixable(reading, spec, refuse)
  // In a shorter model the last state would be normed: one block more keeps it an inner one. A model has at least one
  // block.
  const blocks = Math.max(1, spec.final.norm && last < spec.layers ? last + 1 : last)
  const weights = Float32Array.from({ length: blocks + 1 - first }, (_, k) => shares.get(first + k) ?? 0)
  return { blocks, weighted: { start: first, weights }, dense }
}

/** What each state counts, before a projection's factor. */
function sharesOf(seen: ReadSettings, layers: number, refuse: Refuse): ReadonlyMap<number, number> {
  if (seen.kind !== 'mix') return new Map([[seen.kind === 'last' ? layers : seen.h, 1]])
  const { mix, layerNorm } = seen
  if (layerNorm !== 'none')
    refuse(
      `each layer's vector is normalised (${layerNorm}) before it is mixed, and the library has no module for that`,
    )
  switch (mix.kind) {
    case 'sum':
      return new Map([...mix.weights.entries()].filter(([, weight]) => weight !== 0))
    case 'projection': {
      const [block, ...more] = mix.blocks
      if (block === undefined || more.length > 0)
        return refuse('layers stand side by side, and the library can only add them')
      const shares = new Map<number, number>()
      for (const h of block.layers) shares.set(h, (shares.get(h) ?? 0) + 1 / block.layers.length)
      return shares
    }
    default:
      return mix satisfies never
  }
}

/** Room for weights that were rounded when they were written. */
const sumTolerance = 1e-6

/** The library divides by the sum of the weights; a factor is lost where vectors are normalised at once. */
function refuseScaled(weights: readonly number[], { seen, later }: Reading, refuse: Refuse): void {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const isLost = later[0]?.kind === 'normalize' && seen.kind === 'mix' && seen.mix.kind === 'sum' && sum > 0
  if (Math.abs(sum - 1) > sumTolerance && !isLost)
    refuse(`the weights add up to ${sum}, and WeightedLayerPooling divides by that`, '--normalize, or --as onnx')
}

/** WeightedLayerPooling takes `hidden_states` as transformers gives them, and stands before the pooling. */
function refuseUnmixable({ finalNorm, pooling }: Reading, { stateNames, final }: ModelSpec, refuse: Refuse): void {
  if (stateNames !== 'embeddings-first')
    refuse('the hidden_states of this family in transformers are not the states that are mixed')
  if (final.project !== undefined) refuse('the model projects its last state: its hidden_states have two widths')
  if (final.norm && finalNorm === 'always')
    refuse(
      'states are mixed after the final norm, and transformers gives inner states before it',
      '--final-norm native if those are meant; --as onnx',
    )
  if (pooling.includes('max'))
    refuse(
      'the library mixes tokens before it pools them, and the largest value of a mix is not the mix of the largest values',
    )
}

function denseOf(basis: Basis, factor: number): NonNullable<LibraryLayers['dense']> {
  const { rows, width } = basis.components
  return { inputs: width, outputs: rows, weight: columnsOf(basis, { from: 0, width, factor }), bias: offsetOf(basis) }
}
