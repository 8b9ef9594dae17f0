/** FNet's mixing (Lee-Thorp et al. 2022): the real part of a Fourier transform over text and columns. */
import type { Builder, Value } from './builder.ts'
import type { Wiring } from './wiring.ts'

interface Waves {
  /** [n × n] */
  readonly cos: Value
  readonly sin: Value
}

const made = new WeakMap<Builder, { readonly text: Waves; readonly columns: Waves }>()

/** Re(F x F) = C x C − S x S for [B × S × W]; pads are transformed with the rest. */
export function fourierMix(wiring: Wiring, x: Value): Value {
  const { builder } = wiring
  const { text, columns } = made.get(builder) ?? allWaves(wiring)
  const part = (left: Value, right: Value): Value => builder.exactProduct(left, builder.exactProduct(x, right))
  return builder.node('Sub', [part(text.cos, columns.cos), part(text.sin, columns.sin)])
}

/** Made once for all blocks. */
function allWaves({ builder, spec, columns }: Wiring): { readonly text: Waves; readonly columns: Waves } {
  const width = builder.int(spec.width)
  const waves = {
    text: wavesOf(builder, columns, builder.node('Size', [columns])),
    columns: wavesOf(builder, builder.node('Range', [builder.int(0), width, builder.int(1)]), width),
  }
  made.set(builder, waves)
  return waves
}

/** cos and sin of 2π · j · k / n; whole turns are left out, so that angles keep their digits. */
function wavesOf(builder: Builder, index: Value, size: Value): Waves {
  const turns = builder.node('Mod', [
    builder.multiply(builder.node('Unsqueeze', [index, builder.int([1])]), index),
    size,
  ])
  const angle = builder.multiply(
    builder.node('Div', [builder.cast(turns, 'float32'), builder.cast(size, 'float32')]),
    builder.float(2 * Math.PI),
  )
  return { cos: builder.node('Cos', [angle]), sin: builder.node('Sin', [angle]) }
}
