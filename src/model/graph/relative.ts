/** Relative positions that enter attention as an addition to scores. */
import type { AttendedPositions, BlockSpec, Place } from '#model/architectures'
import { alibiBias } from './alibi.ts'
import type { Value } from './builder.ts'
import type { Wiring } from './wiring.ts'

/** What positions add to the scores of all layers alike, broadcast to [B × N × R × S] for R queries. */
export function sharedBias(wiring: Wiring): Value | undefined {
  const { positions } = wiring.spec.attention
  switch (positions.kind) {
    case 'buckets':
      return positions.perBlock === true ? undefined : bucketBias(wiring, positions)
    case 'alibi':
      return alibiBias(wiring, positions)
    case 'none':
    case 'rotary':
    case 'distance':
    case 'disentangled':
    case 'relative-sinusoids':
      return undefined
    default:
      return positions satisfies never
  }
}

/**
 * T5's bias: a learned number per head and bucket of distance, of all layers or of one, [1 × N × R × S], or [B × N × R ×
 * S] where tokens have places of their own.
 * Distances are looked up in a table of buckets that ends where the last bucket begins to repeat.
 */
export function bucketBias(
  wiring: Wiring,
  { buckets, maxDistance, rows, byHead }: Extract<AttendedPositions, { kind: 'buckets' }>,
  place: Place = {},
): Value {
  const { builder, spec, weights, columns, queryColumns, past, positions } = wiring
  const reach = Math.max(maxDistance, buckets)
  const bucketOf = Array.from({ length: 2 * reach + 1 }, (_, index) =>
    bucket(index - reach, { buckets, maxDistance, oneWay: spec.causal }),
  )
  const { heads } = spec.attention
  const table =
    byHead === undefined
      ? weights.tensor('relative.bias', [rows, heads], place)
      : builder.multiply(
          builder.transpose(weights.tensor('relative.bias', [heads, rows], place), [1, 0]),
          builder.float(byHead.factor),
        )
  const perDistance = builder.node('Gather', [table, builder.int(bucketOf)])
  const biasOf = (keys: Value, queries: Value): Value => {
    const distance = builder.node('Clip', [
      builder.node('Sub', [keys, queries]),
      builder.int(-reach),
      builder.int(reach),
    ])
    return builder.node('Gather', [perDistance, builder.add(distance, builder.int(reach))])
  }
  if (past !== undefined) {
    const keys = builder.node('Unsqueeze', [past.keyPositions(), builder.int([1])])
    return builder.transpose(
      biasOf(keys, builder.node('Unsqueeze', [positions ?? columns, builder.int([-1])])),
      [0, 3, 1, 2],
    )
  }
  const bias = biasOf(columns, builder.node('Unsqueeze', [queryColumns, builder.int([1])]))
  return builder.node('Unsqueeze', [builder.transpose(bias, [2, 0, 1]), builder.int([0])])
}

export interface Buckets {
  readonly buckets: number
  readonly maxDistance: number
  /** Decoders: every bucket lies behind the query. */
  readonly oneWay: boolean
}

/**
 * Raffel et al. 2020: half of the buckets for each direction, half of those exact, the rest logarithmic up to
 * `maxDistance`. Rounded as in float32.
 */
export function bucket(distance: number, { buckets, maxDistance, oneWay }: Buckets): number {
  const count = oneWay ? buckets : Math.floor(buckets / 2)
  const exact = Math.floor(count / 2)
  const direction = !oneWay && distance > 0 ? count : 0
  const length = oneWay ? Math.max(0, -distance) : Math.abs(distance)
  if (length < exact) return direction + length
  const share = Math.fround(
    Math.fround(Math.fround(Math.log(Math.fround(length / exact))) / Math.fround(Math.log(maxDistance / exact))) *
      (count - exact),
  )
  return direction + Math.min(exact + Math.trunc(share), count - 1)
}

/**
 * Scores of a vector per distance (Shaw et al. 2018; with keys too, Huang et al. 2020, method 4): q·e(i−j), plus
 * k·e(i−j).
 * Queries [B × N × R × D] and keys [B × N × S × D] → [B × N × R × S].
 */
export function distanceScores(
  wiring: Wiring,
  { q, k }: { q: Value; k: Value },
  positions: Extract<AttendedPositions, { kind: 'distance' }>,
  block: BlockSpec,
): Value {
  const { builder, weights, columns, queryColumns } = wiring
  const { maxPositions } = positions
  const scale = { transB: 1, alpha: { float: block.scale } }
  const table = weights.tensor('block.attention.distance', [2 * maxPositions - 1, block.attention.headWidth], block)
  const back = builder.node('Sub', [builder.node('Unsqueeze', [queryColumns, builder.int([1])]), columns])
  const vectors = builder.node('Gather', [table, builder.add(back, builder.int(maxPositions - 1))]) // [R × S × D]
  const perQuery = builder.fused(
    'FusedMatMul',
    [builder.transpose(q, [2, 0, 1, 3]), builder.node('Unsqueeze', [vectors, builder.int([1])])],
    scale,
  )
  const ofQueries = builder.transpose(perQuery, [1, 2, 0, 3])
  if (positions.with === 'query') return ofQueries
  const byKey = builder.node('Unsqueeze', [builder.transpose(vectors, [1, 0, 2]), builder.int([1])])
  const perKey = builder.fused('FusedMatMul', [builder.transpose(k, [2, 0, 1, 3]), byKey], scale)
  return builder.add(ofQueries, builder.transpose(perKey, [1, 2, 3, 0]))
}
