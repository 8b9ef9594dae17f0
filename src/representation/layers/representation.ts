/**
 * Names of representations: `default`, `h12`, `h12-cls`, `h12-maxsim`, with a size and a type behind them: `h12:128:int8`. What a
 * name means is settled here, once, for flags, results and caches.
 */
import { fault, fingerprint, suggestNearest } from '#core'
import { combinationOf, type CombinationRepresentation } from './combination.ts'
import { poolingNamed } from '#model/passes'
import { stateName, type StateRepresentation, tokensName, type TokensRepresentation } from '#model/checkpoint'
import type { VectorType } from './vector-type.ts'

/**
 * Vectors of all their numbers, in float32. `default`: as in `Representation`; `splade`: weights of the vocabulary by
 * the masked-LM head.
 */
export type WholeRepresentation =
  | { readonly kind: 'default' | 'splade' }
  | StateRepresentation
  | CombinationRepresentation
  | TokensRepresentation

/**
 * The first numbers of another representation, in a type of their own. They are cut after all that the model does and
 * not normalised again, as `truncate_dim` of sentence-transformers does it; the model's `normalize` comes after the
 * cut, the type last.
 */
export interface SizedRepresentation {
  readonly kind: 'sized'
  readonly of: WholeRepresentation
  /** Fewer than the vector has; undefined: all of them. */
  readonly dimensions?: number | undefined
  readonly type: VectorType
  /** Packed bits alone: documents of a search that the query's own numbers put in order. */
  readonly rescore?: number | undefined
}

/**
 * A value; `openRepresentation` makes an embedder of it. `default`: the model folder's own settings – its modules, or
 * otherwise mean pooling of the last state.
 */
export type Representation = WholeRepresentation | SizedRepresentation

/** A representation without its size and type. */
export function toWhole(representation: Representation): WholeRepresentation {
  return representation.kind === 'sized' ? representation.of : representation
}

/** What keys hold of a representation: its name, and all of the mix that a name abbreviates. */
export function representationKey(representation: Representation): string {
  const whole = toWhole(representation)
  if (whole.kind !== 'combination') return representationName(representation)
  return whole === representation ? whole.identity : fingerprint([whole.identity, representationName(representation)])
}

/**
 * `default`, `splade`, `h3`, `h-1` (the last), `h3-cls`, `mean:2-5` → a representation; `states` = L+1. Throws
 * `representation.unknown`, `usage.value` for a mean that is none.
 */
export function representationNamed(name: string, states: number): WholeRepresentation {
  if (name === 'default' || name === 'splade') return { kind: name }
  const [, first, last] = /^mean:(-?\d{1,6})-(-?\d{1,6})$/.exec(name) ?? []
  if (first !== undefined && last !== undefined)
    return meanOf(stateIndex(Number(first), states), stateIndex(Number(last), states), states)
  const match = /^h(-?\d{1,6})(?:-([a-z_]+))?$/.exec(name)
  if (match === null) {
    throw fault('representation.unknown', {
      place: '--representation',
      what: 'not a representation',
      seen: name,
      wanted: 'default, splade, h<number>, h<number>-<pooling>, h<number>-maxsim or mean:<number>-<number>',
      hint: suggestNearest(name, ['default', 'splade', 'mean:0-1', 'h0']),
    })
  }
  const h = stateIndex(Number(match[1]), states)
  if (match[2] === 'maxsim') return { kind: 'tokens', h }
  return match[2] === undefined ? { kind: 'state', h } : { kind: 'state', h, pooling: poolingNamed(match[2], name) }
}

/**
 * The plain mean of neighbouring states: of all combinations the one that needs no weights, and so means the same of
 * every checkpoint.
 */
function meanOf(first: number, last: number, states: number): CombinationRepresentation {
  const count = last - first + 1
  if (count < 2)
    throw fault('usage.value', {
      place: '--representation',
      what:
        count === 1 ? 'the mean of one state is that state' : 'the first state of a mean must not come after its last',
      seen: `mean:${first}-${last}`,
      wanted: count === 1 ? `h${first}` : `mean:${last}-${first}`,
    })
  const weights = Float64Array.from({ length: states }, (_, h) => (h >= first && h <= last ? 1 / count : 0))
  return combinationOf('mean', { mix: { kind: 'sum', weights }, about: { method: 'mean', weights: [...weights] } })
}

/** Names of the means of `count` neighbours among states, ascending. */
export function meansNamed(layers: readonly number[], count: number): string[] {
  const all = new Set(layers)
  return layers
    .filter((h) => Array.from({ length: count }, (_, i) => h + i).every((own) => all.has(own)))
    .map((h) => `mean:${h}-${h + count - 1}`)
}

/**
 * The name of a representation as results and caches write it.
 *
 * @example
 * ```ts
 * import { representationName } from 'strata-lm/layers'
 *
 * console.log(representationName({ kind: 'state', h: 3 })) // → h3
 * ```
 */
export function representationName(representation: Representation): string {
  switch (representation.kind) {
    case 'default':
    case 'splade':
      return representation.kind
    case 'state':
      return stateName(representation)
    case 'tokens':
      return tokensName(representation)
    case 'combination':
      return representation.name
    case 'sized': {
      const { of, dimensions, type, rescore } = representation
      const more = rescore === undefined ? [] : `rescore${rescore}`
      return [representationName(of), dimensions ?? [], type === 'float32' ? [] : type, more].flat().join(':')
    }
    default:
      return representation satisfies never
  }
}

/** The fault of asking tokens for one vector per text. */
export function withoutVector(representation: TokensRepresentation, place: string): Error {
  return fault('usage.conflict', {
    place,
    what: 'MaxSim compares tokens and has no vector per text',
    seen: tokensName(representation),
    hint: `strata evaluate and strata layers search by it; elsewhere name h${representation.h}`,
  })
}

/** `all`, or a list such as `0,3,-1`, as ascending hidden-state indexes without repeats. */
export function statesNamed(list: string, states: number): number[] {
  if (list === 'all') return Array.from({ length: states }, (_, h) => h)
  const indexes = list.split(',').map((part) => {
    const text = part.trim().replace(/^h/, '')
    if (!/^-?\d{1,6}$/.test(text))
      throw fault('usage.value', {
        place: '--layers',
        what: 'not a layer',
        seen: part,
        wanted: 'all, or hidden-state indexes such as 0,3,-1',
      })
    return stateIndex(Number(text), states)
  })
  return [...new Set(indexes)].sort((a, b) => a - b)
}

function stateIndex(index: number, states: number): number {
  const h = index < 0 ? states + index : index
  if (h < 0 || h >= states)
    throw fault('representation.unknown', {
      place: '--layers',
      what: 'the model has no such hidden state',
      seen: index,
      wanted: `0 … ${states - 1}, or -1 … -${states}`,
    })
  return h
}
