/**
 * Spherical mean of any number of tensors, or of their differences from the base: the direction of the weighted sum of
 * unit vectors, with the weighted mean of the lengths. mergekit
 * `multislerp`. Its step along the tangent vanishes: the weighted tangents at the direction of the mean add up to
 * nothing.
 */
import { fault } from '#core'
import { flagOf, type MergeMethod, numberOf, perModel, shared, sharedFlag } from './method.ts'
import { combinedAfter } from './combination.ts'
import { type Gram, gram } from './gram.ts'
import { roundedMultislerp } from './rounded-multislerp.ts'

/** Below this the norm of a sum of unit vectors is nothing but rounding. */
const rounding = 4e-8

export const multislerp: MergeMethod = {
  name: 'multislerp',
  reference: 'https://goddard.blog/posts/multislerp-wow-what-a-cool-idea',
  base: 'optional',
  inputs: [1, Infinity],
  parameters: { weight: perModel(), normalize_weights: sharedFlag(true), eps: shared(1e-8) },
  streaming: 'reduction',
  tolerance: 2e-6,
  deviations: [
    'lengths and products are summed in float64; in float32 their last digits depend on the processor, and where mergekit 0.1.4 rounds them to 16 bits a tensor may move by some units',
    'the step along the tangent at the mean is nothing but rounding and is not made',
    'weights that add up to 0 are refused where they are to be normalised',
  ],
  kernel(task) {
    const { name, inputs: models, perModel: values, shared: settings, round, compat } = task
    if (models === 1) return { grain: 1, passes: [], output: ({ inputs }, out) => out.set(inputs[0]!) }
    const products = gram(models)
    const weights = values.map((model) => numberOf(model, 'weight'))
    const [normalized, eps] = [flagOf(settings, 'normalize_weights'), numberOf(settings, 'eps')]
    if (compat === 'mergekit-0.1.4') return roundedMultislerp(task, { weights, normalized, eps })
    const sum = normalized ? weights.reduce((all, weight) => all + weight, 0) : 1
    if (sum === 0)
      throw fault('config.value', {
        place: name,
        what: 'the weights add up to 0 and cannot be normalised',
        seen: weights,
        hint: 'set normalize_weights: false',
      })
    const shares = weights.map((weight) => weight / sum)
    return combinedAfter(products, () => coefficientsOf(products, shares, eps, name), round)
  },
}

function coefficientsOf({ dot, norm }: Gram, shares: readonly number[], eps: number, place: string): readonly number[] {
  const scaled = shares.map((share, i) => share / (norm(i) + eps))
  const square = scaled.reduce((sum, a, i) => sum + scaled.reduce((row, b, j) => row + a * b * dot(i, j), 0), 0)
  const length = Math.sqrt(Math.max(square, 0))
  const mean = shares.reduce((sum, share, i) => sum + share * norm(i), 0)
  if (length < Math.max(eps, rounding)) {
    // two opposites, or inputs that are all next to nothing: the straight line
    if (shares.length === 2 || shares.every((_, i) => norm(i) <= eps)) return shares
    throw fault('tensor.value', {
      place,
      what: 'the directions of the inputs cancel out: there is no mean direction',
      hint: 'leave an input out or change the weights',
    })
  }
  return scaled.map((value) => (value / length) * Math.cos(eps) * mean)
}
