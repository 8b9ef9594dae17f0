/** Average ranks, as scipy's `rankdata`: equal values share the mean of the ranks they take. */
import { bucketOrder, type Ordered } from './bucket-order.ts'
import { radixOrder } from './radix-order.ts'

/** Below this many, comparing is faster than counting. */
const worthCounting = 4096

/**
 * Ranks from 1, as scipy's `rankdata`: equal values share the mean of the ranks they take. A NaN anywhere makes every
 * rank NaN.
 *
 * @example
 * ```ts
 * import { averageRanks } from 'strata-lm/linalg'
 *
 * console.log([...averageRanks([10, 30, 20, 20])]) // → [ 1, 4, 2.5, 2.5 ]
 * ```
 */
export function averageRanks(values: ArrayLike<number>): Float64Array {
  const ranks = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) return ranks.fill(NaN)
  const { order, marks } =
    values.length < worthCounting ? compared(values) : (bucketOrder(values) ?? along(values, radixOrder(values)))
  for (let start = 0; start < order.length;) {
    let end = start + 1
    while (end < order.length && marks[end] === marks[start] && values[order[end]!] === values[order[start]!]) end++
    const rank = (start + 1 + end) / 2
    for (let i = start; i < end; i++) ranks[order[i]!] = rank
    start = end
  }
  return ranks
}

function compared(values: ArrayLike<number>): Ordered {
  return along(
    values,
    Uint32Array.from({ length: values.length }, (_, i) => i).sort((a, b) => values[a]! - values[b]!),
  )
}

function along(values: ArrayLike<number>, order: Uint32Array): Ordered {
  const sorted = new Float64Array(order.length)
  for (let i = 0; i < order.length; i++) sorted[i] = values[order[i]!]!
  return { order, marks: sorted }
}
