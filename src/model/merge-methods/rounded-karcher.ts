/**
 * The Karcher mean with every step rounded to the type of the tensors, as mergekit 0.1.4 computes it: unit vectors, the
 * mean and its tangent are tensors, lengths are float32. The tensor is held in memory, as its iteration asks for it
 * again and again.
 */
import type { Floats } from '#core'
import type { Kernel, TensorTask } from './method.ts'

export interface RoundedKarcher {
  readonly iterations: number
  readonly tolerance: number
}

export function roundedKarcher({ inputs: models, count, round }: TensorTask, options: RoundedKarcher): Kernel {
  const vectors = Array.from({ length: models }, () => new Float64Array(count))
  let result: Float64Array | undefined
  return {
    grain: 1,
    passes: [({ offset, inputs }) => vectors.forEach((vector, k) => vector.set(inputs[k]!, offset))],
    output({ offset, length }, out) {
      result ??= meanOf(vectors, options, round)
      out.set(result.subarray(offset, offset + length))
    },
  }
}

/** The vectors are overwritten by their unit vectors. */
function meanOf(
  vectors: readonly Float64Array[],
  { iterations, tolerance }: RoundedKarcher,
  round: (value: number) => number,
): Float64Array {
  const norms = vectors.map(norm)
  const units = vectors.filter((_, k) => !(norms[k]! <= tolerance))
  vectors.forEach((vector, k) => norms[k] !== 0 && scale(vector, (value) => round(value / norms[k]!)))
  const mean = new Float64Array(vectors[0]?.length ?? 0)
  const [first] = units
  if (first === undefined) return mean
  const share = Math.fround(1 / units.length)
  for (const unit of units) for (let i = 0; i < mean.length; i++) mean[i] = round(mean[i]! + round(share * unit[i]!))
  if (norm(mean) < tolerance) mean.set(first)
  else normalise(mean, round)
  const tangent = new Float64Array(mean.length)
  for (let step = 0; step < iterations; step++) {
    tangent.fill(0)
    for (const unit of units) addTangent(tangent, mean, unit, share, tolerance, round)
    const length = norm(tangent)
    if (length < tolerance) break
    const [along, aside] = [round(Math.cos(length)), round(Math.sin(length))]
    for (let i = 0; i < mean.length; i++)
      mean[i] = round(round(along * mean[i]!) + round(aside * round(tangent[i]! / length)))
    if (norm(mean) > tolerance) normalise(mean, round)
  }
  const radius = Math.fround(norms.reduce((sum, value) => sum + value / vectors.length, 0))
  scale(mean, (value) => round(radius * value))
  return mean
}

function addTangent(
  tangent: Float64Array,
  mean: Float64Array,
  unit: Float64Array,
  share: number,
  tolerance: number,
  round: (value: number) => number,
): void {
  let product = 0
  for (let i = 0; i < mean.length; i++) product += mean[i]! * unit[i]!
  const cosine = Math.min(1, Math.max(-1, round(product)))
  const angle = round(Math.acos(cosine))
  if (angle < tolerance) return
  const factor = round(share * round(angle / round(Math.sin(angle))))
  for (let i = 0; i < mean.length; i++)
    tangent[i] = round(tangent[i]! + round(factor * round(unit[i]! - round(cosine * mean[i]!))))
}

/** Euclidean length as a float32. */
function norm(vector: Floats): number {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  return Math.fround(Math.sqrt(sum))
}

function normalise(vector: Float64Array, round: (value: number) => number): void {
  const length = norm(vector)
  scale(vector, (value) => round(value / length))
}

function scale(vector: Float64Array, to: (value: number) => number): void {
  for (let i = 0; i < vector.length; i++) vector[i] = to(vector[i]!)
}
