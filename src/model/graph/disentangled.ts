/** Disentangled attention (He et al. 2021, DeBERTa): content looks at relative positions and is looked at from them. */
import type { AttendedPositions, BlockSpec, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import type { Wiring } from './wiring.ts'

type Disentangled = Extract<AttendedPositions, { kind: 'disentangled' }>

/**
 * q_i · K(i − j) + k_j · Q(i − j), scaled as the content's scores: queries and keys [B × N × S × D] → [B × N × S × S].
 * K and Q are projections of one table with a row per bucket of distance; they depend on weights only and are folded
 * when the graph is loaded. The S · 2S products of a text with every distance that occurs are skewed into place (Dai et
 * al. 2019, appendix B), which takes less memory than looking up each pair.
 */
export function disentangledScores(
  wiring: Wiring,
  { q, k }: { q: Value; k: Value },
  positions: Disentangled,
  block: BlockSpec,
): Value | undefined {
  const { builder } = wiring
  const { queries, keys } = positions
  const ofQueries = keys
    ? perDistance(wiring, q, projectedTable(wiring, positions, 'k', block), { positions, block, from: 'query' })
    : undefined
  const ofKeys = queries
    ? perDistance(wiring, k, projectedTable(wiring, positions, 'q', block), { positions, block, from: 'key' })
    : undefined
  const turned = ofKeys === undefined ? undefined : builder.transpose(ofKeys, [0, 1, 3, 2])
  return ofQueries === undefined || turned === undefined ? (ofQueries ?? turned) : builder.add(ofQueries, turned)
}

/**
 * Queries or keys of the position table, [N × 2·span × D]; in ONNX's own operators, as ONNX Runtime folds only those it
 * knows to be deterministic.
 */
function projectedTable(
  wiring: Wiring,
  { span, norm, shared, keyBias = true }: Disentangled,
  of: 'q' | 'k',
  block: BlockSpec,
): Value {
  const { builder, spec, weights } = wiring
  const { heads, headWidth } = block.attention
  const slot: Slot = shared ? `block.attention.${of}` : `block.attention.position.${of}`
  const table = weights.tensor('relative.table', [2 * span, spec.width])
  const normed =
    norm === undefined ? table : normalize(wiring, table, { slot: 'relative.norm', norm, width: spec.width })
  const inner = heads * headWidth
  const product = builder.node('MatMul', [
    normed,
    builder.transpose(weights.tensor(slot, [inner, spec.width], block), [1, 0]),
  ])
  const projected =
    of === 'k' && !keyBias ? product : builder.add(product, weights.tensor(slot, [inner], block, 'bias'))
  return builder.transpose(builder.reshape(projected, [0, heads, headWidth]), [1, 0, 2])
}

/**
 * Row r and column c of the result hold x_r · table(r − c) where r is a query, x_r · table(c − r) where it is a key.
 */
function perDistance(
  wiring: Wiring,
  x: Value,
  table: Value,
  { positions, block, from }: { positions: Disentangled; block: BlockSpec; from: 'query' | 'key' },
): Value {
  const { builder } = wiring
  const vectors = builder.node('Gather', [table, distanceRows(wiring, positions, from)], { axis: 1 }) // [N × 2S × D]
  return skew(wiring, builder.fused('FusedMatMul', [x, vectors], { transB: 1, alpha: { float: block.scale } }))
}

/**
 * Table rows for the distances S, S − 1, … 1 − S from a query to its keys, or −S … S − 1 from a key to its queries:
 * [2S]. The first one only fills.
 */
function distanceRows({ builder, columns }: Wiring, positions: Disentangled, from: 'query' | 'key'): Value {
  const size = builder.node('Size', [columns])
  const steps = builder.node('Range', [builder.int(0), builder.multiply(size, builder.int(2)), builder.int(1)])
  const distance = from === 'query' ? builder.node('Sub', [size, steps]) : builder.node('Sub', [steps, size])
  const { rows, reach } = rowsByDistance(positions)
  const known = builder.node('Clip', [distance, builder.int(-reach), builder.int(reach)])
  return builder.node('Gather', [builder.int(rows), builder.add(known, builder.int(reach))])
}

/** [… × S × 2S] → [… × S × S] with element (r, c) from column S − r + c: read on with rows shorter by one. */
function skew(wiring: Wiring, x: Value): Value {
  const cols = wiring.builder.node('Shape', [wiring.ids], { start: 1, end: 2 })
  return skewBy(wiring, x, { start: cols, rows: cols, cols })
}

/**
 * [… × rows × (start + cols)] → [… × rows × cols] with `start` = rows · step, element (r, c) from column start − step · r +
 * c; sizes [1].
 */
export function skewBy(
  { builder }: Wiring,
  x: Value,
  { start, rows: count, cols }: { readonly start: Value; readonly rows: Value; readonly cols: Value },
): Value {
  const end = builder.int([Number.MAX_SAFE_INTEGER])
  const flat = builder.node('Slice', [builder.reshape(x, [0, 0, -1]), start, end, builder.int([2])])
  const shape = builder.node('Concat', [builder.int([0, 0]), count, builder.int([-1])], { axis: 0 })
  const rows = builder.node('Reshape', [flat, shape]) // [… × rows × (start + cols − step)]
  return builder.node('Slice', [rows, builder.int([0]), cols, builder.int([3])])
}

/** Row of the table for the distances −reach … reach, beyond which rows repeat. */
function rowsByDistance({ span, maxDistance, logarithmic }: Disentangled): { rows: readonly number[]; reach: number } {
  const bucket = (distance: number): number => (logarithmic ? logBucket(distance, span, maxDistance) : distance)
  const row = (distance: number): number => Math.min(Math.max(bucket(distance) + span, 0), 2 * span - 1)
  let reach = 1
  while (row(reach) < 2 * span - 1 || row(-reach) > 0) reach++
  return { rows: Array.from({ length: 2 * reach + 1 }, (_, index) => row(index - reach)), reach }
}

/**
 * Exact up to half of the buckets, then logarithmic so that `maxDistance` − 1 falls into the last one. Rounded as in
 * float32.
 */
export function logBucket(distance: number, buckets: number, maxDistance: number): number {
  const half = Math.floor(buckets / 2)
  const length = Math.abs(distance)
  if (length <= half) return distance
  const share = Math.fround(
    Math.fround(Math.log(Math.fround(length / half))) / Math.fround(Math.log(Math.fround((maxDistance - 1) / half))),
  )
  return Math.sign(distance) * (Math.ceil(Math.fround(share * (half - 1))) + half)
}
