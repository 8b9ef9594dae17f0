/**
 * Attention of long texts by blocks of queries: the scores of one block are alive at a time, so that memory grows with
 * the length of a text and not with its square (the idea of Rabe & Staats 2021; keys are not split, a row's softmax is
 * the whole one's).
 */
import type { Blocks } from './block-plan.ts'
import { createBuilder, type Value } from './builder.ts'
import { loopBody } from './loop.ts'
import type { Wiring } from './wiring.ts'

/**
 * `then` where the texts are long, `otherwise` where they are not; only one of the two is computed. Both are wired
 * inside, and see the values around them.
 */
export function whereLong(
  wiring: Wiring,
  dims: readonly (number | string)[],
  then: (inside: Wiring, blocks: Blocks) => Value,
  otherwise: (inside: Wiring) => Value,
): Value {
  const { builder, blocks } = wiring
  if (blocks === undefined) return otherwise(wiring)
  const branch = (name: string, make: (inside: Wiring, blocks: Blocks) => Value) => {
    const inside = createBuilder(builder.scope(name))
    const value = make({ ...wiring, builder: inside }, blocks)
    return {
      graph: {
        name,
        nodes: inside.nodes,
        initializers: inside.initializers,
        inputs: [],
        outputs: [{ name: value, type: 'float32', dims }],
      },
    } as const
  }
  return builder.node('If', [blocks.long], {
    then_branch: branch('long', then),
    else_branch: branch('short', otherwise),
  })
}

/**
 * `attend` for blocks of queries [B × N × S × D], each [B × N × R × D], one after the other; what it gives, joined
 * again. The wiring it gets has its own `queryColumns`, [R].
 * The last block ends with repetitions of the last query, which are cut off.
 */
export function byBlocks(
  wiring: Wiring,
  { scores }: Blocks,
  { queries, heads, headWidth }: { readonly queries: Value; readonly heads: number; readonly headWidth: number },
  attend: (inside: Wiring, queries: Value) => Value,
): Value {
  const { builder, columns } = wiring
  const size = builder.node('Size', [columns])
  const upTo = (a: Value, b: Value): Value =>
    builder.node('Div', [builder.add(a, builder.node('Sub', [b, builder.int(1)])), b])
  const count = upTo(builder.multiply(size, size), builder.int(scores))
  const rows = upTo(size, count)
  const last = builder.node('Sub', [size, builder.int(1)])

  const body = loopBody(builder.scope('block'), (inner, turn) => {
    const start = inner.multiply(turn, rows)
    const queryColumns = inner.node('Min', [inner.node('Range', [start, inner.add(start, rows), inner.int(1)]), last])
    const block = inner.node('Gather', [queries, queryColumns], { axis: 2 })
    const value = attend({ ...wiring, builder: inner, queryColumns }, block)
    return { value, dims: ['rows', heads, 'block', headWidth] }
  })
  const all = builder.node('Loop', [count, ''], { body }) // [count × B × N × R × D]
  const joined = builder.reshape(builder.transpose(all, [1, 2, 0, 3, 4]), [0, 0, -1, headWidth])
  return builder.node('Slice', [joined, builder.int([0]), builder.reshape(size, [1]), builder.int([2])])
}
