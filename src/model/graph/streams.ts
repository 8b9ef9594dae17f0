/** Several residual streams of which a block computes one (AltUp: Baykal et al. 2023; Gemma 3n). P streams. */
import type { BlockSpec, Slot, StreamsSpec } from '#model/architectures'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

/** [B × S × W] → [B × S × P × W]: the embedding, and projections of it with its magnitude. */
export function openStreams(wiring: Wiring, x: Value, { count }: StreamsSpec): Value {
  const { builder } = wiring
  const others = Array.from({ length: count - 1 }, (_, j) =>
    ofMagnitude(wiring, projected(wiring, x, 'embed.streams', j), x),
  )
  return builder.node(
    'Concat',
    [x, ...others].map((one) => lifted(wiring, one)),
    { axis: 2 },
  )
}

/** [B × S × P × W] → [B × S × W]: the mean of the first and of projections of the others with its magnitude. */
export function closeStreams(wiring: Wiring, streams: Value, { count }: StreamsSpec): Value {
  const { builder } = wiring
  const first = streamAt(wiring, streams, 0)
  const sum = Array.from({ length: count - 1 }, (_, j) => j).reduce((all, j) => {
    const other = projected(wiring, streamAt(wiring, streams, j + 1), 'final.streams', j)
    return builder.add(all, ofMagnitude(wiring, other, first))
  }, first)
  return builder.multiply(sum, builder.float(1 / count))
}

/** [B × S × W] */
export function streamAt({ builder }: Wiring, streams: Value, index: number): Value {
  return builder.node('Gather', [streams, builder.int(index)], { axis: 2 })
}

/**
 * One block on [B × S × P × W]: `compute` makes the active stream of its prediction, and `input` the sum for all
 * but the first at the end.
 */
export function throughStreams(
  wiring: Wiring,
  streams: Value,
  block: BlockSpec,
  { count, active, scaled }: StreamsSpec,
  { compute, input }: { readonly compute: (x: Value) => Value; readonly input: (x: Value) => Value },
): Value {
  const { builder, spec, weights } = wiring
  const plan = linear(
    wiring,
    modalities(wiring, streamAt(wiring, streams, active), block, count),
    'block.streams.predict',
    {
      in: count,
      out: count * count,
      bias: false,
      place: block,
      decides: true,
    },
  )
  const shares = builder.reshape(plan, [0, 0, count, count])
  const predicted = builder.add(builder.exactProduct(shares, streams), streams)
  const before = streamAt(wiring, predicted, active)
  const after = compute(before)
  const trust = builder.add(
    linear(wiring, modalities(wiring, after, block, count), 'block.streams.correct', {
      in: count,
      out: count,
      bias: false,
      place: block,
      decides: true,
    }),
    builder.float(1),
  )
  const innovation = lifted(wiring, builder.node('Sub', [after, before]))
  const steps = builder.multiply(innovation, builder.node('Unsqueeze', [trust, builder.int([-1])]))
  const corrected = builder.add(predicted, steps)
  const own = streamAt(wiring, corrected, active)
  const more = input(scaled ? builder.multiply(own, weights.tensor('block.streams.scale', [spec.width], block)) : own)
  const [first = '', rest = ''] = builder.split('Split', [corrected, builder.int([1, count - 1])], 2, { axis: 2 })
  return builder.node('Concat', [first, builder.add(rest, lifted(wiring, more))], { axis: 2 })
}

/** tanh(norm(x) / W · R), [B × S × P]. */
function modalities(wiring: Wiring, x: Value, block: BlockSpec, count: number): Value {
  const { builder, spec } = wiring
  const normed = normalize(wiring, x, { slot: 'block.streams.norm', norm: spec.norm, width: spec.width, place: block })
  const routed = linear(wiring, builder.multiply(normed, builder.float(1 / spec.width)), 'block.streams.route', {
    in: spec.width,
    out: count,
    bias: false,
    place: block,
    decides: true,
  })
  return builder.node('Tanh', [routed])
}

function projected(wiring: Wiring, x: Value, slot: Slot, j: number): Value {
  const { width } = wiring.spec
  return linear(wiring, x, slot, { in: width, out: width, bias: false, place: { j } })
}

/** x with the root mean square of `model`. */
function ofMagnitude({ builder }: Wiring, x: Value, model: Value): Value {
  const square = (value: Value): Value =>
    builder.node('ReduceMean', [builder.multiply(value, value), builder.int([-1])], { keepdims: 1 })
  const own = builder.node('Sqrt', [builder.node('Max', [square(x), builder.float(1e-5)])])
  return builder.node('Div', [builder.multiply(x, builder.node('Sqrt', [square(model)])), own])
}

/** [B × S × W] → [B × S × 1 × W] */
function lifted({ builder }: Wiring, x: Value): Value {
  return builder.node('Unsqueeze', [x, builder.int([2])])
}
