/** Token ids to the input of the first block: tokens, token types, learned positions, norm, projection. */
import type { AssembledRow, EmbeddingSpec, FixedRow, LearnedPositions } from '#model/architectures'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

/** Hidden state 0, [B × S × W]. */
export function embed(wiring: Wiring): Value {
  const { builder, spec, weights } = wiring
  const { width, tokenTypes, positions, norm, normFirst = false, multiplier, project, replaced } = spec.embedding
  const { fixed, assembled, tokenDropout, neighbours = false } = spec.embedding
  const joined = project?.joined ?? []
  const projected = (x: Value): Value =>
    project === undefined
      ? x
      : linear(wiring, joinRows(wiring, x, joined), 'embed.project', {
          in: joined.reduce((sum, row) => sum + (row.width ?? width), neighbours ? 3 * width : width),
          out: spec.width,
          bias: project.bias,
        })
  const columns = project?.place === 'before-positions' ? spec.width : width

  let x = tokenVectors(wiring)
  if (tokenDropout !== undefined) x = dropTokens(wiring, x, tokenDropout)
  if (multiplier !== 1) x = builder.multiply(x, builder.float(multiplier))
  if (replaced !== undefined) {
    const here = builder.node('Unsqueeze', [
      builder.node('Equal', [wiring.ids, builder.int(replaced)]),
      builder.int([2]),
    ])
    x = builder.node('Where', [here, weights.tensor('embed.replaced', [width]), x])
  }
  if (neighbours) x = withNeighbours(wiring, x)
  if (project?.place === 'before-positions') x = projected(x)
  const normed = (value: Value): Value =>
    norm === undefined
      ? value
      : normalize(wiring, value, {
          slot: 'embed.norm',
          norm,
          width: project?.place === 'after-norm' ? width : spec.width,
        })
  if (normFirst) x = normed(x)
  if (tokenTypes > 0)
    x = builder.add(x, weights.rows('embed.type', [tokenTypes, columns], wiring.tokenTypes ?? builder.int([0])))
  if (positions !== undefined) x = builder.add(x, positionVectors(wiring, positions, columns))
  for (const row of fixed) x = builder.add(x, fixedRow(wiring, row))
  if (assembled !== undefined) x = builder.add(x, assembledRow(wiring, assembled))
  if (project?.place === 'before-norm') x = projected(x)
  if (!normFirst) x = normed(x)
  if (project?.place === 'after-norm') x = projected(x)
  return spec.embedding.shifted === true ? shiftedStart(wiring, x) : x
}

/** (x + shift) ⊙ scale of learned vectors. */
function shiftedStart({ builder, spec, weights }: Wiring, x: Value): Value {
  const moved = builder.add(x, weights.tensor('embed.shift', [spec.width]))
  return builder.multiply(moved, weights.tensor('embed.scale', [spec.width]))
}

/** [B × S × width] of the token table, or of the tables of hashes. */
function tokenVectors({ builder, spec, weights, ids }: Wiring): Value {
  const { rows, width, hashed } = spec.embedding
  if (hashed === undefined) return weights.rows('embed.token', [rows, width], ids)
  const next = builder.add(ids, builder.int(1))
  const parts = hashed.primes.map((prime, j) => {
    const row = builder.node('Mod', [builder.multiply(next, builder.int(prime)), builder.int(rows)])
    return weights.rows('embed.token', [rows, width / hashed.primes.length], row, { j })
  })
  return builder.node('Concat', parts, { axis: -1 })
}

/** [1 × width], or `times` that. */
function fixedRow(
  { builder, spec, weights }: Wiring,
  { slot, rows, width, times = 1, j = 0, row: at = 0 }: FixedRow,
): Value {
  const row = weights.rows(slot, [rows, width ?? spec.embedding.width], builder.int([at]), { j })
  return times === 1 ? row : builder.multiply(row, builder.float(times))
}

/** [1 × W] */
function assembledRow(wiring: Wiring, { parts, inner }: AssembledRow): Value {
  const { builder, spec } = wiring
  const columns = parts.map((rows) =>
    rows.map((row) => fixedRow(wiring, row)).reduce((sum, row) => builder.add(sum, row)),
  )
  const whole = builder.node('Concat', columns, { axis: -1 })
  if (inner === undefined) return whole
  const size = parts.reduce((sum, [row]) => sum + (row?.width ?? spec.embedding.width), 0)
  const hidden = linear(wiring, whole, 'embed.assembled.in', { in: size, out: inner, bias: true, per: 'row' })
  return linear(wiring, builder.node('Relu', [hidden]), 'embed.assembled.out', {
    in: inner,
    out: spec.embedding.width,
    bias: true,
    per: 'row',
  })
}

