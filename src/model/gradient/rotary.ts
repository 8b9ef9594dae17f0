/** Rotary positions (Su et al. 2021): in each head, columns i and i + size / 2 turn as a pair by position · frequency i. */
import type { Matrix64 } from '#core'

/** [tokens × pairs of a head], times the magnitude. */
export interface Turns {
  readonly cos: Float64Array
  readonly sin: Float64Array
  readonly pairs: number
}

/** Turns of tokens at these positions. */
export function turnsAt(
  positions: Int32Array,
  { frequencies, magnitude }: { frequencies: Float32Array; magnitude: number },
): Turns {
  const pairs = frequencies.length
  const angles = Float64Array.from(
    { length: positions.length * pairs },
    (_, k) => positions[Math.floor(k / pairs)]! * frequencies[k % pairs]!,
  )
  return {
    cos: angles.map((angle) => magnitude * Math.cos(angle)),
    sin: angles.map((angle) => magnitude * Math.sin(angle)),
    pairs,
  }
}

/** Queries or keys, [tokens × heads · size], turned. */
export function turned(x: Matrix64, turns: Turns): Matrix64 {
  return turnedBy(x, turns, 1)
}

/** Gradient with respect to the input of `turned`. */
export function turnedBackward(gradient: Matrix64, turns: Turns): Matrix64 {
  return turnedBy(gradient, turns, -1)
}

function turnedBy({ rows, width, data }: Matrix64, { cos, sin, pairs }: Turns, direction: 1 | -1): Matrix64 {
  const out = new Float64Array(data.length)
  for (let r = 0; r < rows; r++)
    for (let head = r * width; head < (r + 1) * width; head += 2 * pairs)
      for (let i = 0; i < pairs; i++) {
        const [a, b] = [head + i, head + pairs + i]
        const [along, across] = [cos[r * pairs + i]!, direction * sin[r * pairs + i]!]
        out[a] = data[a]! * along - data[b]! * across
        out[b] = data[b]! * along + data[a]! * across
      }
  return { rows, width, data: out }
}
