/** Vectors that every block makes of the tokens themselves (per-layer embeddings of Gemma 3n). L blocks, P columns. */
import type { BlockSpec, LayerInputs, ModelSpec } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

/** [B × S × L × P] of ids and their embeddings [B × S × W]. */
export function makeLayerInputs(wiring: Wiring, embedded: Value, { width, rows, blocks }: LayerInputs): Value {
  const { builder, spec, weights, ids } = wiring
  const all = blocks * width
  const known =
    rows < spec.vocabulary
      ? builder.node('Where', [builder.node('Less', [ids, builder.int(rows)]), ids, builder.int(0)])
      : ids
  const stored = builder.multiply(weights.rows('embed.layers', [rows, all], known), builder.float(Math.sqrt(width)))
  const projected = builder.multiply(
    linear(wiring, embedded, 'embed.layers.project', { in: spec.width, out: all, bias: false }),
    builder.float(spec.width ** -0.5),
  )
  const byLayer = (x: Value): Value => builder.reshape(x, [0, 0, blocks, width])
  const normed = normalize(wiring, byLayer(projected), { slot: 'embed.layers.norm', norm: spec.norm, width })
  return builder.multiply(builder.add(normed, byLayer(stored)), builder.float(Math.SQRT1_2))
}

/** norm((activation(x · G) ⊙ inputs of this block) · P), [B × S × W]. */
export function layerInput(
  wiring: Wiring,
  { x, inputs }: { readonly x: Value; readonly inputs: Value },
  block: BlockSpec,
  { width }: LayerInputs,
): Value {
  const { builder, spec } = wiring
  const gate = linear(wiring, x, 'block.layers.gate', { in: spec.width, out: width, bias: false, place: block })
  const own = builder.node('Gather', [inputs, builder.int(block.i)], { axis: 2 })
  const gated = builder.multiply(activate(builder, gate, gateActivation(spec)), own)
  const projected = linear(wiring, gated, 'block.layers.project', {
    in: width,
    out: spec.width,
    bias: false,
    place: block,
  })
  return normalize(wiring, projected, { slot: 'block.layers.norm', norm: spec.norm, width: spec.width, place: block })
}

/** The MLP's. */
function gateActivation({ mlp: { activation } }: ModelSpec): Parameters<typeof activate>[2] {
  return activation === 'xielu' ? 'linear' : activation
}
