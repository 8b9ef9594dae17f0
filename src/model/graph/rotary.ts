/** Rotary positions (Su et al. 2021): frequencies per table, cos and sin per batch, rotation of queries and keys. */
import type { Rotary } from '#model/architectures'
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
  const scaled = (value: Value): Value =>
    rotary.magnitude === 1 ? value : builder.multiply(value, builder.float(rotary.magnitude))
  const own =
    wiring.rotary === 'plain' ? builder.node('Expand', [columns, builder.node('Shape', [ids])]) : builder.int([0])
  const rows =
    positions === undefined ? own : builder.node('Reshape', [count(wiring, positions), builder.node('Shape', [ids])])
  return { rotary, cos: scaled(builder.node('Cos', [angles])), sin: scaled(builder.node('Sin', [angles])), rows }
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
      return builder.node('Reciprocal', [builder.node('Pow', [base, builder.float(exponents(rotary.width))])])
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
      return builder.float(fixedFrequencies(rotary))
    default:
      return scaling satisfies never
  }
}

/** 0, 2/width, 4/width, … rounded to float32 as the reference computes them. */
function exponents(width: number): Float32Array {
  return Float32Array.from({ length: width / 2 }, (_, pair) => (2 * pair) / width)
}

/** base^(2i/width) in float32. */
function wavelengths({ base, width }: Rotary): Float32Array {
  return exponents(width).map((exponent) => Math.pow(base, exponent))
}

function divided(rotary: Rotary, divisors: readonly number[]): Float32Array {
  return wavelengths(rotary).map((wavelength, pair) => 1 / Math.fround(Math.fround(divisors[pair] ?? 1) * wavelength))
}

/** Frequencies that do not depend on the batch, in the reference's order of float32 operations. */
export function fixedFrequencies(rotary: Rotary): Float32Array {
  const { scaling } = rotary
  const plain = wavelengths(rotary).map((wavelength) => 1 / wavelength)
  switch (scaling.kind) {
    case 'linear':
      return plain.map((frequency) => frequency / scaling.factor)
    case 'llama3':
      return plain.map((frequency) => llama3Frequency(frequency, scaling))
    case 'yarn': {
      const { low, high } = yarnRange(rotary, scaling)
      return plain.map((frequency, pair) => {
        const kept = 1 - Math.min(1, Math.max(0, (pair - low) / (high - low)))
        return (frequency / scaling.factor) * (1 - kept) + frequency * kept
      })
    }
    case 'default':
    case 'dynamic':
    case 'longrope':
      return plain
    default:
      return scaling satisfies never
  }
}

/** Llama 3.1: long wavelengths are divided by the factor, short ones kept, those between interpolated. */
function llama3Frequency(
  frequency: number,
  { factor, trainedLength, low, high }: Extract<Rotary['scaling'], { kind: 'llama3' }>,
): number {
  const wavelength = (2 * Math.PI) / frequency
  if (wavelength < trainedLength / high) return frequency
  if (wavelength > trainedLength / low) return frequency / factor
  const smooth = (trainedLength / wavelength - low) / (high - low)
  return ((1 - smooth) * frequency) / factor + smooth * frequency
}

/** Peng et al. 2023 (YaRN), §3.2: between these pairs the frequencies go over from kept to divided. */
function yarnRange(
  { base, width }: Rotary,
  { betaFast, betaSlow, trainedLength, truncate }: Extract<Rotary['scaling'], { kind: 'yarn' }>,
): { low: number; high: number } {
  const pairAt = (turns: number): number =>
    (width * Math.log(trainedLength / (turns * 2 * Math.PI))) / (2 * Math.log(base))
  const low = Math.max(truncate ? Math.floor(pairAt(betaFast)) : pairAt(betaFast), 0)
  const high = Math.min(truncate ? Math.ceil(pairAt(betaSlow)) : pairAt(betaSlow), width - 1)
  // The ramp of equal ends is a step.
  return { low, high: low === high ? high + 0.001 : high }
}
