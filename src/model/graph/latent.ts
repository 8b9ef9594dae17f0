/**
 * Multi-head latent attention (DeepSeek-AI 2024, DeepSeek-V2): queries, keys and values of all heads come from a few
 * latent columns, and one rotated key stands in every head.
 */
import type { BlockSpec, LatentSpec, NormSpec } from '#model/architectures'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import { rotate, type RotaryCache } from './rotary.ts'
import { linear, type Wiring } from './wiring.ts'

/** q and k [B × S × N·D], v [B × S × N·V], rotated by `cache`. */
export function projectLatent(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  latent: LatentSpec,
  cache: RotaryCache | undefined,
): { readonly q: Value; readonly k: Value; readonly v: Value } {
  const { builder, spec } = wiring
  const { heads, headWidth, bias, valueWidth = headWidth } = block.attention
  const { rank, rotated, norm, factors } = latent
  const plain = headWidth - rotated
  const both = linear(wiring, x, 'block.attention.latent.kv', {
    in: spec.width,
    out: rank + rotated,
    bias: bias.qkv,
    place: block,
  })
  const [low = '', shared = ''] = builder.split('Split', [both, builder.int([rank, rotated])], 2, { axis: -1 })
  const normed = normalize(wiring, low, { slot: 'block.attention.latent.kv.norm', norm, width: rank, place: block })
  const expanded = linear(wiring, scaled(wiring, normed, factors?.key), 'block.attention.latent.heads', {
    in: rank,
    out: heads * (plain + valueWidth),
    bias: false,
    place: block,
  })
  const [keys = '', values = ''] = builder.split(
    'Split',
    [builder.reshape(expanded, [0, 0, heads, plain + valueWidth]), builder.int([plain, valueWidth])],
    2,
    { axis: -1 },
  )
  const turn = (value: Value, count: number): Value =>
    cache === undefined ? value : rotate(wiring, value, cache, count, rotated)
  const sharedByHead = builder.node('Expand', [
    builder.reshape(turn(shared, 1), [0, 0, 1, rotated]),
    builder.int([1, 1, heads, 1]),
  ])
  const joined = (first: Value, second: Value): Value =>
    builder.reshape(builder.node('Concat', [first, second], { axis: -1 }), [0, 0, heads * headWidth])
  const [still = '', turning = ''] = builder.split(
    'Split',
    [builder.reshape(queries(wiring, x, block, latent), [0, 0, heads, headWidth]), builder.int([plain, rotated])],
    2,
    { axis: -1 },
  )
  const turned = builder.reshape(turn(builder.reshape(turning, [0, 0, heads * rotated]), heads), [0, 0, heads, rotated])
  return {
    q: scaled(wiring, joined(still, turned), factors?.query),
    k: joined(keys, sharedByHead),
    v: builder.reshape(values, [0, 0, heads * valueWidth]),
  }
}

/** [B × S × N·D], before they are rotated. */
function queries(wiring: Wiring, x: Value, block: BlockSpec, { queryRank, norm }: LatentSpec): Value {
  const { spec } = wiring
  const { heads, headWidth } = block.attention
  const out = { out: heads * headWidth, bias: false, place: block }
  if (queryRank === undefined) return linear(wiring, x, 'block.attention.q', { ...out, in: spec.width })
  const normed = queryLatent(wiring, x, block, { queryRank, norm })
  return linear(wiring, normed, 'block.attention.q', { ...out, in: queryRank })
}

/** The columns from which queries are made, [B × S × rank]. */
export function queryLatent(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  { queryRank, norm }: { readonly queryRank: number; readonly norm: NormSpec },
): Value {
  const low = linear(wiring, x, 'block.attention.latent.q', {
    in: wiring.spec.width,
    out: queryRank,
    bias: block.attention.bias.qkv,
    place: block,
  })
  return normalize(wiring, low, { slot: 'block.attention.latent.q.norm', norm, width: queryRank, place: block })
}

function scaled({ builder }: Wiring, x: Value, factor = 1): Value {
  return factor === 1 ? x : builder.multiply(x, builder.float(factor))
}