/** Rows of [B × S × W] with the same further columns each. */
function joinRows(wiring: Wiring, x: Value, rows: readonly FixedRow[]): Value {
  const { builder, ids } = wiring
  if (rows.length === 0) return x
  const shape = builder.node('Concat', [builder.node('Shape', [ids]), builder.int([1])], { axis: 0 })
  const wide = rows.map((row) => builder.node('Expand', [fixedRow(wiring, row), shape]))
  return builder.node('Concat', [x, ...wide], { axis: -1 })
}

/** Rives et al. 2021 train with masked tokens as zeros; without them embeddings are as much smaller. */
function dropTokens(
  { builder, ids, mask }: Wiring,
  x: Value,
  { maskId, share }: NonNullable<EmbeddingSpec['tokenDropout']>,
): Value {
  const dropped = builder.node('Equal', [ids, builder.int(maskId)])
  const total = (flags: Value): Value =>
    builder.cast(builder.node('ReduceSum', [flags, builder.int([1])], { keepdims: 1 }), 'float32')
  const kept = builder.node('Sub', [
    builder.float(1),
    builder.node('Div', [total(builder.cast(dropped, 'int64')), total(mask)]),
  ])
  const scale = builder.node('Unsqueeze', [builder.node('Div', [builder.float(1 - share), kept]), builder.int([2])])
  const zeroed = builder.node('Where', [builder.node('Unsqueeze', [dropped, builder.int([2])]), builder.float(0), x])
  return builder.multiply(zeroed, scale)
}

/** [B × S × W] → [B × S × 3W]: after the last column and before the first there are zeros. */
function withNeighbours({ builder }: Wiring, x: Value): Value {
  const padded = builder.node('Pad', [x, builder.int([0, 1, 0, 0, 1, 0])])
  const end = Number.MAX_SAFE_INTEGER
  const from = (start: number, stop: number): Value =>
    builder.node('Slice', [padded, builder.int([start]), builder.int([stop]), builder.int([1])])
  return builder.node('Concat', [from(2, end), x, from(0, -2)], { axis: -1 })
}

/** [S × W] or [B × S × W]. */
function positionVectors(wiring: Wiring, positions: LearnedPositions, width: number): Value {
  const { builder, weights } = wiring
  const rows = positionRows(wiring, positions)
  const { sinusoids } = positions
  if (sinusoids === undefined || weights.has('embed.position'))
    return weights.rows('embed.position', [positions.rows, width], rows)
  const { spacing, zero } = sinusoids
  const frequencies = Float32Array.from({ length: width / 2 }, (_, k) => Math.pow(10_000, -k / spacing))
  const angles = builder.multiply(
    builder.node('Unsqueeze', [builder.cast(rows, 'float32'), builder.int([-1])]),
    builder.float(frequencies),
  )
  const vectors = builder.node('Concat', [builder.node('Sin', [angles]), builder.node('Cos', [angles])], { axis: -1 })
  if (zero === undefined) return vectors
  const isZero = builder.node('Unsqueeze', [builder.node('Equal', [rows, builder.int(zero)]), builder.int([-1])])
  return builder.node('Where', [isZero, builder.float(0), vectors])
}

/** Rows of the position table, [S] or [B × S]. */
export function positionRows(wiring: Wiring, table: LearnedPositions): Value {
  const { builder, ids, mask, positions, columns } = wiring
  const shifted = (value: Value, by: number): Value => (by === 0 ? value : builder.add(value, builder.int(by)))
  switch (table.from) {
    case 'columns':
      return shifted(positions ?? columns, table.offset ?? 0)
    case 'ids': {
      if (positions !== undefined) return positions
      const real = builder.cast(builder.node('Not', [builder.node('Equal', [ids, builder.int(table.padId)])]), 'int64')
      return shifted(builder.multiply(countUpTo(wiring, real), real), table.padId)
    }
    case 'mask':
      if (positions !== undefined) return shifted(positions, table.offset)
      return shifted(builder.multiply(countUpTo(wiring, mask), mask), table.offset - 1)
    default:
      return table satisfies never
  }
}

/** Running count along a row, [B × S]. */
function countUpTo({ builder }: Wiring, flags: Value): Value {
  return builder.node('CumSum', [flags, builder.int(1)])
}
