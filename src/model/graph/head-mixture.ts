/**
 * A mixture of attention heads (Shen et al. 2024, JetMoe): every token chooses projections of queries, and with them
 * those of what its heads bring back; keys and values are shared. T tokens, C choices of each, K key heads, D columns.
 */
import type { BlockSpec } from '#model/architectures'
import type { Value } from './builder.ts'
import { linear, type Wiring } from './wiring.ts'

/** Which experts a token has chosen, [T·C], and their shares, [T·C × 1]. */
export interface HeadChoice {
  readonly which: Value
  readonly shares: Value
}

interface Mixed {
  /** [B × S × K·C·D]: heads that read one key head stand next to each other. */
  readonly q: Value
  /** [B × S × K·D] */
  readonly k: Value
  readonly v: Value
  readonly choice: HeadChoice
}

export function projectMixture(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  { experts, perToken }: { readonly experts: number; readonly perToken: number },
): Mixed {
  const { builder, spec } = wiring
  const { keyHeads, headWidth } = block.attention
  const { width } = spec
  const inner = keyHeads * headWidth
  const [k, v] = [0, 1].map((index) =>
    linear(wiring, x, 'block.attention.mixture.kv', {
      in: width,
      out: inner,
      bias: false,
      place: block,
      slice: { index, of: 2 },
    }),
  ) as [Value, Value]
  const rows = builder.reshape(x, [-1, width])
  const logits = linear(wiring, rows, 'block.attention.router', {
    in: width,
    out: experts,
    bias: false,
    place: block,
    per: 'row',
    decides: true,
  })
  const [best = '', chosen = ''] = builder.split('TopK', [logits, builder.int([perToken])], 2, { axis: -1 })
  const choice = {
    which: builder.reshape(chosen, [-1]),
    shares: builder.reshape(builder.node('Softmax', [best], { axis: -1 }), [-1, 1]),
  }
  const queries = byExpert(
    wiring,
    block,
    { choice, experts },
    {
      inputs: (slots) => builder.node('Gather', [rows, tokenOf(wiring, slots, perToken)]),
      slot: 'block.attention.mixture.q',
      in: width,
      out: inner,
    },
  )
  const shape = builder.node('Concat', [builder.node('Shape', [x], { start: 0, end: 2 }), builder.int([-1])], {
    axis: 0,
  })
  const byToken = builder.reshape(builder.node('Reshape', [queries, shape]), [0, 0, perToken, keyHeads, headWidth])
  const q = builder.reshape(builder.transpose(byToken, [0, 1, 3, 2, 4]), [0, 0, perToken * inner])
  return { q, k, v, choice }
}

/** Joined heads [B × S × K·C·D] → [B × S × W]. */
export function mixtureOut(
  wiring: Wiring,
  joined: Value,
  block: BlockSpec,
  { choice, experts, perToken }: { readonly choice: HeadChoice; readonly experts: number; readonly perToken: number },
): Value {
  const { builder, spec, weights } = wiring
  const { keyHeads, headWidth } = block.attention
  const inner = keyHeads * headWidth
  const byKey = builder.reshape(joined, [0, 0, keyHeads, perToken, headWidth])
  const slotsOut = builder.reshape(builder.transpose(byKey, [0, 1, 3, 2, 4]), [-1, inner])
  const made = byExpert(
    wiring,
    block,
    { choice, experts },
    {
      inputs: (slots) => builder.node('Gather', [slotsOut, slots]),
      slot: 'block.attention.mixture.out',
      in: inner,
      out: spec.width,
    },
  )
  const shared = builder.reshape(builder.multiply(made, choice.shares), [-1, perToken, spec.width])
  const summed = builder.node('ReduceSum', [shared, builder.int([1])], { keepdims: 0 })
  const biased = builder.add(summed, weights.tensor('block.attention.mixture.bias', [spec.width], block))
  const shape = builder.node(
    'Concat',
    [builder.node('Shape', [joined], { start: 0, end: 2 }), builder.int([spec.width])],
    { axis: 0 },
  )
  return builder.node('Reshape', [biased, shape])
}

interface ExpertProjection {
  /** Rows of the chosen slots [n], [n × in]. */
  readonly inputs: (slots: Value) => Value
  readonly slot: 'block.attention.mixture.q' | 'block.attention.mixture.out'
  readonly in: number
  readonly out: number
}

/** [T·C × out]: each slot by the expert that was chosen for it. */
function byExpert(
  wiring: Wiring,
  block: BlockSpec,
  { choice, experts }: { readonly choice: HeadChoice; readonly experts: number },
  { inputs, slot, in: from, out }: ExpertProjection,
): Value {
  const { builder } = wiring
  const count = builder.node('Shape', [choice.which])
  const nothing = builder.node('ConstantOfShape', [builder.node('Concat', [count, builder.int([out])], { axis: 0 })])
  return Array.from({ length: experts }, (_, index) => index).reduce((all, index) => {
    const isOwn = builder.node('Equal', [choice.which, builder.int(index)])
    const slots = builder.reshape(builder.node('NonZero', [isOwn]), [-1])
    const made = linear(wiring, inputs(slots), slot, {
      in: from,
      out,
      bias: false,
      place: block,
      per: 'row',
      slice: { index, of: experts },
    })
    return builder.node('ScatterND', [all, builder.node('Unsqueeze', [slots, builder.int([1])]), made])
  }, nothing)
}

/** Slots of a token stand one after the other. */
function tokenOf({ builder }: Wiring, slots: Value, perToken: number): Value {
  return builder.node('Div', [slots, builder.int(perToken)])
}
