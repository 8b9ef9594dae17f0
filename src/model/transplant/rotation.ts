/**
 * Rotary embedding of a whole row, head by head, at any real position, and the position that best turns one row into
 * another. mergekit, `tokensurgeon/rope_helpers.py`.
 */

export interface Rotary {
  readonly heads: number
  readonly base: number
}

/** Angle a pair of dimensions turns by at position 1: [width / heads / 2]. */
function frequencies({ heads, base }: Rotary, width: number): Float64Array {
  const size = Math.floor(width / heads)
  return Float64Array.from({ length: size / 2 }, (_, i) => base ** ((-2 * i) / size))
}

/** Each head's dimension i turned with its dimension i + half, as Llama does. */
export function rotated(row: Float32Array | Float64Array, position: number, rotary: Rotary): Float64Array {
  const turns = frequencies(rotary, row.length)
  const half = turns.length
  const out = new Float64Array(row.length)
  for (let head = 0; head < rotary.heads; head++) {
    for (let i = 0; i < half; i++) {
      const [a, b] = [2 * head * half + i, (2 * head + 1) * half + i]
      const [cos, sin] = [Math.cos(position * turns[i]!), Math.sin(position * turns[i]!)]
      out[a] = row[a]! * cos - row[b]! * sin
      out[b] = row[b]! * cos + row[a]! * sin
    }
  }
  return out
}

/** The angles between two rows, pair by pair, projected on those that one position gives. */
export function positionBetween(
  row: Float32Array | Float64Array,
  other: Float64Array,
  rotary: Rotary,
  sign: 1 | -1,
): number {
  const turns = frequencies(rotary, row.length)
  const half = turns.length
  let [sum, square] = [0, 0]
  for (let head = 0; head < rotary.heads; head++) {
    for (let i = 0; i < half; i++) {
      const [a, b] = [2 * head * half + i, (2 * head + 1) * half + i]
      const [x, y] = [sign * other[a]!, sign * other[b]!]
      sum += Math.atan2(row[a]! * y - row[b]! * x, row[a]! * x + row[b]! * y) * turns[i]!
      square += turns[i]! ** 2
    }
  }
  return sum / square
}
