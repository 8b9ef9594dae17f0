/** Rows as weighted sums of other rows. */
import type { Matrix } from '#core'
import type { Combination } from './pursuit.ts'

/** [combinations × width], summed in float64. */
export function combined(combinations: readonly Combination[], { width, data }: Matrix): Float64Array {
  const out = new Float64Array(combinations.length * width)
  combinations.forEach(({ points, weights }, row) => {
    for (let i = 0; i < points.length; i++) {
      const [from, weight] = [points[i]! * width, weights[i]!]
      for (let d = 0; d < width; d++) out[row * width + d] = out[row * width + d]! + weight * data[from + d]!
    }
  })
  return out
}
