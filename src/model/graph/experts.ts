/**
 * A mixture of experts (Shazeer et al. 2017; Jiang et al. 2024): every token goes to the few experts its router likes
 * best, and past those that all tokens share.
 */
import type { BlockSpec, ClipSpec, ExpertsSpec, Place, SharedSpec, Slot } from '#model/architectures'
import { activate } from './activation.ts'
import type { Builder, Value } from './builder.ts'
import { normalize } from './norm.ts'
import { chooseExperts, route } from './routing.ts'
import type { Slice } from './weights.ts'
import { linear, type Wiring } from './wiring.ts'

/**
 * [B × S × W] → [B × S × W]: the experts' outputs mixed with the shares of the router, and the shared experts. An expert
 * computes the tokens that chose it and no others, so that work grows with `perToken`, not with the number of experts.
 * `routed`: what the router reads, where that is not x.
 */
export function mixExperts(wiring: Wiring, x: Value, block: BlockSpec, mlp: ExpertsSpec, routed = x): Value {
  const { builder, spec, weights } = wiring
  const rows = builder.reshape(x, [-1, spec.width]) // [T × W], T = B·S
  const shares = route(wiring, routed === x ? rows : builder.reshape(routed, [-1, spec.width]), block, mlp) // [T × E]
  // Without the router's own tensor nothing fits: it is named in the fault, and the names of experts it does not have
  // are not made up.
  if (weights.shape('block.mlp.router', block)?.[0] !== chooseExperts(mlp)) return x
  const { latent } = mlp
  const narrow = (value: Value, slot: Slot, from: number, to: number): Value =>
    latent === undefined
      ? value
      : linear(wiring, value, slot, { in: from, out: to, bias: latent.bias, place: block, per: 'row' })
  const { width: columns = spec.width } = latent ?? {}
  const inputs = narrow(rows, 'block.mlp.latent.in', spec.width, columns)
  const zeros = builder.node('ConstantOfShape', [builder.node('Shape', [inputs])])
  const summed = Array.from({ length: mlp.experts }, (_, e) => e).reduce((sum, e) => {
    const share = builder.node('Gather', [shares, builder.int(e)], { axis: 1 }) // [T]
    return addExpert(wiring, { sum, rows: inputs, share }, { block, mlp, e })
  }, zeros)
  const taken = narrow(summed, 'block.mlp.latent.out', columns, spec.width)
  const all = mlp.idle?.give === 'input' ? builder.add(taken, idleShare(wiring, rows, shares, mlp)) : taken
  const mixed = mlp.shared === undefined ? all : join(builder, all, sharedExpert(wiring, rows, block, mlp), mlp.shared)
  const { outNorm } = mlp
  const normed =
    outNorm === undefined
      ? mixed
      : normalize(wiring, mixed, { slot: 'block.mlp.mixed.norm', norm: outNorm, width: spec.width, place: block })
  return builder.node('Reshape', [normed, builder.node('Shape', [x])])
}

interface Expert {
  readonly block: BlockSpec
  readonly mlp: ExpertsSpec
  readonly e: number
}

/** sum + share ⊙ expert(rows), or expert(share ⊙ rows), computed for the rows whose share is not 0. */
function addExpert(
  wiring: Wiring,
  { sum, rows, share }: { readonly sum: Value; readonly rows: Value; readonly share: Value },
  expert: Expert,
): Value {
  const { builder } = wiring
  const { routing } = expert.mlp
  const chosen = builder.node('Squeeze', [builder.node('NonZero', [share]), builder.int([0])]) // [n]
  const shares = builder.node('Unsqueeze', [builder.node('Gather', [share, chosen]), builder.int([1])])
  const inputs = builder.node('Gather', [rows, chosen])
  const outputs =
    routing.kind === 'top' && routing.weigh === 'inputs'
      ? runExpert(wiring, builder.multiply(inputs, shares), expert)
      : builder.multiply(runExpert(wiring, inputs, expert), shares)
  return builder.node('ScatterND', [sum, builder.node('Unsqueeze', [chosen, builder.int([1])]), outputs], {
    reduction: 'add',
  })
}

/** What one expert makes of rows [n × W], or of narrower ones. */
function runExpert(wiring: Wiring, rows: Value, expert: Expert): Value {
  const { builder, weights, spec } = wiring
  const { block, mlp, e } = expert
  const { width: inner, bias, stacked, plain = false, activation } = mlp
  const { width: columns = spec.width } = mlp.latent ?? {}
  const own = { per: 'row', bias } as const
  if (weights.has('block.mlp.stacked.out', block)) {
    const all = { ...own, place: block, slice: { index: e, of: mlp.experts } }
    const made = plain
      ? activate(
          builder,
          linear(wiring, rows, 'block.mlp.stacked.up', { ...all, in: columns, out: inner, layout: stacked.in }),
          activation,
        )
      : combine(builder, stackedInner(wiring, rows, mlp, all), mlp)
    return linear(wiring, made, 'block.mlp.stacked.out', {
      ...all,
      in: inner,
      out: columns,
      layout: stacked.out,
      biasSlot: 'block.mlp.stacked.out.bias',
    })
  }
  const one = { ...own, place: { ...block, e } }
  const into = { ...one, in: columns, out: inner }
  const up = linear(wiring, rows, 'block.mlp.experts.up', into)
  const made = plain
    ? activate(builder, up, activation)
    : combine(builder, [linear(wiring, rows, 'block.mlp.experts.gate', into), up], mlp)
  return linear(wiring, made, 'block.mlp.experts.out', { ...one, in: inner, out: columns })
}

