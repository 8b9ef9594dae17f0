/** How a representation makes a vector of a model's states: what the three forms each have to say. */
import { fault } from '#core'
import type { ModelSpec } from '#model/architectures'
import type { FinalNorm, ModelSettings, PoolingName } from '#model/passes'
import { type LayerNorm, type Mix, representationName, type WholeRepresentation } from '#representation/layers'
import type { ModulesSpec, ModuleStep } from '#model/checkpoint'
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
  readonly later: readonly ModuleStep[]
}

export interface ReadFrom {
  readonly spec: ModelSpec
  readonly settings: ModelSettings
  readonly modules: ModulesSpec | undefined
}

/**
 * `normalize`: vectors of length 1, whatever the representation says. Throws `usage.conflict` for a pooling that is a
 * head of the model's own.
 */
export function readingOf(
  representation: WholeRepresentation,
  { spec, settings, modules }: ReadFrom,
  normalize: boolean,
): Reading {
  const name = representationName(representation)
  const own = representation.kind === 'default' ? (modules?.later ?? []) : []
  const pooling =
    representation.kind === 'default' || representation.pooling === undefined
      ? settings.pooling
      : [representation.pooling]
  return {
    name,
    seen: seenBy(representation, spec, settings, modules),
    finalNorm: settings.finalNorm,
    pooling: pooling.map((mode) => poolModeOf(mode, name)),
    later: normalize && own.at(-1)?.kind !== 'normalize' ? [...own, { kind: 'normalize' }] : own,
  }
}

function seenBy(
  representation: WholeRepresentation,
  spec: ModelSpec,
  { finalNorm }: ModelSettings,
  modules: ModulesSpec | undefined,
): ReadSettings {
  switch (representation.kind) {
    case 'default': {
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
