/** Which experts compute a token, and with what share (Shazeer et al. 2017; Jiang et al. 2024; DeepSeek-AI 2024). */
import type { BlockSpec, ExpertsSpec, SparseMixer, TopRouting } from '#model/architectures'
import { activate } from './activation.ts'
import { capScores } from './attention.ts'
import type { Value } from './builder.ts'
import { masked } from './masked.ts'
import { normalize } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

/** Share of every choice in every token, 0 for those not chosen: rows [T × W] to [T × E]. */
export function route(wiring: Wiring, rows: Value, block: BlockSpec, mlp: ExpertsSpec): Value {
  const { routing, perToken } = mlp
  const choices = chooseExperts(mlp)
  const network = routing.kind === 'top' ? routing.network : undefined
  const logits = linear(
    wiring,
    network === undefined ? rows : throughNetwork(wiring, rows, block, network),
    'block.mlp.router',
    {
      in: network?.width ?? wiring.spec.width,
      out: choices,
      bias: routing.kind === 'top' && routing.bias,
      place: block,
      per: 'row',
      decides: true,
    },
  )
  switch (routing.kind) {
    case 'top':
      return topShares(wiring, logits, { routing, choices, perToken, block })
    case 'sparse-mixer':
      return mixedShares(wiring, logits, routing)
    default:
      return routing satisfies never
  }
}

/** [T × W] to [T × R]: narrowed, with what the router before had, then two layers. */
function throughNetwork(
  wiring: Wiring,
  rows: Value,
  block: BlockSpec,
  { width, norm, carries }: NonNullable<TopRouting['network']>,
): Value {
  const { builder, spec, weights, routed } = wiring
  const shape = { out: width, bias: true, place: block, per: 'row', decides: true } as const
  const narrowed = linear(wiring, rows, 'block.mlp.router.down', { ...shape, in: spec.width })
  const state =
    carries && routed.state !== undefined
      ? builder.add(
          narrowed,
          builder.multiply(routed.state, weights.tensor('block.mlp.router.carried', [width], block)),
        )
      : narrowed
  routed.state = state
  const normed = normalize(wiring, state, { slot: 'block.mlp.router.norm', norm, width, place: block })
  return (['block.mlp.router.inner1', 'block.mlp.router.inner2'] as const).reduce(
    (x, slot) => activate(builder, linear(wiring, x, slot, { ...shape, in: width }), 'gelu'),
    normed,
  )
}

/** Experts, and what may be chosen instead of one. */
export function chooseExperts({ experts, idle }: ExpertsSpec): number {
  return experts + (idle?.count ?? 0)
}

interface Choice {
  readonly routing: TopRouting
  readonly choices: number
  readonly perToken: number
  readonly block: BlockSpec
}

function topShares(wiring: Wiring, logits: Value, { routing, choices, perToken, block }: Choice): Value {
  const { builder, weights } = wiring
  const capped = routing.softcap === undefined ? logits : capScores(wiring, logits, routing.softcap)
  const scores = scoresOf(wiring, capped, routing.scores)
  const isCorrected =
    routing.correction === true || (routing.correction !== false && weights.has('block.mlp.router.correction', block))
  const judged = routing.chosenBy === 'logits' ? capped : scores
  const corrected = isCorrected
    ? builder.add(judged, weights.tensor('block.mlp.router.correction', correctionDims(wiring, block, choices), block))
    : judged
  const open = routing.groups === undefined ? corrected : bestGroups(wiring, corrected, routing.groups, choices)
  const [best = '', which = ''] = builder.split('TopK', [open, builder.int([perToken])], 2, { axis: -1 })
  const chosen = open === scores ? best : builder.node('GatherElements', [scores, which], { axis: 1 })
  const shares = routing.normalized === undefined ? chosen : normalized(wiring, chosen, routing)
  const own = (each: Value): Value => builder.node('Gather', [each, which], { axis: 0 })
  const weighed =
    routing.perExpert === true
      ? builder.multiply(shares, own(weights.tensor('block.mlp.router.scale', [choices], block)))
      : shares
  const scaled = routing.scaling === 1 ? weighed : builder.multiply(weighed, builder.float(routing.scaling))
  return builder.node('ScatterElements', [nothing(wiring, logits), which, scaled], { axis: 1 })
}

