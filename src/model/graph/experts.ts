/**
 * A mixture of experts (Shazeer et al. 2017; Jiang et al. 2024): every token goes to the few experts its router likes
 * best.
 */
import type { BlockSpec, MlpSpec } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { linear, type Wiring } from './wiring.ts'

/** Takes rows [T × W] to rows [T × W]. */
type Rows = (rows: Value) => Value

/**
 * [B × S × W] → [B × S × W]: the softmax over all experts, the best `perToken` of it made to sum to 1, the experts'
 * outputs mixed with these shares.
 * Each expert computes the tokens that chose it and no others, so that work grows with `perToken`, not with the number
 * of experts.
 */
export function mixExperts(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  mlp: Extract<MlpSpec, { kind: 'experts' }>,
): Value {
  const { builder, spec, weights } = wiring
  const rows = builder.reshape(x, [-1, spec.width]) // [T × W], T = B·S
  const shares = route(wiring, rows, block, mlp) // [T × E]
  // Without the router's own tensor nothing fits: it is named in the fault, and the names of experts it does not have
  // are not made up.
  if (weights.shape('block.mlp.router', block)?.[0] !== mlp.experts) return x
  const zeros = builder.node('ConstantOfShape', [builder.node('Shape', [rows])])
  const mixed = Array.from({ length: mlp.experts }, (_, e) => e).reduce((sum, e) => {
    const share = builder.node('Gather', [shares, builder.int(e)], { axis: 1 }) // [T]
    return addExpert(wiring, { sum, rows, share }, expert(wiring, { ...block, e }, mlp))
  }, zeros)
  return builder.node('Reshape', [mixed, builder.node('Shape', [x])])
}

/** Share of every expert in every token, 0 for those not chosen. */
function route(
  wiring: Wiring,
  rows: Value,
  block: BlockSpec,
  { experts, perToken }: Extract<MlpSpec, { kind: 'experts' }>,
): Value {
  const { builder, spec } = wiring
  const likes = builder.node(
    'Softmax',
    [
      linear(wiring, rows, 'block.mlp.router', {
        in: spec.width,
        out: experts,
        bias: false,
        place: block,
        decides: true,
      }),
    ],
    { axis: -1 },
  )
  const [best = '', which = ''] = builder.split('TopK', [likes, builder.int([perToken])], 2, { axis: -1 })
  const total = builder.node('ReduceSum', [best, builder.int([-1])], { keepdims: 1 })
  const none = builder.node('ConstantOfShape', [builder.node('Shape', [likes])])
  return builder.node('ScatterElements', [none, which, builder.node('Div', [best, total])], { axis: 1 })
}

function expert(
  wiring: Wiring,
  place: BlockSpec & { readonly e: number },
  { activation, width: inner }: Extract<MlpSpec, { kind: 'experts' }>,
): Rows {
  const { builder, spec } = wiring
  const into = { in: spec.width, out: inner, bias: false, place }
  return (rows) => {
    const gate = activate(builder, linear(wiring, rows, 'block.mlp.gate', into), activation)
    const gated = builder.multiply(gate, linear(wiring, rows, 'block.mlp.up', into))
    return linear(wiring, gated, 'block.mlp.out', { in: inner, out: spec.width, bias: false, place })
  }
}

/** sum + share ⊙ run(rows), computed for the rows whose share is not 0. */
function addExpert(
  { builder }: Wiring,
  { sum, rows, share }: { sum: Value; rows: Value; share: Value },
  run: Rows,
): Value {
  const chosen = builder.node('Squeeze', [builder.node('NonZero', [share]), builder.int([0])]) // [n]
  const shares = builder.node('Unsqueeze', [builder.node('Gather', [share, chosen]), builder.int([1])])
  const outputs = builder.multiply(run(builder.node('Gather', [rows, chosen])), shares)
  return builder.node('ScatterND', [sum, builder.node('Unsqueeze', [chosen, builder.int([1])]), outputs], {
    reduction: 'add',
  })
}
