/**
 * The donor's row as a combination of a few shared tokens' rows, and the same combination of the model's. Goddard &
 * Fernandes Neto 2025.
 */
import type { Approximation } from '../approximation.ts'
import { combined } from '../combine.ts'
import { orthogonalPursuit } from '../pursuit.ts'

export const omp: Approximation = {
  name: 'omp',
  reference: 'https://arxiv.org/abs/2506.06607',
  summary: 'orthogonal matching pursuit over shared tokens',
  looksAt: 'shared',
  random: false,
  async prepare({ donor, shared, targets, options }) {
    const points = await shared()
    return async (from, to) =>
      combined(
        await orthogonalPursuit(await donor().take(targets.subarray(from, to)), points.donor, options.k),
        points.model,
      )
  },
}
