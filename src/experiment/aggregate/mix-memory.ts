/** Memory of combinations in addition to the model's, for a plan. */
import { type Model, statesOf } from '#model/checkpoint'
import type { AggregationMethod } from '#representation/aggregation'
import { roomBytes } from '#representation/layers'

/**
 * Matrices of float64, as wide as all states together, that are in memory at once while axes are found: the covariance,
 * and for two bases at a time those of their eigenvectors (measured: 11 to 12 at 7 × 384).
 */
const matrices = 12

/**
 * Bytes, at most: the states of a task that all combinations share, and the axes of projections where a method has
 * them. Throws `usage.conflict` for a model without layers.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { aggregationNamed, mixMemory } from 'strata-lm/aggregation'
 *
 * const model = await openModel('assets/models/stories260K')
 * const [plain, projected] = [aggregationNamed('mean'), aggregationNamed('mean,all_pca')]
 * console.log((await mixMemory(model, projected)) - (await mixMemory(model, plain))) // → 14155776
 * await model.close()
 * ```
 */
export async function mixMemory(model: Model, methods: readonly AggregationMethod[]): Promise<number> {
  const { slots } = await statesOf(model).vectors()
  const width = slots.reduce((sum, slot) => sum + (slot.name === 'last' ? 0 : slot.width), 0)
  const isProjected = methods.some(({ uses }) => uses.includes('corpus'))
  return roomBytes + (isProjected ? matrices * width ** 2 * Float64Array.BYTES_PER_ELEMENT : 0)
}
