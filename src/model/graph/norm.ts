/** Layer norm and RMS norm over the last axis. */
import type { NormSpec, Place, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import type { Wiring } from './wiring.ts'

/** A norm whose parameters are tensors of the model. */
interface Named {
  readonly slot: Slot
  readonly norm: NormSpec
  readonly width: number
  readonly place?: Place | undefined
}

/** The norm of `slot` over the last `width` columns of x. */
export function normalize(wiring: Wiring, x: Value, { slot, norm, width, place = {} }: Named): Value {
  const { weights } = wiring
  const scale = norm.weight === 'none' ? undefined : weights.tensor(slot, [width], place)
  const bias = norm.bias && norm.weight !== 'none' ? weights.tensor(slot, [width], place, 'bias') : undefined
  return normalizeBy(wiring, x, norm, width, { scale, bias })
}

/** A norm with given parameters; without a scale it is neutral. */
export function normalizeBy(
  { builder }: Wiring,
  x: Value,
  norm: NormSpec,
  width: number,
  { scale, bias }: { readonly scale?: Value | undefined; readonly bias?: Value | undefined } = {},
): Value {
  const given = scale ?? builder.float(new Float32Array(width).fill(1))
  const weight = scale !== undefined && norm.weight === 'plus-one' ? builder.add(given, builder.float(1)) : given
  const attributes = { axis: -1, epsilon: { float: norm.epsilon } }
  switch (norm.kind) {
    case 'layer':
      return builder.node('LayerNormalization', bias === undefined ? [x, weight] : [x, weight, bias], attributes)
    case 'affine': {
      const scaled = builder.multiply(x, weight)
      return bias === undefined ? scaled : builder.add(scaled, bias)
    }
    case 'rms':
      return builder.node('SimplifiedLayerNormalization', [x, weight], attributes)
    default:
      return norm.kind satisfies never
  }
}
