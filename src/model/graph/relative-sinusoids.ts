/** Relative positions of Transformer-XL and XLNet (Dai et al. 2019; Yang et al. 2019). N heads, D head width. */
import type { AttendedPositions, BlockSpec, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import { skew } from './disentangled.ts'
import type { Wiring } from './wiring.ts'

type RelativeSinusoids = Extract<AttendedPositions, { kind: 'relative-sinusoids' }>

/**
 * Terms next to q · k, all of it scaled: a · k, (q + b) · R(i − j) with keys R made of sinusoids, and where token types
 * are given (q + c) · e, e one vector for keys of the query's type and one for others. Queries and keys [B × N × S × D] →
 * [B × N × S × S].
 */
export function sinusoidScores(
  wiring: Wiring,
  { q, k }: { q: Value; k: Value },
  positions: RelativeSinusoids,
  block: BlockSpec,
): Value {
  const { builder, weights, tokenTypes } = wiring
  const { heads, headWidth } = block.attention
  const scaled = { transB: 1, alpha: { float: block.scale } }
  const bias = (slot: Slot): Value =>
    builder.reshape(weights.tensor(slot, [heads, headWidth], block), [1, heads, 1, headWidth])
  const content = builder.fused('FusedMatMul', [bias('block.attention.content.bias'), k], scaled) // [B × N × 1 × S]
  const moved = builder.add(q, bias('block.attention.position.bias'))
  const keys = positionKeys(wiring, positions, block)
  const scores = builder.add(content, skew(wiring, builder.fused('FusedMatMul', [moved, keys], scaled)))
  if (tokenTypes === undefined) return scores
  const vectors = builder.transpose(weights.tensor('block.attention.segment', [2, heads, headWidth], block), [1, 0, 2])
  const asked = builder.add(q, bias('block.attention.segment.bias'))
  const either = builder.fused('FusedMatMul', [asked, vectors], scaled) // [B × N × S × 2]
  const [same = '', other = ''] = builder.split('Split', [either, builder.int([1, 1])], 2, { axis: -1 })
  const isSame = builder.node('Equal', [
    builder.reshape(tokenTypes, [0, 1, -1, 1]),
    builder.reshape(tokenTypes, [0, 1, 1, -1]),
  ])
  return builder.add(scores, builder.node('Where', [isSame, same, other]))
}

/** Keys of the distances S, S − 1, … 1 − S from a query: [N × 2S × D]. The first one only fills. */
function positionKeys(
  { builder, spec, weights, columns }: Wiring,
  { clamp }: RelativeSinusoids,
  block: BlockSpec,
): Value {
  const { width } = spec
  const { heads, headWidth } = block.attention
  const size = builder.node('Size', [columns])
  const steps = builder.node('Range', [builder.int(0), builder.multiply(size, builder.int(2)), builder.int(1)])
  const distance = builder.node('Sub', [size, steps])
  const known =
    clamp === undefined ? distance : builder.node('Clip', [distance, builder.int(-clamp), builder.int(clamp)])
  const frequencies = Float32Array.from({ length: width / 2 }, (_, pair) => 1 / 10_000 ** ((2 * pair) / width))
  const angles = builder.multiply(
    builder.node('Unsqueeze', [builder.cast(known, 'float32'), builder.int([1])]),
    builder.float(frequencies),
  )
  const waves = builder.node('Concat', [builder.node('Sin', [angles]), builder.node('Cos', [angles])], { axis: -1 })
  const matrix = weights.tensor('block.attention.position.k', [width, heads, headWidth], block)
  const keys = builder.node('MatMul', [waves, builder.reshape(matrix, [width, heads * headWidth])])
  return builder.transpose(builder.reshape(keys, [-1, heads, headWidth]), [1, 0, 2])
}
