/**
 * Sparse attention by an indexer (DeepSeek-AI 2025, DeepSeek-V3.2): a few small heads score all keys, and a query sees
 * the best of them.
 */
import type { BlockSpec, IndexerSpec } from '#model/architectures'
import { byHead } from './attention-heads.ts'
import type { Value } from './builder.ts'
import { masked } from './masked.ts'
import { normalize } from './norm.ts'
import { rotate, type RotaryCache } from './rotary.ts'
import { linear, type Wiring } from './wiring.ts'

export interface Indexed {
  readonly x: Value
  /** The columns from which queries are made, normed. */
  readonly low: Value
  readonly queryRank: number
  /** What mask and order add to scores, [B × 1 × S × S]. */
  readonly seen: Value
  readonly cache: RotaryCache | undefined
}

/** Added to scores: a large negative number for keys that are not among the best, [B × 1 × S × S]. */
export function indexBias(
  wiring: Wiring,
  { x, low, queryRank, seen, cache }: Indexed,
  block: BlockSpec,
  { heads, width, top, interleaved }: IndexerSpec,
): Value {
  const { builder, spec, columns } = wiring
  const into = { bias: false, place: block } as const
  const turn = (value: Value, count: number): Value =>
    cache === undefined
      ? value
      : rotate(wiring, value, { ...cache, rotary: { ...cache.rotary, interleaved } }, count, width)
  const queries = linear(wiring, low, 'block.attention.index.q', { ...into, in: queryRank, out: heads * width })
  const keys = normalize(
    wiring,
    linear(wiring, x, 'block.attention.index.k', { ...into, in: spec.width, out: width }),
    {
      slot: 'block.attention.index.k.norm',
      norm: { kind: 'layer', epsilon: 1e-6, weight: 'plain', bias: true },
      width,
      place: block,
    },
  )
  const products = builder.fused(
    'FusedMatMul',
    [byHead(builder, turn(queries, heads), heads, width), byHead(builder, turn(keys, 1), 1, width)],
    { transB: 1, alpha: { float: width ** -0.5 } },
  ) // [B × H × S × S]
  const shares = linear(wiring, x, 'block.attention.index.weights', {
    ...into,
    in: spec.width,
    out: heads,
    decides: true,
  })
  const weights = builder.multiply(byHead(builder, shares, heads, 1), builder.float(heads ** -0.5))
  const scores = builder.node('ReduceSum', [
    builder.multiply(builder.node('Relu', [products]), weights),
    builder.int([1]),
  ])
  const count = builder.node('Min', [builder.node('Size', [columns]), builder.int(top)])
  const [, best = ''] = builder.split('TopK', [builder.add(scores, seen), builder.reshape(count, [1])], 2, { axis: -1 })
  const all = builder.node('Expand', [builder.float(masked), builder.node('Shape', [scores])])
  const zeros = builder.node('ConstantOfShape', [builder.node('Shape', [best])])
  return builder.node('ScatterElements', [all, best, zeros], { axis: 3 })
}
