/** Doge's dynamic mask: how much a key is attended to depends on its value. */
import type { BlockSpec, DynamicMask } from '#model/architectures'
import type { Value } from './builder.ts'
import { masked } from './masked.ts'
import type { Wiring } from './wiring.ts'

interface Keys {
  readonly heads: number
  readonly keyHeads: number
  readonly headWidth: number
  readonly block: BlockSpec
}

/**
 * `bias` of the mask, [B × 1 × R × S], plus what the values [B × K × S × D] say of their keys: [B × N × R × S]. Where
 * there are more than `keep` keys, only those with the highest bias are seen.
 */
export function valueBias(
  wiring: Wiring,
  { values, bias }: { readonly values: Value; readonly bias: Value },
  { heads, keyHeads, headWidth, block }: Keys,
  { keep, bias: hasBias }: DynamicMask,
): Value {
  const { builder, weights, spec } = wiring
  const inner = keyHeads * headWidth
  const joined = builder.reshape(builder.transpose(values, [0, 2, 1, 3]), [0, 0, inner]) // [B × S × K·D]
  const weight = weights.tensor('block.attention.mask.project', [keyHeads, inner], block)
  const product = builder.fused('FusedMatMul', [joined, weight], { transB: 1 })
  const projected = hasBias
    ? builder.add(product, weights.tensor('block.attention.mask.project', [keyHeads], block, 'bias'))
    : product
  const decay = weights.tensor('block.attention.mask.decay', [keyHeads], block)
  const gains = builder.node('Exp', [builder.multiply(builder.node('Softplus', [projected]), decay)]) // [B × S × K]
  const byKey = builder.node('Unsqueeze', [builder.transpose(gains, [0, 2, 1]), builder.int([2])]) // [B × K × 1 × S]
  const both = builder.add(byKey, bias) // [B × K × R × S]
  const limited = keep < (spec.maxTokens ?? Infinity) ? keepHighest(wiring, both, keep) : both
  if (heads === keyHeads) return limited
  const shared = heads / keyHeads
  const repeated = builder.node(
    'Concat',
    Array.from({ length: shared }, () => builder.node('Unsqueeze', [limited, builder.int([2])])),
    { axis: 2 },
  )
  const [rows, queries, keys] = [0, 2, 3].map((axis) =>
    builder.node('Gather', [builder.node('Shape', [limited]), builder.int([axis])], { axis: 0 }),
  )
  return builder.node('Reshape', [
    repeated,
    builder.node('Concat', [rows ?? '', builder.int([heads]), queries ?? '', keys ?? ''], { axis: 0 }),
  ])
}

/** All but the `keep` highest of the last axis masked. */
function keepHighest({ builder }: Wiring, x: Value, keep: number): Value {
  const keys = builder.node('Gather', [builder.node('Shape', [x]), builder.int([-1])], { axis: 0 })
  const count = builder.node('Min', [keys, builder.int([keep])])
  const [best = '', which = ''] = builder.split('TopK', [x, count], 2, { axis: -1 })
  const none = builder.node('Expand', [builder.float(masked), builder.node('Shape', [x])])
  return builder.node('ScatterElements', [none, which, best], { axis: -1 })
}
