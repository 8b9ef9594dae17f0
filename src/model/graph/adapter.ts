/** A bottleneck behind an MLP. */
import type { BlockSpec, Slot } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

const norms = { own: 'block.adapter.norm', second: 'block.norm2', none: undefined } as const

/** [B × S × W] → [B × S × W], the stream after the MLP was added; unchanged for a model without adapters. */
export function adapt(wiring: Wiring, stream: Value, block: BlockSpec): Value {
  const { builder, spec } = wiring
  const { adapter, width, norm } = spec
  if (adapter === undefined) return stream
  const slot: Slot | undefined = norms[adapter.norm]
  const normed = slot === undefined ? stream : normalize(wiring, stream, { slot, norm, width, place: block })
  const inner = linear(wiring, normed, 'block.adapter.in', { in: width, out: adapter.width, bias: true, place: block })
  const outer = linear(wiring, activate(builder, inner, adapter.activation), 'block.adapter.out', {
    in: adapter.width,
    out: width,
    bias: true,
    place: block,
  })
  return builder.add(adapter.residual === 'normed' ? normed : stream, outer)
}
