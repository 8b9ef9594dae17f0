import { expect, test } from 'vitest'
import { randomState } from '#platform/random'
import { expEach, sameAsMathExp } from '../../../src/platform/linalg/exp-simd.ts'
import { sameBits } from '../wasm/same-bits.ts'
import { fdlibmExp } from './fdlibm-exp.ts'

/**
 * Where fdlibm's function changes its formula, or its answer its form: a tie of 1 + x, 2⁻²⁸, ½ ln 2 and its upper
 * word's next, 1½ ln 2, the largest subnormal power, the last that is not 0.
 */
const edges = [
  0,
  5e-324,
  3 * 2 ** -54,
  2 ** -28,
  0.34657359027997264,
  0.3465735912322998,
  Math.LN2,
  1.0397205352783203,
  1.0397207708399179,
  708,
  708.3964185322641,
  745.1332191019411,
  1e308,
]

/** The thousand numbers on each side of a negative one, in the order of their bits. */
function around(edge: number): Float64Array {
  const out = new Float64Array(2001).fill(-edge)
  const bits = new BigInt64Array(out.buffer)
  bits.forEach((own, i) => (bits[i] = own + BigInt(i - 1000)))
  return out.map((value) => (value > 0 ? -value : value))
}

const powers = (xs: Float64Array): Float64Array => xs.map(fdlibmExp)

test('around every edge', () => {
  for (const edge of edges)
    expect([edge, Array.from(expEach(around(edge)))]).toEqual([edge, Array.from(powers(around(edge)))])
})

test('a Math.exp that passes the sample has the same bits elsewhere', () => {
  const xs = Float64Array.from(randomState(1).randomSample(100_000), (value, i) => -value * 10 ** (i % 4))
  const others = expEach(xs).filter((value, i) => value !== Math.exp(xs[i]!)).length
  expect(others === 0).toBe(sameAsMathExp())
})

sameBits(
  'platform/linalg/exp-simd.ts',
  { lanes: 2, chunk: 1024 },
  {
    expEach: ({ doubles }) => {
      // from 1e-38 to 1e38 as drawn, and where powers are ordinary numbers
      const drawn = doubles('x').map((value) => -Math.abs(value))
      const near = doubles('x').map((value, i) => -Math.abs(value * ((i * 7) % 800)))
      return {
        kernel: { drawn: expEach(drawn), near: expEach(near) },
        loop: { drawn: powers(drawn), near: powers(near) },
      }
    },
  },
)
