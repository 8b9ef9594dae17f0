/**
 * Blocks on fewer rows than the text has tokens. Rows are pooled or convolved with pads among them, as the reference does.
 * R rows of this stretch, Q of those after the next round.
 */
import type { BlockSpec, ConvolvedRows, PooledRows } from '#model/architectures'
import { activate } from './activation.ts'
import { attendFrom } from './attention.ts'
import { runBlock } from './block.ts'
import { attentionContext } from './block-context.ts'
import type { Builder, Value } from './builder.ts'
import { feedForward } from './mlp.ts'
import { normalize } from './norm.ts'
import type { Wiring } from './wiring.ts'

/** A wiring whose rows are those of the mask [B × R] int64. */
function withRows(wiring: Wiring, mask: Value): Wiring {
  const { builder } = wiring
  const columns = builder.node('Range', [builder.int(0), rowCount(builder, mask), builder.int(1)])
  return { ...wiring, ids: mask, mask, columns, queryColumns: columns }
}

/** A scalar. */
function rowCount(builder: Builder, x: Value): Value {
  return builder.node('Squeeze', [builder.node('Shape', [x], { start: 1, end: 2 }), builder.int([0])])
}

/** Blocks that follow each other on the rows of the wiring. */
function runRows(wiring: Wiring, x: Value, blocks: readonly BlockSpec[]): Value {
  const context = {
    ...attentionContext(wiring),
    companion: { value: undefined },
    waiting: { value: undefined },
    embedded: x,
    inputs: () => wiring.builder.float(0),
  }
  return blocks.reduce((value, block) => runBlock(wiring, context, value, block), x)
}

/** [B × S × W] → [B × Q × W]: every round of pooling with its blocks. */
export function poolInside(wiring: Wiring, x: Value, spec: PooledRows): Value {
  const { builder } = wiring
  let [rows, inner] = [x, wiring]
  for (let round = 1; round <= spec.rounds; round++) {
    const blocks = wiring.spec.blocks.filter(({ inside }) => inside === round)
    const pairs = pairRows(builder, inner, spec)
    const pooled = poolPairs(builder, rows, pairs, spec.pool)
    const next: Wiring = {
      ...withRows(wiring, poolPairs(builder, inner.mask, pairs, 'min')),
      tokenTypes: inner.tokenTypes === undefined ? undefined : takeRows(builder, inner.tokenTypes, pairs.first),
      blocks: undefined,
      pooled: { stride: 2 ** round, step: builder.int(1), queryTypes: undefined },
    }
    const [first, ...others] = blocks
    if (first !== undefined && spec.queriesOnly) {
      const keys: Wiring = {
        ...inner,
        ids: next.ids,
        queryColumns: next.columns,
        pooled: { stride: 2 ** (round - 1), step: pairs.step, queryTypes: next.tokenTypes },
      }
      rows = runRows(next, attendPooled(keys, { queries: pooled, keys: rows }, first), others)
    } else rows = runRows(next, pooled, blocks)
    inner = next
  }
  return rows
}

/** Which two rows become one. */
interface Pairs {
  readonly first: Value
  readonly second: Value
  /** Rows that become one: 2, or 1 where there are too few; a scalar. */
  readonly step: Value
}

function pairRows(builder: Builder, { mask }: Wiring, { firstApart, lastDropped }: PooledRows): Pairs {
  const size = rowCount(builder, mask)
  const goesOn = builder.node('Greater', [size, builder.int(firstApart ? 2 : 1)])
  const when = (then: Value, otherwise: Value): Value => builder.node('Where', [goesOn, then, otherwise])
  const [zero, one] = [builder.int(0), builder.int(1)]
  const more = when(one, zero)
  const step = builder.add(one, more)
  const shift = firstApart ? more : zero
  const dropped = firstApart && lastDropped ? more : zero
  const added = firstApart && !lastDropped ? builder.int(2) : one
  const count = when(builder.node('Div', [builder.add(size, added), builder.int(2)]), size)
  const start = builder.node('Sub', [builder.multiply(builder.node('Range', [zero, count, one]), step), shift])
  const end = builder.node('Sub', [builder.node('Sub', [size, one]), dropped])
  return {
    first: builder.node('Max', [start, zero]),
    second: builder.node('Min', [builder.add(start, more), end]),
    step,
  }
}

function takeRows(builder: Builder, x: Value, rows: Value): Value {
  return builder.node('Gather', [x, rows], { axis: 1 })
}

function poolPairs(builder: Builder, x: Value, { first, second }: Pairs, by: 'mean' | 'max' | 'min'): Value {
  const both = [takeRows(builder, x, first), takeRows(builder, x, second)]
  switch (by) {
    case 'mean':
      return builder.multiply(builder.node('Add', both), builder.float(0.5))
    case 'max':
      return builder.node('Max', both)
    case 'min':
      return builder.node('Min', both)
    default:
      return by satisfies never
  }
}

