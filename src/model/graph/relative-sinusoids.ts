/**
 * Relative positions of Transformer-XL, XLNet and Funnel (Dai et al. 2019; Yang et al. 2019; Dai et al. 2020). N heads, D
 * head width, R queries.
 */
import type { AttendedPositions, BlockSpec, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import { skewBy } from './disentangled.ts'
import type { Wiring } from './wiring.ts'

type RelativeSinusoids = Extract<AttendedPositions, { kind: 'relative-sinusoids' }>

/**
 * Terms next to q · k, all of it scaled: a · k, (q + b) · P(i − j) with keys P made of sinusoids, and where token types
 * are given (q + c) · e, e one vector for keys of the query's type and one for others. Queries [B × N × R × D] and keys
 * [B × N × S × D] → [B × N × R × S].
 */
export function sinusoidScores(
  wiring: Wiring,
  { q, k }: { q: Value; k: Value },
  positions: RelativeSinusoids,
  block: BlockSpec,
): Value {
  const { builder, weights } = wiring
  const { heads, headWidth } = block.attention
  const scaled = { transB: 1, alpha: { float: block.scale } }
  const bias = (slot: Slot): Value =>
    builder.reshape(weights.tensor(slot, [heads, headWidth], block), [1, heads, 1, headWidth])
  const content = builder.fused('FusedMatMul', [bias('block.attention.content.bias'), k], scaled) // [B × N × 1 × S]
  const moved = builder.add(q, bias('block.attention.position.bias'))
  const sizes = readSizes(wiring)
  const keys = positionKeys(wiring, positions, block, sizes)
  const placed = skewBy(wiring, builder.fused('FusedMatMul', [moved, keys], scaled), sizes)
  const types = sameTypes(wiring, positions)
  if (types === undefined && positions.firstApart !== true) return builder.add(content, placed)
  const vectors = builder.transpose(weights.tensor('block.attention.segment', [2, heads, headWidth], block), [1, 0, 2])
  const asked = builder.add(q, bias('block.attention.segment.bias'))
  const either = builder.fused('FusedMatMul', [asked, vectors], scaled) // [B × N × R × 2]
  const [first = '', second = ''] = builder.split('Split', [either, builder.int([1, 1])], 2, { axis: -1 })
  const [same, other] = positions.sharedType === undefined ? [first, second] : [second, first]
  const typed = types === undefined ? same : builder.node('Where', [types, same, other])
  if (positions.firstApart !== true) return builder.add(builder.add(content, placed), typed)
  return builder.add(content, builder.multiply(builder.add(placed, typed), withoutFirst(wiring)))
}

interface Sizes {
  /** Distances before that of the first query and key: queries · step. */
  readonly start: Value
  readonly rows: Value
  readonly cols: Value
}

/** Each [1]. */
function readSizes({ builder, columns, queryColumns, pooled }: Wiring): Sizes {
  const [rows, cols] = [queryColumns, columns].map((places) => builder.node('Shape', [places]))
  const start = pooled === undefined ? rows : builder.multiply(rows ?? '', pooled.step)
  return { start: start ?? '', rows: rows ?? '', cols: cols ?? '' }
}

/**
 * Keys of the distances from a query, falling by a key each; those before the first, which only fill, among them: [N ×
 * (start + S) × D].
 */
function positionKeys(
  { builder, spec, weights, pooled }: Wiring,
  { clamp, firstApart = false }: RelativeSinusoids,
  block: BlockSpec,
  { start, cols }: Sizes,
): Value {
  const { width } = spec
  const { heads, headWidth } = block.attention
  const total = builder.node('Squeeze', [builder.add(start, cols)])
  const steps = builder.node('Range', [builder.int(0), total, builder.int(1)])
  const back = builder.node('Sub', [start, steps])
  const distance = pooled === undefined ? back : tokensBack(back, pooled, firstApart)
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

  /** Row 1 is token 1 of every round where the first stands apart: a pooled query is a key nearer to the start. */
  function tokensBack(keysBack: Value, { stride, step }: NonNullable<Wiring['pooled']>, apart: boolean): Value {
    const shifted = apart ? builder.node('Sub', [keysBack, builder.node('Sub', [step, builder.int(1)])]) : keysBack
    return builder.multiply(shifted, builder.int(stride))
  }
}

/** Whether query and key have types that count as the same: [B × 1 × R × S]; undefined where types are not given. */
function sameTypes({ builder, tokenTypes, pooled }: Wiring, { sharedType }: RelativeSinusoids): Value | undefined {
  if (tokenTypes === undefined) return undefined
  const queries = builder.reshape(pooled === undefined ? tokenTypes : (pooled.queryTypes ?? tokenTypes), [0, 1, -1, 1])
  const keys = builder.reshape(tokenTypes, [0, 1, 1, -1])
  const same = builder.node('Equal', [queries, keys])
  if (sharedType === undefined) return same
  const shared = [queries, keys].map((types) => builder.node('Equal', [types, builder.int(sharedType)]))
  return shared.reduce((all, one) => builder.node('Or', [all, one]), same)
}

/** 0 for the first query and the first key, otherwise 1: [R × S]. */
function withoutFirst({ builder, columns, queryColumns }: Wiring): Value {
  const [queries = '', keys = ''] = [queryColumns, columns].map((places) =>
    builder.cast(builder.node('Greater', [places, builder.int(0)]), 'float32'),
  )
  return builder.multiply(builder.node('Unsqueeze', [queries, builder.int([1])]), keys)
}
