/** The position-wise half of a block. */
import type { BlockSpec, Slot } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { mixExperts } from './experts.ts'
import { normalize } from './norm.ts'
import { shiftTokens } from './token-shift.ts'
import { linear, type Wiring } from './wiring.ts'

/** [B × S × W] → [B × S × W] for a `width` W, residual not added. */
export function feedForward(wiring: Wiring, x: Value, block: BlockSpec, width = wiring.spec.width): Value {
  const { builder, spec, weights } = wiring
  const { mlp } = block
  const bias = typeof mlp.bias === 'boolean' ? { in: mlp.bias, out: mlp.bias } : mlp.bias
  const stored = { place: block, layout: spec.tensors.linear }
  const layer = { ...stored, bias: bias.in }
  const groups = mlp.kind === 'plain' ? mlp.groups : undefined
  const out = (inner: Value): Value =>
    linear(wiring, inner, 'block.mlp.out', {
      in: mlp.width,
      out: width,
      groups: groups?.out,
      ...stored,
      bias: bias.out,
    })
  switch (mlp.kind) {
    case 'plain': {
      const inner = linear(wiring, x, 'block.mlp.in', { in: width, out: mlp.width, groups: groups?.in, ...layer })
      return out(
        mlp.activation === 'xielu' ? learnedActivation(wiring, inner, block) : activate(builder, inner, mlp.activation),
      )
    }
    case 'gated': {
      const apart =
        mlp.layout === 'separate' || (!weights.has('block.mlp.in', block) && weights.has('block.mlp.gate', block))
      const halves = apart
        ? (['block.mlp.gate', 'block.mlp.up'] as const).map((slot) =>
            linear(wiring, x, slot, { in: width, out: mlp.width, ...layer }),
          )
        : builder.split(
            'Split',
            [
              withBranch(
                wiring,
                { x, projected: linear(wiring, x, 'block.mlp.in', { in: width, out: 2 * mlp.width, ...layer }) },
                block,
                { width, out: 2 * mlp.width, rank: mlp.branch },
              ),
              builder.int([mlp.width, mlp.width]),
            ],
            2,
            { axis: -1 },
          )
      const [first, second] = mlp.layout === 'halves-reversed' && !apart ? halves.toReversed() : halves
      const { factors, innerNorm } = mlp
      const scaled = (value: Value, by = 1): Value => (by === 1 ? value : builder.multiply(value, builder.float(by)))
      const gate = activate(builder, above(wiring, scaled(first ?? x, factors?.gate), mlp.cutoff), mlp.activation)
      const inner = builder.multiply(gate, second ?? x)
      const normed =
        innerNorm === undefined
          ? inner
          : normalize(wiring, inner, { slot: 'block.mlp.out.norm', norm: innerNorm, width: mlp.width, place: block })
      return scaled(out(normed), factors?.out)
    }
    case 'receptance': {
      const [forInner = '', forGate = ''] = shiftTokens(wiring, x, block, {
        part: 'mlp.shift',
        shares: ['block.mlp.shift.in', 'block.mlp.shift.gate'],
      })
      const inner = linear(wiring, forInner, 'block.mlp.in', { in: width, out: mlp.width, ...layer })
      const gate = linear(wiring, forGate, 'block.mlp.gate', { in: width, out: width, ...layer })
      return builder.multiply(builder.node('Sigmoid', [gate]), out(activate(builder, inner, mlp.activation)))
    }
    case 'experts':
      return mixExperts(wiring, x, block, mlp)
    default:
      return mlp satisfies never
  }
}

/** Adds x · A · B of a low rank to a projection of x. */
function withBranch(
  wiring: Wiring,
  { x, projected }: { readonly x: Value; readonly projected: Value },
  block: BlockSpec,
  { width, out, rank }: { readonly width: number; readonly out: number; readonly rank: number | undefined },
): Value {
  if (rank === undefined) return projected
  const low = linear(wiring, x, 'block.mlp.branch.down', { in: width, out: rank, bias: false, place: block })
  return wiring.builder.add(
    projected,
    linear(wiring, low, 'block.mlp.branch.up', { in: rank, out, bias: false, place: block }),
  )
}

/**
 * xIELU (Huang et al. 2024, eq. 7): αₚ·x² + β·x above 0, αₙ·(e^min(x, ε) − 1 − x) + β·x below, αₚ = softplus(aₚ),
 * αₙ = β + softplus(aₙ). A file without β and ε has 0.5 and −10⁻⁶.
 */
function learnedActivation({ builder, weights }: Wiring, x: Value, block: BlockSpec): Value {
  const { node, add, multiply, float } = builder
  const constant = (slot: Slot, usual: number): Value =>
    weights.has(slot, block) ? weights.tensor(slot, [], block) : float(usual)
  const beta = constant('block.mlp.activation.linear', 0.5)
  const limit = constant('block.mlp.activation.limit', -1e-6)
  const above = node('Softplus', [weights.tensor('block.mlp.activation.positive', [1], block)])
  const below = add(beta, node('Softplus', [weights.tensor('block.mlp.activation.negative', [1], block)]))
  // e^x − 1 by way of tanh, exact also near 0.
  const low = node('Min', [x, limit])
  const half = node('Tanh', [multiply(low, float(0.5))])
  const grown = node('Div', [multiply(half, float(2)), node('Sub', [float(1), half])])
  const curved = node('Where', [
    node('Greater', [x, float(0)]),
    multiply(multiply(above, x), x),
    multiply(node('Sub', [grown, x]), below),
  ])
  return add(curved, multiply(beta, x))
}

/** What exceeds mean + `cutoff` · standard deviation of its row, 0 for the rest. */
function above({ builder }: Wiring, x: Value, cutoff: number | undefined): Value {
  if (cutoff === undefined) return x
  const mean = (value: Value): Value => builder.node('ReduceMean', [value, builder.int([-1])], { keepdims: 1 })
  const centred = builder.node('Sub', [x, mean(x)])
  const deviation = builder.node('Sqrt', [mean(builder.multiply(centred, centred))])
  return builder.node('Relu', [builder.node('Sub', [centred, builder.multiply(deviation, builder.float(cutoff))])])
}
