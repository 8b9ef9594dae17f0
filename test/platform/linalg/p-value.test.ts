import { describe, expect, test } from 'vitest'
import { correlationPValue } from '#platform/linalg'

describe('the two-sided p-value of a correlation', () => {
  // scipy 1.17.1: 2 · beta(n/2 − 1, n/2 − 1, loc=−1, scale=2).sf(|r|), which is what pearsonr returns
  test.each([
    [-0.999999, 3, 0.0009003163912464048],
    [-0.7, 3, 0.50636662221327],
    [0.3, 3, 0.8060266319586434],
    [-0.05, 4, 0.95],
    [0.95, 4, 0.050000000000000044],
    [-0.7, 5, 0.18812040437418737],
    [0.95, 5, 0.01332001101014126],
    [0.3, 16, 0.25893645256249864],
    [0.95, 16, 1.8346172668588274e-8],
    [-0.05, 33, 0.7822977895556859],
    [0.52, 33, 0.0019238389727365883],
    [0.3, 200, 1.5897088737194917e-5],
    [-0.05, 3000, 0.006159174822528414],
    [0.3, 3000, 1.9407172086956427e-63],
  ])('r = %d, n = %d', (r, n, want) => {
    // exponents of large n carry the rounding of logarithms
    expect(Math.abs(correlationPValue(r, n) / want - 1)).toBeLessThan(1e-10)
  })

  test('ends, and where it is undefined', () => {
    expect([correlationPValue(0, 9), correlationPValue(1, 9), correlationPValue(-1, 9)]).toEqual([1, 0, 0])
    expect([correlationPValue(0.5, 2), correlationPValue(NaN, 9)]).toEqual([NaN, NaN])
  })
})