/** A block whose queries alone are pooled: [B × Q × W] and [B × R × W] → [B × Q × W]. */
function attendPooled(
  wiring: Wiring,
  { queries, keys }: { readonly queries: Value; readonly keys: Value },
  block: BlockSpec,
): Value {
  const { builder } = wiring
  const { norm, width } = wiring.spec
  const from = { x: keys, queries, width, values: keys, valueWidth: width, out: width }
  const taken = attendFrom(wiring, attentionContext(wiring), from, block)
  const attended = normalize(wiring, builder.add(queries, taken), { slot: 'block.norm1', norm, width, place: block })
  const more = builder.add(attended, feedForward(wiring, attended, block))
  return normalize(wiring, more, { slot: 'block.norm2', norm, width, place: block })
}

/**
 * state + rows repeated, [B × S × W]; the first row alone where it stands apart, and zeros after the last.
 */
export function joinPooled(
  wiring: Wiring,
  { rows, state }: { readonly rows: Value; readonly state: Value },
  { firstApart, rounds }: PooledRows,
): Value {
  const { builder, columns } = wiring
  const stride = builder.int(2 ** rounds)
  const one = builder.int(1)
  const reached = firstApart
    ? builder.node('Div', [builder.node('Sub', [builder.add(columns, stride), one]), stride])
    : builder.node('Div', [columns, stride])
  const count = rowCount(builder, rows)
  const repeated = takeRows(builder, rows, builder.node('Min', [reached, builder.node('Sub', [count, one])]))
  const known = builder.node('Unsqueeze', [builder.node('Less', [reached, count]), one])
  return builder.add(builder.node('Where', [known, repeated, builder.float(0)]), state)
}

/** [B × S × W] → [B × R × W], R = S / rate without the rest, at least 1. */
export function convolveInside(wiring: Wiring, x: Value, { rate, activation }: ConvolvedRows): Value {
  const { builder, spec, weights, mask } = wiring
  const { width, norm } = spec
  const lacking = builder.node('Max', [
    builder.node('Sub', [builder.int(rate), rowCount(builder, mask)]),
    builder.int(0),
  ])
  const pads = (before: readonly number[], after: readonly number[]): Value =>
    builder.node('Concat', [builder.int(before), builder.reshape(lacking, [1]), builder.int(after)], { axis: 0 })
  const columns = builder.node('Pad', [builder.transpose(x, [0, 2, 1]), pads([0, 0, 0, 0, 0], [])])
  const weight = weights.tensor('inside.narrow', [width, width, rate])
  const bias = weights.tensor('inside.narrow', [width], {}, 'bias')
  const made = builder.node('Conv', [columns, weight, bias], { kernel_shape: [rate], strides: [rate] })
  const dense = activate(builder, builder.transpose(made, [0, 2, 1]), activation)
  const part = (value: Value, start: number, end: number): Value =>
    builder.node('Slice', [value, builder.int([start]), builder.int([end]), builder.int([1])])
  const rows = builder.node('Concat', [part(x, 0, 1), part(dense, 0, -1)], { axis: 1 })
  const real = builder.node('Pad', [builder.cast(mask, 'float32'), pads([0, 0, 0], [])])
  const pooled = builder.node('MaxPool', [builder.node('Unsqueeze', [real, builder.int([1])])], {
    kernel_shape: [rate],
    strides: [rate],
  })
  const inner = withRows(wiring, builder.cast(builder.node('Squeeze', [pooled, builder.int([1])]), 'int64'))
  const narrow = normalize(inner, rows, { slot: 'inside.narrow.norm', norm, width })
  return runRows(
    inner,
    narrow,
    spec.blocks.filter(({ inside }) => inside !== undefined),
  )
}

/** norm(activation(convolution of [state | row of the token])), [B × S × W]. */
export function joinConvolved(
  wiring: Wiring,
  { rows, state }: { readonly rows: Value; readonly state: Value },
  { rate, kernel, activation }: ConvolvedRows,
): Value {
  const { builder, spec, weights, columns } = wiring
  const { width, norm } = spec
  // row 0 is the first token's; the last row stands for the tokens of the one that was dropped too
  const last = builder.node('Sub', [rowCount(builder, rows), builder.int(1)])
  const reached = builder.add(builder.node('Div', [columns, builder.int(rate)]), builder.int(1))
  const repeated = takeRows(builder, rows, builder.node('Min', [reached, last]))
  const both = builder.transpose(builder.node('Concat', [state, repeated], { axis: -1 }), [0, 2, 1])
  const before = Math.floor((kernel - 1) / 2)
  const weight = weights.tensor('inside.widen', [width, 2 * width, kernel])
  const bias = weights.tensor('inside.widen', [width], {}, 'bias')
  const made = builder.node('Conv', [both, weight, bias], {
    kernel_shape: [kernel],
    pads: [before, kernel - 1 - before],
  })
  const dense = activate(builder, builder.transpose(made, [0, 2, 1]), activation)
  return normalize(wiring, dense, { slot: 'inside.widen.norm', norm, width })
}
