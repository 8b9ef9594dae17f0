/** Every requested way to combine layers, as representations: a setting without effect is tried once. */
import { type CallOptions, fault, type FaultParts } from '#core'
import { combinationOf, type CombinationRepresentation, type LayerNorm, type Mix } from '#representation/layers'
import type { StateRepresentation } from '#model/checkpoint'
import {
  type AggregationMethod,
  type AggregationOptions,
  type Combination,
  defaults,
} from '#representation/aggregation'
import type { Recipe } from '#result/ledger'
import type { LayerSpace } from './layer-space.ts'
import type { Quality } from './quality.ts'

export type { Recipe }

export interface Candidate {
  readonly representation: CombinationRepresentation
  /** Every recipe of the method that leads to the same vectors, the first one first. */
  readonly recipes: readonly Recipe[]
  /** A representation with the same vectors that is scored in its place: a single state, or an earlier candidate. */
  readonly same: StateRepresentation | CombinationRepresentation | undefined
}

export interface CandidateOptions extends Pick<CallOptions, 'signal'>, Partial<Omit<AggregationOptions, 'lambda'>> {
  readonly methods: readonly AggregationMethod[]
  readonly lambdas: readonly number[]
  /** Layer × layer, by name. */
  readonly similarities: ReadonlyMap<string, Float64Array>
  readonly layerNorm: LayerNorm
  readonly components: number
}

/**
 * In the order of methods, similarities, λ. `qualityBy`: quality may come from a similarity matrix (null: for a method
 * that uses none).
 */
export async function makeCandidates(
  space: LayerSpace | undefined,
  qualityBy: (similarity: string | null) => Quality,
  { methods, lambdas, similarities, layerNorm, components, signal, ...options }: CandidateOptions,
): Promise<Candidate[]> {
  const found: { representation: CombinationRepresentation; recipes: Recipe[]; same: Candidate['same'] }[] = []
  for (const method of methods) {
    const names: (string | null)[] = method.uses.includes('similarity') ? [...similarities.keys()] : [null]
    const prices: (number | null)[] = method.uses.includes('lambda') ? [...lambdas] : [null]
    for (const similarity of names) {
      const quality = qualityBy(similarity)
      for (const lambda of prices) {
        signal?.throwIfAborted()
        const known = {
          similarity: (similarity === null ? undefined : similarities.get(similarity)) ?? new Float64Array(),
          quality: quality.used,
        }
        const combination = await method.combine(known, { ...defaults, ...options, lambda: lambda ?? defaults.lambda })
        const mix = await mixOf(space, combination, components)
        const recipe: Recipe = { method: method.name, lambda, similarity }
        const about = { ...recipe, quality: quality.from, ...quality.notes, layerNorm, ...contentOf(combination, mix) }
        const representation = combinationOf(method.name, { mix, layerNorm, about })
        const twin = found.find(
          (one) =>
            one.representation.name === representation.name && one.representation.identity === representation.identity,
        )
        if (twin !== undefined) twin.recipes.push(recipe)
        else
          found.push({
            representation,
            recipes: [recipe],
            same: singleState(representation) ?? firstOf(representation, found),
          })
      }
    }
  }
  return found
}

function firstOf(
  { identity }: CombinationRepresentation,
  found: readonly Candidate[],
): CombinationRepresentation | undefined {
  return found.find(({ representation }) => representation.identity === identity)?.representation
}

/** A sum of one unchanged state is that state. */
function singleState({ mix, layerNorm }: CombinationRepresentation): StateRepresentation | undefined {
  if (mix.kind !== 'sum' || layerNorm !== 'none') return undefined
  const used = Array.from(mix.weights.keys()).filter((h) => mix.weights[h] !== 0)
  const [h] = used
  return used.length === 1 && h !== undefined && mix.weights[h] === 1 ? { kind: 'state', h } : undefined
}

async function mixOf(space: LayerSpace | undefined, combination: Combination, components: number): Promise<Mix> {
  switch (combination.kind) {
    case 'sum':
      return combination
    case 'projection': {
      // in the order of the layers: principal components do not depend on the order of blocks
      const blocks = combination.blocks.toSorted((a, b) => (a.layers[0] ?? 0) - (b.layers[0] ?? 0))
      if (space === undefined) throw fault('usage.value', noCorpus)
      const width = await space.width(blocks, components)
      return { kind: 'projection', blocks, width, source: space.source, basis: () => space.basis(blocks, width) }
    }
    default:
      return combination satisfies never
  }
}

/** For methods that need texts when there are none. */
export const noCorpus: FaultParts = {
  place: '--pca-corpus',
  what: 'no texts to compare the layers on: none of the tasks has a training split',
  hint: 'give --pca-corpus FILE, or task:NAME[:split] of another task',
}

/** Facts about the combination that a result stores. */
function contentOf({ kind, notes }: Combination, mix: Mix): Record<string, unknown> {
  const rest = Object.fromEntries(
    Object.entries(notes).map(([name, value]) => [name, value instanceof Float64Array ? [...value] : value]),
  )
  if (mix.kind === 'projection') return { ...rest, components: mix.width, blocks: mix.blocks }
  return {
    ...rest,
    weights: Object.fromEntries(Array.from(mix.weights.keys(), (h) => [h, mix.weights[h]])),
    ...(kind === 'sum' ? {} : { kind }),
  }
}