type Pair = readonly [gate: Value, up: Value]

/** Gate and up [n × I] of an expert whose matrices lie with those of all others. */
function stackedInner(
  wiring: Wiring,
  rows: Value,
  { width: inner, stacked }: ExpertsSpec,
  all: { readonly per: 'row'; readonly bias: boolean; readonly place: Place; readonly slice: Slice },
): Pair {
  const { builder, weights, spec } = wiring
  const into = { ...all, in: spec.width, layout: stacked.in }
  if (weights.has('block.mlp.stacked.gate', all.place))
    return [
      linear(wiring, rows, 'block.mlp.stacked.gate', { ...into, out: inner }),
      linear(wiring, rows, 'block.mlp.stacked.up', { ...into, out: inner }),
    ]
  const both = linear(wiring, rows, 'block.mlp.stacked.in', {
    ...into,
    out: 2 * inner,
    biasSlot: 'block.mlp.stacked.in.bias',
  })
  if (!stacked.interleaved) return halves(builder, both, inner)
  const pairs = builder.reshape(both, [-1, inner, 2])
  return [0, 1].map((which) => builder.node('Gather', [pairs, builder.int(which)], { axis: 2 })) as [Value, Value]
}

function halves(builder: Builder, both: Value, inner: number): Pair {
  const [gate = '', up = ''] = builder.split('Split', [both, builder.int([inner, inner])], 2, { axis: -1 })
  return [gate, up]
}

function combine(builder: Builder, [gate, up]: Pair, { activation, clip }: ExpertsSpec): Value {
  return clip === undefined
    ? builder.multiply(activate(builder, gate, activation), up)
    : clipped(builder, [gate, up], clip)
}

/** OpenAI 2025 (gpt-oss). */
function clipped(builder: Builder, [gate, up]: Pair, { limit, steepness, shift }: ClipSpec): Value {
  const low = builder.node('Min', [gate, builder.float(limit)])
  const bounded = builder.node('Clip', [up, builder.float(-limit), builder.float(limit)])
  const factor = shift === 0 ? bounded : builder.add(bounded, builder.float(shift))
  return builder.multiply(builder.fused('QuickGelu', [low], { alpha: { float: steepness } }), factor)
}

/** The token itself, times the shares of the choices that compute nothing. */
function idleShare({ builder }: Wiring, rows: Value, shares: Value, mlp: ExpertsSpec): Value {
  const idle = builder.node('Slice', [
    shares,
    builder.int([mlp.experts]),
    builder.int([chooseExperts(mlp)]),
    builder.int([1]),
  ])
  return builder.multiply(rows, builder.node('ReduceSum', [idle, builder.int([-1])], { keepdims: 1 }))
}

function sharedExpert(wiring: Wiring, rows: Value, block: BlockSpec, mlp: ExpertsSpec): Value {
  const { builder, spec } = wiring
  const { activation, shared, plain = false } = mlp
  if (shared === undefined) return rows
  const { width: inner, bias, layout, gated } = shared
  const own = { per: 'row', bias, place: block } as const
  const into = { ...own, in: spec.width, out: inner }
  const pair = (): Pair =>
    layout === 'separate'
      ? [linear(wiring, rows, 'block.mlp.shared.gate', into), linear(wiring, rows, 'block.mlp.shared.up', into)]
      : halves(builder, linear(wiring, rows, 'block.mlp.shared.in', { ...into, out: 2 * inner }), inner)
  const gatedPair = ([gate, up]: Pair): Value => builder.multiply(activate(builder, gate, activation), up)
  const made = plain
    ? activate(builder, linear(wiring, rows, 'block.mlp.shared.up', into), activation)
    : gatedPair(pair())
  const output = linear(wiring, made, 'block.mlp.shared.out', { ...own, in: inner, out: spec.width })
  if (!gated) return output
  const opening = linear(wiring, rows, 'block.mlp.shared.scale', {
    ...own,
    bias: false,
    in: spec.width,
    out: 1,
    decides: true,
  })
  return builder.multiply(output, builder.node('Sigmoid', [opening]))
}

function join(builder: Builder, routed: Value, shared: Value, { joined }: SharedSpec): Value {
  const sum = builder.add(routed, shared)
  return joined === 'sum' ? sum : builder.multiply(sum, builder.float(0.5))
}
