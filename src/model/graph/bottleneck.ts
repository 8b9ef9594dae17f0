/** MobileBERT's block (Sun et al. 2020): narrow inside, with several feed-forward networks. */
import type { Activation, BlockSpec, BottleneckSpec, Slot } from '#model/architectures'
import { activate } from './activation.ts'
import { attendFrom, type AttentionContext } from './attention.ts'
import type { Value } from './builder.ts'
import { feedForward } from './mlp.ts'
import { normalize } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

/** [B × S × W] → [B × S × W]. */
export function runBottleneck(
  wiring: Wiring,
  context: AttentionContext,
  x: Value,
  block: BlockSpec,
  bottleneck: BottleneckSpec,
): Value {
  const { builder, spec } = wiring
  const { width = spec.width, networks, attends, activation } = bottleneck
  const isNarrow = bottleneck.width !== undefined
  const normed = (value: Value, slot: Slot, columns: number, j = 0): Value =>
    normalize(wiring, value, { slot, norm: spec.norm, width: columns, place: { i: block.i, j } })
  const narrow = (slot: 'block.narrow' | 'block.narrow.attention'): Value =>
    normed(linear(wiring, x, slot, { in: spec.width, out: width, bias: true, place: block }), `${slot}.norm`, width)

  const y = isNarrow ? narrow('block.narrow') : x
  const isShared = isNarrow && attends === 'shared'
  const attended = attendFrom(
    wiring,
    context,
    {
      x: isShared ? narrow('block.narrow.attention') : y,
      width,
      values: isShared ? x : y,
      valueWidth: isShared ? spec.width : width,
      out: width,
    },
    block,
  )
  let inner = normed(builder.add(attended, y), 'block.norm1', width)
  for (let j = 0; j + 1 < networks; j++) {
    const more = network(wiring, inner, width, activation, { ...block, j })
    inner = normed(builder.add(more, inner), 'block.network.norm', width, j)
  }
  const last = normalize(wiring, builder.add(feedForward(wiring, inner, block, width), inner), {
    slot: 'block.norm2',
    norm: bottleneck.norm,
    width,
    place: block,
  })
  if (!isNarrow) return last
  const wide = linear(wiring, last, 'block.widen', { in: width, out: spec.width, bias: true, place: block })
  return normed(builder.add(wide, x), 'block.widen.norm', spec.width)
}

/** One of the networks before the last. */
function network(wiring: Wiring, x: Value, width: number, activation: Activation, place: BlockSpec): Value {
  const inner = place.mlp.width
  const hidden = linear(wiring, x, 'block.network.in', { in: width, out: inner, bias: true, place })
  return linear(wiring, activate(wiring.builder, hidden, activation), 'block.network.out', {
    in: inner,
    out: width,
    bias: true,
    place,
  })
}
