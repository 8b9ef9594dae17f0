/**
 * How well a model's confidence says which queries it answers badly: the normalised area under the abstention curve
 * (Gisserot-Boukhlef et al. 2024, arXiv 2402.12997).
 */
import { populationDeviation } from '#core'
import type { Profile } from '#task/rows'

// numpy.linspace(0, 1, 11) without its end
const rates = Array.from({ length: 10 }, (_, i) => i * 0.1)

/** One value per query, and the queries from the smallest value on. */
export interface Ordered {
  readonly values: Float64Array
  readonly order: Uint32Array
}

export interface Confidence {
  readonly max: Ordered
  readonly std: Ordered
  readonly diff1: Ordered
}

/** Equal values in the order of the queries. */
export function ordered(values: Float64Array): Ordered {
  return {
    values,
    order: Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]! || a - b),
  }
}

/**
 * Top score, standard deviation and lead of the best over the second, query by query; 0 for a query without documents.
 */
export function confidences(scores: readonly Float32Array[]): Confidence {
  return {
    max: ordered(Float64Array.from(scores, (own) => own[0] ?? 0)),
    std: ordered(Float64Array.from(scores, (own) => (own.length === 0 ? 0 : populationDeviation(own)))),
    diff1: ordered(Float64Array.from(scores, (own) => (own.length > 1 ? own[0]! - own[1]! : 0))),
  }
}

/**
 * 1 when the least confident queries are the worst, 0 when confidence says nothing; null when all queries score alike.
 */
export function abstentionArea(confidence: Ordered, metric: Ordered, profile: Profile): number | null {
  const oracle = curve(metric, metric, profile)
  const [own, best] = [area(curve(confidence, metric, profile)), area(oracle)]
  const flat = oracle[0]! * (rates[9]! - rates[0]!)
  return best === flat ? null : (own - flat) / (best - flat)
}

/**
 * Mean metric of the queries kept at each rate. Since 2.26, equal confidences share their mean metric: which of them is
 * kept would be chance.
 */
function curve(confidence: Ordered, metric: Ordered, profile: Profile): number[] {
  const sorted = new Float64Array(confidence.order.length)
  for (let i = 0; i < sorted.length; i++) sorted[i] = metric.values[confidence.order[i]!]!
  if (profile === 'mteb-2') shareTies(sorted, confidence)
  return rates.map((rate) => {
    const left = Math.min(halfEven(rate * sorted.length), sorted.length - 1)
    return pairwiseSum(sorted, left, sorted.length) / (sorted.length - left)
  })
}

function shareTies(sorted: Float64Array, { values, order }: Ordered): void {
  for (let start = 0; start < order.length;) {
    let end = start + 1
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++
    // numpy.add.reduceat adds the first value to the sum of the others
    sorted.fill((sorted[start]! + pairwiseSum(sorted, start + 1, end)) / (end - start), start, end)
    start = end
  }
}

/** Trapezoids, as numpy.trapezoid. */
function area(values: readonly number[]): number {
  const pieces = Float64Array.from(
    { length: values.length - 1 },
    (_, i) => ((rates[i + 1]! - rates[i]!) * (values[i + 1]! + values[i]!)) / 2,
  )
  return pairwiseSum(pieces, 0, pieces.length)
}

/**
 * Sum of values[from … to−1] in numpy's order. When all queries score alike, the areas differ by roundings alone and
 * their quotient is made of them:
 * only the same order of summation gives the reference's number.
 */
function pairwiseSum(values: Float64Array, from: number, to: number): number {
  const count = to - from
  if (count < 8) {
    let sum = 0
    for (let i = from; i < to; i++) sum += values[i]!
    return sum
  }
  if (count > 128) {
    const half = Math.floor(count / 2)
    const middle = from + half - (half % 8)
    return pairwiseSum(values, from, middle) + pairwiseSum(values, middle, to)
  }
  const lanes = values.slice(from, from + 8)
  const whole = count - (count % 8)
  for (let i = 8; i < whole; i++) lanes[i % 8]! += values[from + i]!
  let sum = lanes[0]! + lanes[1]! + (lanes[2]! + lanes[3]!) + (lanes[4]! + lanes[5]! + (lanes[6]! + lanes[7]!))
  for (let i = from + whole; i < to; i++) sum += values[i]!
  return sum
}

function halfEven(value: number): number {
  return Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)
}
