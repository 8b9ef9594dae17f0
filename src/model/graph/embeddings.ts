/** Token ids to the input of the first block: tokens, token types, learned positions, norm, projection. */
import type { LearnedPositions } from '#model/architectures'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

/** Hidden state 0, [B × S × W]. */
export function embed(wiring: Wiring): Value {
  const { builder, spec, weights } = wiring
  const { width, tokenTypes, positions, norm, multiplier, project } = spec.embedding
  const projected = (x: Value): Value =>
    project === undefined ? x : linear(wiring, x, 'embed.project', { in: width, out: spec.width, bias: project.bias })

  let x = weights.rows('embed.token', [spec.vocabulary, width], wiring.ids)
  if (project?.place === 'before-positions') x = projected(x)
  if (tokenTypes > 0)
    x = builder.add(x, weights.rows('embed.type', [tokenTypes, width], wiring.tokenTypes ?? builder.int([0])))
  if (positions !== undefined) {
    const columns = project?.place === 'before-positions' ? spec.width : width
    x = builder.add(x, weights.rows('embed.position', [positions.rows, columns], positionRows(wiring, positions)))
  }
  if (multiplier !== 1) x = builder.multiply(x, builder.float(multiplier))
  if (project?.place === 'before-norm') x = projected(x)
  if (norm !== undefined)
    x = normalize(wiring, x, { slot: 'embed.norm', norm, width: project?.place === 'after-norm' ? width : spec.width })
  if (project?.place === 'after-norm') x = projected(x)
  return x
}

/** Rows of the position table, [S] or [B × S]. */
function positionRows(wiring: Wiring, table: LearnedPositions): Value {
  const { builder, ids, mask, positions, columns } = wiring
  const shifted = (value: Value, by: number): Value => (by === 0 ? value : builder.add(value, builder.int(by)))
  switch (table.from) {
    case 'columns':
      return positions ?? columns
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
