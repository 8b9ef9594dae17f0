/** Norms of queries, keys and values, over all heads or one by one. */
import type { BlockSpec, NormSpec, Place, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import { normalize, normalizeBy } from './norm.ts'
import type { Projected } from './projections.ts'
import type { Wiring } from './wiring.ts'

export function normedHeads(wiring: Wiring, projected: Projected, block: BlockSpec): Projected {
  const { keyHeads, headWidth, valueNorm } = block.attention
  const { builder } = wiring
  const v =
    valueNorm === undefined
      ? projected.v
      : builder.reshape(
          normalizeBy(wiring, builder.reshape(projected.v, [0, 0, keyHeads, headWidth]), valueNorm, headWidth),
          [0, 0, keyHeads * headWidth],
        )
  return { q: normedHead(wiring, projected.q, block, 'q'), k: normedHead(wiring, projected.k, block, 'k'), v }
}

/** Queries or keys, [B × S × heads·D]. */
export function normedHead(wiring: Wiring, x: Value, block: BlockSpec, side: 'q' | 'k'): Value {
  const { queryKeyNorm: rule, heads, keyHeads, headWidth } = block.attention
  if (rule === undefined) return x
  const [slot, count]: [Slot, number] =
    side === 'q' ? ['block.attention.q.norm', heads] : ['block.attention.k.norm', keyHeads]
  if (rule.over === 'all-heads')
    return normalize(wiring, x, { slot, norm: rule.norm, width: count * headWidth, place: block })
  const split = wiring.builder.reshape(x, [0, 0, count, headWidth])
  const named = { slot, norm: rule.norm, width: headWidth, place: block }
  const result =
    rule.over === 'head'
      ? normalize(wiring, split, named)
      : eachHead(wiring, split, { ...named, count, stacked: rule.over === 'stacked-heads' })
  return wiring.builder.reshape(result, [0, 0, count * headWidth])
}

interface HeadNorms {
  readonly slot: Slot
  readonly norm: NormSpec
  readonly count: number
  readonly width: number
  readonly place: Place
  /** One tensor holds the weights of all heads. */
  readonly stacked: boolean
}

/** A norm of its own for every head: one neutral norm, then all heads' weights at once. */
function eachHead(wiring: Wiring, x: Value, { slot, norm, count, width, place, stacked }: HeadNorms): Value {
  const { builder, weights } = wiring
  const oneByOne = (): Value =>
    builder.node(
      'Concat',
      Array.from({ length: count }, (_, h) =>
        builder.reshape(weights.tensor(slot, [width], { ...place, h }), [1, width]),
      ),
      { axis: 0 },
    )
  return builder.multiply(
    normalizeBy(wiring, x, { ...norm, weight: 'none' }, width),
    stacked ? weights.tensor(slot, [count, width], place) : oneByOne(),
  )
}
