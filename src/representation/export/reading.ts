/** How a representation makes a vector of a model's states: what the three forms each have to say. */
import { fault } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { FinalNorm, ModelSettings, PoolingName } from '#model/passes'
import {
  type LayerNorm,
  type Mix,
  type Representation,
  representationName,
  toWhole,
  type WholeRepresentation,
  withoutVector,
} from '#representation/layers'
import type { ModulesSpec, ModuleStep, TokensRepresentation } from '#model/checkpoint'
import type { PoolMode } from '#model/graph'

/** The state after everything, one state, or several. */
export type ReadSettings = { readonly kind: 'last' } | { readonly kind: 'state'; readonly h: number } | Mixed
export interface Mixed {
  readonly kind: 'mix'
  readonly mix: Mix
  readonly layerNorm: LayerNorm
}

export interface Reading {
  readonly name: string
  readonly seen: ReadSettings
  /** Whether the final norm is applied to states before the last. */
  readonly finalNorm: FinalNorm
  /** Concatenated in this order. */
  readonly pooling: readonly PoolMode[]
  /** Steps applied to a pooled vector. */
  readonly later: readonly ExportedStep[]
}

/** A step that an exported model can have. */
export type ExportedStep = Exclude<ModuleStep, { kind: 'auto-encoder' | 'most-active' }>

export interface ReadFrom {
  readonly spec: ModelSpec
  readonly settings: ModelSettings
  readonly modules: ModulesSpec | undefined
}

/**
 * `normalize`: vectors of length 1, whatever the representation says. Throws `usage.conflict` for a pooling that is a
 * head of the model's own, and for a type of numbers.
 */
export function readingOf(
  representation: Representation,
  { spec, settings, modules }: ReadFrom,
  normalize: boolean,
): Reading {
  const name = representationName(representation)
  const whole = toWhole(representation)
  if (whole.kind === 'tokens') throw withoutVector(whole, 'export')
  const own = [
    ...(whole.kind === 'default' || whole.kind === 'splade' ? exportedSteps(modules, settings, name) : []),
    ...sizeOf(representation),
  ]
  const pooling = !('pooling' in whole) || whole.pooling === undefined ? settings.pooling : [whole.pooling]
  return {
    name,
    seen: seenBy(whole, spec, settings, modules),
    finalNorm: settings.finalNorm,
    pooling: pooling.map((mode) => poolModeOf(mode, name)),
    later: normalize && own.at(-1)?.kind !== 'normalize' ? [...own, { kind: 'normalize' }] : own,
  }
}

/** Throws `usage.conflict` for weights of words and codes of an autoencoder, and for queries that are read otherwise. */
function exportedSteps(
  modules: ModulesSpec | undefined,
  { splade }: Pick<ModelSettings, 'splade'>,
  name: string,
): ExportedStep[] {
  const steps = (modules?.later ?? []).filter(
    (step): step is ExportedStep => step.kind !== 'auto-encoder' && step.kind !== 'most-active',
  )
  if (
    name !== 'splade' &&
    splade === undefined &&
    modules?.routes === undefined &&
    steps.length === (modules?.later ?? []).length
  )
    return steps
  throw fault('usage.conflict', {
    place: name,
    what: 'sparse vectors, and models that read queries by other modules, are not exported',
    hint: 'export one of the layers, such as h3',
  })
}

/** The first numbers of a vector, after all else. */
function sizeOf(representation: Representation): ExportedStep[] {
  if (representation.kind !== 'sized') return []
  const { of, dimensions, type } = representation
  if (type === 'float32') return dimensions === undefined ? [] : [{ kind: 'truncate', width: dimensions }]
  const size = dimensions === undefined ? '' : `:${dimensions}`
  throw fault('usage.conflict', {
    place: '--representation',
    what: 'an exported model gives numbers with a point, and no other type',
    seen: representationName(representation),
    hint: `export ${representationName(of)}${size}, and quantise its vectors (precision of sentence-transformers)`,
  })
}

function seenBy(
  representation: Exclude<WholeRepresentation, TokensRepresentation>,
  spec: ModelSpec,
  { finalNorm }: ModelSettings,
  modules: ModulesSpec | undefined,
): ReadSettings {
  switch (representation.kind) {
    case 'default':
    case 'splade': {
      const layerMix = modules?.layerMix
      if (layerMix === undefined) return { kind: 'last' }
      const weights = new Float64Array(spec.layers + 1)
      weights.set(layerMix.weights, layerMix.start)
      return { kind: 'mix', mix: { kind: 'sum', weights }, layerNorm: 'none' }
    }
    case 'state': {
      const { h } = representation
      return h === spec.layers && isLastState(spec, finalNorm) ? { kind: 'last' } : { kind: 'state', h }
    }
    case 'combination':
      return { kind: 'mix', mix: representation.mix, layerNorm: representation.layerNorm }
    default:
      return representation satisfies never
  }
}

/** Whether hidden state L is the state after everything. */
function isLastState({ final }: ModelSpec, finalNorm: FinalNorm): boolean {
  return final.lastState === 'normed' || finalNorm === 'always'
}

function poolModeOf(mode: PoolingName, place: string): PoolMode {
  if (mode !== 'pooler') return mode
  throw fault('usage.conflict', {
    place,
    what: 'the pooler is a head of the last state, not a pooling that can be exported',
    hint: '--pooling mean, cls, …',
  })
}
