/** Names of representations: `default`, `h12`, `h12-cls`. What a name means is settled here, once, for flags, results and caches. */
import { fault } from '#core'
import type { CombinationRepresentation } from './combination.ts'
import { type PoolingName, poolingNamed } from './pooling-name.ts'

/** Hidden state h, pooled; none of the model's later modules. */
export interface StateRepresentation {
  readonly kind: 'state'
  readonly h: number
  readonly pooling?: PoolingName | undefined
}

/** A value; `openRepresentation` makes an embedder of it. `default`: what the model folder itself says – its modules, else mean pooling of the last state. */
export type Representation = { readonly kind: 'default' } | StateRepresentation | CombinationRepresentation

/** `default`, `h3`, `h-1` (the last), `h3-cls` → a representation; `states` = L+1. Throws `representation.unknown`. */
export function representationNamed(name: string, states: number): Representation {
  if (name === 'default') return { kind: 'default' }
  const match = /^h(-?\d{1,6})(?:-([a-z_]+))?$/.exec(name)
  if (match === null) {
    throw fault('representation.unknown', {
      place: '--representation',
      what: 'not a representation',
      seen: name,
      wanted: 'default, h<number> or h<number>-<pooling>',
    })
  }
  const h = stateIndex(Number(match[1]), states)
  return match[2] === undefined ? { kind: 'state', h } : { kind: 'state', h, pooling: poolingNamed(match[2], name) }
}

/** The name as results and caches write it. */
export function representationName(representation: Representation): string {
  switch (representation.kind) {
    case 'default':
      return 'default'
    case 'state':
      return `h${representation.h}${representation.pooling === undefined ? '' : `-${representation.pooling}`}`
    case 'combination':
      return representation.name
    default:
      return representation satisfies never
  }
}

/** `all`, or a list such as `0,3,-1`, as ascending hidden-state indexes without repeats. */
export function statesNamed(list: string, states: number): number[] {
  if (list === 'all') return Array.from({ length: states }, (_, h) => h)
  const indexes = list.split(',').map((part) => {
    const text = part.trim().replace(/^h/, '')
    if (!/^-?\d{1,6}$/.test(text))
      throw fault('usage.value', { place: '--layers', what: 'not a layer', seen: part, wanted: 'all, or hidden-state indexes such as 0,3,-1' })
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
