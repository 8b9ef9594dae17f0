/** Token ids to the input of the first block: tokens, token types, learned positions, norm, projection. */
import type { LearnedPositions } from '#model/architectures'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

/** Hidden state 0, [B × S × W]. */
export function embed(wiring: Wiring): Value {
  const { builder, spec, weights } = wiring
  const { width, tokenTypes, positions, norm, normFirst = false, multiplier, project, replaced } = spec.embedding
  const projected = (x: Value): Value =>
    project === undefined ? x : linear(wiring, x, 'embed.project', { in: width, out: spec.width, bias: project.bias })

  let x = weights.rows('embed.token', [spec.embedding.rows, width], wiring.ids)
  if (multiplier !== 1) x = builder.multiply(x, builder.float(multiplier))
  if (replaced !== undefined) {
    const here = builder.node('Unsqueeze', [
      builder.node('Equal', [wiring.ids, builder.int(replaced)]),
      builder.int([2]),
    ])
    x = builder.node('Where', [here, weights.tensor('embed.replaced', [width]), x])
  }
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
    x = builder.add(x, weights.rows('embed.type', [tokenTypes, width], wiring.tokenTypes ?? builder.int([0])))
  if (positions !== undefined) {
    const columns = project?.place === 'before-positions' ? spec.width : width
    x = builder.add(x, positionVectors(wiring, positions, columns))
  }
  if (project?.place === 'before-norm') x = projected(x)
  if (!normFirst) x = normed(x)
  if (project?.place === 'after-norm') x = projected(x)
  return x
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
function positionRows(wiring: Wiring, table: LearnedPositions): Value {
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
