/**
 * Model Stock: the mean of the inputs, drawn towards the base by how far their changes point apart. Jang, Yun & Han
 * 2024, eq. 7 with the mean of all pairs' cosines.
 */
import type { Floats } from '#core'
import { type Block, flagOf, type MergeMethod, sharedFlag } from './method.ts'
import { type Gram, gram, roundedGram } from './gram.ts'
import { byRows } from './by-rows.ts'

/** Products of norms below this count as it; absolute, as in mergekit. */
const smallestNorms = 1e-6

export const modelStock: MergeMethod = {
  name: 'model_stock',
  reference: 'https://arxiv.org/abs/2403.19522',
  base: 'required',
  inputs: [2, Infinity],
  parameters: {
    filter_wise: sharedFlag(false),
    clamp: {
      ...sharedFlag(false),
      help: 'keep the share of the mean within 0 and 1; without, it leaves them where changes point apart',
    },
  },
  streaming: 'reduction',
  tolerance: 2e-6,
  deviations: [
    'lengths and products are summed in float64; in float32 their last digits depend on the processor, and where mergekit 0.1.4 rounds them to 16 bits a tensor may move by some units',
    '`clamp` is not in mergekit',
    'where the changes cancel out the base is kept, as by 0.1.5; 0.1.4 divides by 0',
  ],
  kernel({ inputs: models, shape, shared: settings, round, compat }) {
    const clamp = flagOf(settings, 'clamp')
    const classic = compat === 'mergekit-0.1.4'
    const productsOf = (): Gram => (classic ? roundedGram(models, round) : gram(models))
    const share = (found: Gram): number => {
      const value = classic ? roundedShare(found, models, round) : shareOf(found, models)
      return clamp ? Math.min(1, Math.max(0, value)) : value
    }
    if (flagOf(settings, 'filter_wise')) {
      return byRows(shape, (row, out) => {
        const products = productsOf()
        products.pass(row)
        mix(row, share(products), round, out)
      })
    }
    const whole = productsOf()
    let found: number | undefined
    const shareFound = (): number => (found ??= share(whole))
    return {
      grain: 1,
      passes: [whole.pass],
      output: (block, out) => mix(block, shareFound(), round, out),
      ...(classic || models !== 2
        ? {}
        : { mix: () => ({ of: 'mean' as const, coefficients: [shareFound(), 1 - shareFound()] as const }) }),
    }
  },
}

/** The base alone where the changes cancel out and there is no finite share, as mergekit 0.1.5 decides. */
function shareOf({ dot, norm }: Gram, models: number): number {
  let [sum, pairs] = [0, 0]
  for (let i = 0; i < models; i++) {
    for (let j = i + 1; j < models; j++, pairs++)
      sum += Math.min(1, Math.max(-1, dot(i, j) / Math.max(norm(i) * norm(j), smallestNorms)))
  }
  const cosine = sum / pairs
  const divisor = 1 + (models - 1) * cosine
  return Math.abs(divisor) < smallestNorms ? 0 : (models * cosine) / divisor
}

/** Rounded step by step, without a guard. */
function roundedShare({ dot, norm }: Gram, models: number, round: (value: number) => number): number {
  const least = round(smallestNorms)
  let [sum, pairs] = [0, 0]
  for (let i = 0; i < models; i++) {
    for (let j = i + 1; j < models; j++, pairs++)
      sum += Math.min(1, Math.max(-1, round(dot(i, j) / Math.max(round(norm(i) * norm(j)), least))))
  }
  const cosine = round(sum / pairs)
  return round(round(models * cosine) / round(1 + round((models - 1) * cosine)))
}

/** The mean adds up one input after the other. */
function mix({ length, base, inputs }: Block, share: number, round: (value: number) => number, out: Floats): void {
  const rest = round(1 - share)
  for (let i = 0; i < length; i++) {
    let sum = 0
    for (let k = 0; k < inputs.length; k++) sum = round(sum + inputs[k]![i]!)
    out[i] = round(round(share * round(sum / inputs.length)) + round(rest * base![i]!))
  }
}
