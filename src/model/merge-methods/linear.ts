/** Weighted mean ("model soup"). Wortsman et al. 2022 (arXiv 2203.05482); mergekit `linear`. */
import { fault, type Floats } from '#core'
import { type Block, flagOf, type MergeMethod, numberOf, perModel, sharedFlag } from './method.ts'

export const linear: MergeMethod = {
  name: 'linear',
  reference: 'https://arxiv.org/abs/2203.05482',
  base: 'input',
  inputs: [1, Infinity],
  parameters: { weight: perModel(), normalize: sharedFlag(true) },
  streaming: 'elementwise',
  tolerance: 2e-6,
  deviations: ['weights that add up to 0 are refused where they are to be normalised, as by 0.1.5; 0.1.4 divides by 0'],
  kernel({ name, perModel: models, shared, round, compat }) {
    const weights = models.map((values) => round(numberOf(values, 'weight')))
    const sum = round(weights.reduce((total, weight) => total + weight, 0))
    const divisor = flagOf(shared, 'normalize') ? sum : 1
    if (compat === 'mergekit-0.1.4')
      return { grain: 1, passes: [], output: (block, out) => roundedMean(block, weights, divisor, round, out) }
    if (divisor === 0) {
      throw fault('config.value', {
        place: name,
        what: 'the weights add up to 0 and cannot be normalised',
        seen: weights,
        hint: 'set normalize: false',
      })
    }
    const shares = weights.map((weight) => weight / divisor)
    const [first, second, ...more] = shares
    return {
      grain: 1,
      passes: [],
      output: ({ inputs, length }, out) => weightedSum(inputs, shares, length, out),
      ...(first === undefined || second === undefined || more.length > 0
        ? {}
        : { mix: () => ({ of: 'values' as const, coefficients: [first, second] as const }) }),
    }
  },
}

/** Elements that are summed at once. */
const chunkLength = 2 ** 11
const sums = new Float64Array(chunkLength)

function weightedSum(inputs: readonly Floats[], shares: readonly number[], length: number, out: Floats): void {
  if (inputs.length === 2) return weightedPair(inputs[0]!, inputs[1]!, shares[0]!, shares[1]!, length, out)
  for (let from = 0; from < length; from += chunkLength) {
    const size = Math.min(chunkLength, length - from)
    sums.fill(0)
    inputs.forEach((input, k) => addShare(input, shares[k]!, from, size))
    for (let i = 0; i < size; i++) out[from + i] = sums[i]!
  }
}

function weightedPair(a: Floats, b: Floats, own: number, other: number, length: number, out: Floats): void {
  for (let i = 0; i < length; i++) out[i] = own * a[i]! + other * b[i]!
}

function addShare(input: Floats, share: number, from: number, size: number): void {
  for (let i = 0; i < size; i++) sums[i]! += share * input[from + i]!
}

/** Products and quotient rounded to the storage type; the sum runs in float32 and is rounded once, as torch reduces. */
function roundedMean(
  { inputs, length }: Block,
  weights: readonly number[],
  divisor: number,
  round: (value: number) => number,
  out: Floats,
): void {
  for (let i = 0; i < length; i++) {
    let total = 0
    for (let k = 0; k < inputs.length; k++) total += round(weights[k]! * inputs[k]![i]!)
    out[i] = round(round(total) / divisor)
  }
}
