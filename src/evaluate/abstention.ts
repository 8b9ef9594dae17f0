/** How well a model's confidence says which queries it answers badly: the normalised area under the abstention curve (Gisserot-Boukhlef et al. 2024, arXiv 2402.12997). */
import type { Profile } from '../core/index.ts'

// numpy.linspace(0, 1, 11) without its end
const rates = Array.from({ length: 10 }, (_, i) => i * 0.1)

export interface Confidence {
  readonly max: Float64Array
  readonly std: Float64Array
  readonly diff1: Float64Array
}

/** Top score, standard deviation and lead of the best over the second, query by query; 0 for a query without documents. */
export function confidences(scores: readonly Float32Array[]): Confidence {
  return {
    max: Float64Array.from(scores, (own) => own[0] ?? 0),
    std: Float64Array.from(scores, deviation),
    diff1: Float64Array.from(scores, (own) => (own.length > 1 ? own[0]! - own[1]! : 0)),
  }
}

/** 1 when the least confident queries are the worst, 0 when confidence says nothing; null when all queries score alike. */
export function abstentionArea(confidence: Float64Array, metric: Float64Array, profile: Profile): number | null {
  const oracle = curve(metric, metric, profile)
  const [own, best] = [area(curve(confidence, metric, profile)), area(oracle)]
  const flat = oracle[0]! * (rates[9]! - rates[0]!)
  return best === flat ? null : (own - flat) / (best - flat)
}

/** Mean metric of the queries kept at each rate. Since 2.26, equal confidences share their mean metric: which of them is kept would be chance. */
function curve(confidence: Float64Array, metric: Float64Array, profile: Profile): number[] {
  const order = Uint32Array.from(confidence, (_, i) => i).sort((a, b) => confidence[a]! - confidence[b]! || a - b)
  const sorted = Float64Array.from(order, (i) => metric[i]!)
  if (profile === 'mteb-2') shareTies(sorted, order, confidence)
  return rates.map((rate) => {
    const left = Math.min(halfEven(rate * sorted.length), sorted.length - 1)
    let sum = 0
    for (let i = left; i < sorted.length; i++) sum += sorted[i]!
    return sum / (sorted.length - left)
  })
}

function shareTies(sorted: Float64Array, order: Uint32Array, confidence: Float64Array): void {
  for (let start = 0; start < order.length;) {
    let end = start + 1
    while (end < order.length && confidence[order[end]!] === confidence[order[start]!]) end++
    if (end > start + 1) sorted.fill(sorted.subarray(start, end).reduce((sum, value) => sum + value, 0) / (end - start), start, end)
    start = end
  }
}

function area(values: readonly number[]): number {
  let sum = 0
  for (let i = 1; i < values.length; i++) sum += ((rates[i]! - rates[i - 1]!) * (values[i]! + values[i - 1]!)) / 2
  return sum
}

function deviation(values: Float32Array): number {
  if (values.length === 0) return 0
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}

function halfEven(value: number): number {
  return Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)
}
