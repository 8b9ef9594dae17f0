/** Rotary positions (Su et al. 2021): frequencies per table, cos and sin per batch, rotation of queries and keys. */
import {
  fixedFrequencies,
  type QueryTemperature,
  type Rotary,
  rotaryExponents,
  rotaryWavelengths,
} from '#model/architectures'
import type { Value } from './builder.ts'
import type { Wiring } from './wiring.ts'

/** Cos and sin of one table for the batch, and which of their rows each token uses. */
export interface RotaryCache {
  readonly rotary: Rotary
  /** [P × width/2], one row per position: P = S, or B·S where the caller gives positions. */
  readonly cos: Value
  readonly sin: Value
  /** [1] with the first row, or [B × S]. */
  readonly rows: Value
}

export function rotaryCache(wiring: Wiring, rotary: Rotary): RotaryCache {
  const { builder, positions, columns, ids } = wiring
  const flat = positions === undefined ? columns : builder.reshape(positions, [-1])
  const angles = builder.multiply(
    builder.node('Unsqueeze', [builder.cast(flat, 'float32'), builder.int([1])]),
    frequencies(wiring, rotary),
  )
  const factor = magnitude(wiring, rotary)
  const scaled = (value: Value): Value => (factor === undefined ? value : builder.multiply(value, factor))
  const own =
    wiring.rotary === 'plain' ? builder.node('Expand', [columns, builder.node('Shape', [ids])]) : builder.int([0])
  const rows =
    positions === undefined ? own : builder.node('Reshape', [count(wiring, positions), builder.node('Shape', [ids])])
  const sin = scaled(builder.node('Sin', [angles]))
  return {
    rotary,
    cos: scaled(builder.node('Cos', [angles])),
    sin: rotary.reversed === true ? builder.node('Neg', [sin]) : sin,
    rows,
  }
}

/** Queries [B × S × N·D], each times what its position makes of it. */
export function stretchQueries(
  { builder, positions, columns, past }: Wiring,
  queries: Value,
  { strength, length, offset, byColumn = false }: QueryTemperature,
): Value {
  // After a past, columns are counted from the new tokens on.
  const found = byColumn && past === undefined ? columns : (positions ?? columns)
  const places = builder.add(builder.cast(found, 'float32'), builder.float(offset))
  const steps = builder.node('Floor', [builder.node('Div', [places, builder.float(length)])])
  const growth = builder.multiply(builder.node('Log', [builder.add(steps, builder.float(1))]), builder.float(strength))
  // [S × 1] or [B × S × 1]
  const factors = builder.node('Unsqueeze', [builder.add(growth, builder.float(1)), builder.int([-1])])
  return builder.multiply(queries, factors)
}

/** Queries or keys [B × S × heads·D] with their leading columns rotated. */
export function rotate(
  { builder, rotary: form }: Wiring,
  x: Value,
  { rotary, cos, sin, rows }: RotaryCache,
  heads: number,
  headWidth: number,
): Value {
  const { width, interleaved } = rotary
  const turn = (value: Value, partial = 0): Value =>
    builder.fused('RotaryEmbedding', [value, rows, cos, sin], {
      interleaved: interleaved ? 1 : 0,
      num_heads: heads,
      rotary_embedding_dim: partial,
    })
  if (width === headWidth) return turn(x)
  if (form === 'fused') return turn(x, width)
  const perHead = builder.reshape(x, [0, 0, heads, headWidth])
  const [leading = '', kept = ''] = builder.split('Split', [perHead, builder.int([width, headWidth - width])], 2, {
    axis: -1,
  })
  const turned = builder.reshape(turn(builder.reshape(leading, [0, 0, heads * width])), [0, 0, heads, width])
  return builder.reshape(builder.node('Concat', [turned, kept], { axis: -1 }), [0, 0, heads * headWidth])
}

/** Undefined where it is 1. */
function magnitude(wiring: Wiring, { magnitude, longMagnitude = magnitude, scaling }: Rotary): Value | undefined {
  const { builder } = wiring
  if (longMagnitude === magnitude || scaling.kind !== 'longrope')
    return magnitude === 1 ? undefined : builder.float(magnitude)
  const long = builder.node('Greater', [longest(wiring), builder.float(scaling.trainedLength)])
  return builder.node('Where', [long, builder.float(longMagnitude), builder.float(magnitude)])
}

/** 0 … n-1 for the n elements of a value. */
function count({ builder }: Wiring, value: Value): Value {
  const size = builder.node('Size', [value])
  return builder.node('Range', [builder.int(0), size, builder.int(1)])
}

/** Longest position of the batch + 1, pads included, as float32 scalar. */
function longest({ builder, positions, columns }: Wiring): Value {
  const last =
    positions === undefined
      ? builder.node('Size', [columns])
      : builder.add(builder.node('ReduceMax', [positions], { keepdims: 0 }), builder.int(1))
  return builder.cast(last, 'float32')
}

/** Angle per position of each rotated pair, [width/2]; a constant unless it depends on the batch. */
function frequencies(wiring: Wiring, rotary: Rotary): Value {
  const { builder } = wiring
  const { scaling } = rotary
  switch (scaling.kind) {
    case 'dynamic': {
      const { factor, trainedLength } = scaling
      const length = builder.node('Max', [longest(wiring), builder.float(trainedLength)])
      const growth = builder.add(
        builder.multiply(length, builder.float(factor / trainedLength)),
        builder.float(1 - factor),
      )
      const base = builder.multiply(
        builder.float(rotary.base),
        builder.node('Pow', [growth, builder.float(rotary.width / (rotary.width - 2))]),
      )
      return builder.node('Reciprocal', [builder.node('Pow', [base, builder.float(rotaryExponents(rotary.width))])])
    }
    case 'longrope': {
      const long = builder.node('Greater', [longest(wiring), builder.float(scaling.trainedLength)])
      return builder.node('Where', [
        long,
        builder.float(divided(rotary, scaling.long)),
        builder.float(divided(rotary, scaling.short)),
      ])
    }
    case 'default':
    case 'linear':
    case 'yarn':
    case 'llama3':
    case 'proportional':
      return builder.float(fixedFrequencies(rotary))
    default:
      return scaling satisfies never
  }
}

function divided(rotary: Rotary, divisors: readonly number[]): Float32Array {
  return rotaryWavelengths(rotary).map(
    (wavelength, pair) => 1 / Math.fround(Math.fround(divisors[pair] ?? 1) * wavelength),
  )
}