function scoresOf({ builder }: Wiring, logits: Value, scores: TopRouting['scores']): Value {
  switch (scores) {
    case 'softmax':
      return builder.node('Softmax', [logits], { axis: -1 })
    case 'sigmoid':
      return builder.node('Sigmoid', [logits])
    case 'sqrt-softplus':
      return builder.node('Sqrt', [builder.node('Softplus', [logits])])
    default:
      return scores satisfies never
  }
}

/** ERNIE 4.5 stores one row. */
function correctionDims({ weights }: Wiring, block: BlockSpec, choices: number): readonly number[] {
  return weights.shape('block.mlp.router.correction', block)?.length === 2 ? [1, choices] : [choices]
}

/** Scores [T × E] with those outside the best groups far below every other. */
function bestGroups(
  { builder }: Wiring,
  scores: Value,
  { count, chosen, by }: NonNullable<TopRouting['groups']>,
  choices: number,
): Value {
  const byGroup = builder.reshape(scores, [-1, count, choices / count])
  const [best = ''] = builder.split('TopK', [byGroup, builder.int([by === 'best' ? 1 : 2])], 2, { axis: -1 })
  const worth = builder.node('ReduceSum', [best, builder.int([-1])], { keepdims: 0 }) // [T × G]
  const [, which = ''] = builder.split('TopK', [worth, builder.int([chosen])], 2, { axis: -1 })
  const ones = builder.node('Expand', [builder.float(1), builder.node('Shape', [which])])
  const none = builder.node('ConstantOfShape', [builder.node('Shape', [worth])])
  const open = builder.cast(builder.node('ScatterElements', [none, which, ones], { axis: 1 }), 'bool')
  const isOpen = builder.node('Unsqueeze', [open, builder.int([2])])
  return builder.reshape(builder.node('Where', [isOpen, byGroup, builder.float(masked)]), [-1, choices])
}

/** Divided by Σ |x|^p to the 1/p; shares are not negative. */
function normalized({ builder }: Wiring, shares: Value, { normalized: order = 1, past = 0 }: TopRouting): Value {
  const sum = (values: Value): Value => builder.node('ReduceSum', [values, builder.int([-1])], { keepdims: 1 })
  if (order === 1)
    return builder.node('Div', [shares, past === 0 ? sum(shares) : builder.add(sum(shares), builder.float(past))])
  const powers = sum(builder.node('Pow', [shares, builder.float(order)]))
  return builder.node('Div', [shares, builder.node('Pow', [powers, builder.float(1 / order)])])
}

function mixedShares(wiring: Wiring, logits: Value, { jitter }: SparseMixer): Value {
  const { builder } = wiring
  const first = bestNear(wiring, logits, { among: logits, jitter })
  const rest = builder.node('ScatterElements', [logits, first.which, farBelow(wiring, first.which)], { axis: 1 })
  const second = bestNear(wiring, logits, { among: rest, jitter })
  return [first, second].reduce(
    (shares, { which, share }) => builder.node('ScatterElements', [shares, which, share], { axis: 1 }),
    nothing(wiring, logits),
  )
}

/** The best of `among`, and its softmax over those that are near it. */
function bestNear(
  { builder }: Wiring,
  logits: Value,
  { among, jitter }: { readonly among: Value; readonly jitter: number },
): { readonly which: Value; readonly share: Value } {
  const [best = '', which = ''] = builder.split('TopK', [among, builder.int([1])], 2, { axis: -1 }) // [T × 1]
  const greater = builder.node('Max', [builder.node('Abs', [logits]), best])
  const distance = builder.node('Div', [builder.node('Sub', [best, logits]), greater])
  const isFar = builder.node('Greater', [distance, builder.float(2 * jitter)])
  const near = builder.node('Where', [isFar, builder.float(masked), among])
  const shares = builder.node('Softmax', [near], { axis: -1 })
  return { which, share: builder.node('GatherElements', [shares, which], { axis: 1 }) }
}

function nothing({ builder }: Wiring, like: Value): Value {
  return builder.node('ConstantOfShape', [builder.node('Shape', [like])])
}

function farBelow({ builder }: Wiring, like: Value): Value {
  return builder.node('Expand', [builder.float(masked), builder.node('Shape', [like])])
}
