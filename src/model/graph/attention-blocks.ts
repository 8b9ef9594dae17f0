/**
 * Attention of long texts by blocks of queries: the scores of one block are alive at a time, so that memory grows with
 * the length of a text and not with its square (the idea of Rabe & Staats 2021; keys are not split, a row's softmax is
 * the whole one's).
 */
import type { Blocks } from './block-plan.ts'
import { createBuilder, type Value } from './builder.ts'
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

  const scope = builder.scope('block')
  const body = createBuilder(scope)
  const [turn, goOn] = [body.input(`${scope}turn`, 'int64', []), body.input(`${scope}goOn`, 'bool', [])]
  const start = body.multiply(turn, rows)
  const queryColumns = body.node('Min', [body.node('Range', [start, body.add(start, rows), body.int(1)]), last])
  const mixed = attend(
    { ...wiring, builder: body, queryColumns },
    body.node('Gather', [queries, queryColumns], { axis: 2 }),
  )
  const graph = {
    name: scope,
    nodes: [...body.nodes, { op: 'Identity', inputs: [goOn], outputs: [`${scope}goesOn`], attributes: {} }],
    initializers: body.initializers,
    inputs: body.inputs,
    outputs: [
      { name: `${scope}goesOn`, type: 'bool', dims: [] },
      { name: mixed, type: 'float32', dims: ['rows', heads, 'block', headWidth] },
    ],
  } as const
  const all = builder.node('Loop', [count, ''], { body: { graph } }) // [count × B × N × R × D]
  const joined = builder.reshape(builder.transpose(all, [1, 2, 0, 3, 4]), [0, 0, -1, headWidth])
  return builder.node('Slice', [joined, builder.int([0]), builder.reshape(size, [1]), builder.int([2])])
}
