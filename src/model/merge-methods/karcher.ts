/**
 * Riemannian mean of the directions of all inputs with the mean of their lengths. Karcher 1977; mergekit `karcher`. The
 * mean is a combination of the inputs, so the whole iteration runs on their products.
 */
import { type MergeMethod, numberOf, shared } from './method.ts'
import { combinedAfter } from './combination.ts'
import { type Gram, gram } from './gram.ts'
import { roundedKarcher } from './rounded-karcher.ts'

export const karcher: MergeMethod = {
  name: 'karcher',
  reference: 'https://doi.org/10.1002/cpa.3160300502',
  base: 'input',
  inputs: [1, Infinity],
  parameters: { max_iter: shared(10), tol: shared(1e-5) },
  streaming: 'reduction',
  // The iteration stops where a float32 norm falls below `tol`.
  tolerance: 2e-5,
  deviations: [
    'lengths and products are summed in float64; in float32 their last digits depend on the processor, and where mergekit 0.1.4 rounds them to 16 bits a tensor may move by some units',
  ],
  kernel(task) {
    const { inputs: models, shared: settings, round, compat } = task
    const [iterations, tolerance] = [numberOf(settings, 'max_iter'), numberOf(settings, 'tol')]
    if (compat === 'mergekit-0.1.4' && models > 1) return roundedKarcher(task, { iterations, tolerance })
    return combinedAfter(gram(models), (products) => meanOf(products, models, iterations, tolerance), round)
  },
}

/** Coefficients of the inputs. Inputs shorter than the tolerance have no direction, but count in the length. */
function meanOf({ dot, norm }: Gram, models: number, iterations: number, tolerance: number): readonly number[] {
  const all = Array.from({ length: models }, (_, i) => i)
  // a NaN takes part, so that it shows
  const members = all.filter((i) => !(norm(i) <= tolerance))
  if (members.length === 0) return all.map(() => 0)
  const cosine = (i: number, j: number): number => dot(i, j) / (norm(i) * norm(j))
  // the mean in terms of the members' unit vectors
  const length = (vector: readonly number[]): number => {
    const square = vector.reduce(
      (sum, a, i) => sum + vector.reduce((row, b, j) => row + a * b * cosine(members[i]!, members[j]!), 0),
      0,
    )
    return Math.sqrt(Math.max(square, 0))
  }
  const unit = (vector: readonly number[]): number[] => vector.map((value) => value / length(vector))
  const start = members.map(() => 1 / members.length)
  let mean = length(start) < tolerance ? members.map((_, i) => (i === 0 ? 1 : 0)) : unit(start)
  for (let round = 0; round < iterations; round++) {
    const tangent = members.map(() => 0)
    members.forEach((member, i) => {
      const towards = mean.reduce((sum, value, j) => sum + value * cosine(member, members[j]!), 0)
      const angle = Math.acos(Math.min(1, Math.max(-1, towards)))
      if (angle < tolerance) return
      const scale = angle / Math.sin(angle) / members.length
      mean.forEach((value, j) => (tangent[j]! -= scale * Math.cos(angle) * value))
      tangent[i]! += scale
    })
    const step = length(tangent)
    if (step < tolerance) break
    mean = unit(mean.map((value, j) => Math.cos(step) * value + (Math.sin(step) * tangent[j]!) / step))
  }
  const radius = all.reduce((sum, i) => sum + norm(i), 0) / models
  const coefficients = all.map(() => 0)
  members.forEach((member, i) => (coefficients[member] = (mean[i]! * radius) / norm(member)))
  return coefficients
}
