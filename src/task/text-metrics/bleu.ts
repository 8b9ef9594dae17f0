/**
 * BLEU of a corpus (Papineni et al. 2002) as sacreBLEU 2 has it: four orders, exponential smoothing, the reference
 * closest in length.
 */
import { type BleuWords, bleuWords } from './bleu-words.ts'
import { type CorpusMetric, countsOf, withoutEnd, wordRuns } from './corpus-metric.ts'

const orders = [1, 2, 3, 4] as const

/**
 * BLEU as sacrebleu computes it, in 0 … 100: counts per document, and the score of their sums. `words` names the
 * tokenizer; `effectiveOrder` leaves out orders that no document reaches.
 *
 * @example
 * ```ts
 * import { bleu, scoreAt } from 'strata-lm/harness'
 *
 * const metric = bleu()
 * const counts = [metric.statistics('the cat sat on the mat', ['the cat sat on a mat'])]
 * console.log(scoreAt(metric, counts, [0]).toFixed(2)) // → 53.73
 * ```
 */
export function bleu({
  words = '13a',
  effectiveOrder = false,
}: { words?: BleuWords | undefined; effectiveOrder?: boolean | undefined } = {}): CorpusMetric {
  const split = bleuWords[words]
  return {
    // length, closest reference's length, then per order the matches and the total
    statistics(prediction, references) {
      const own = split(withoutEnd(prediction))
      const others = references.map((text) => split(withoutEnd(text)))
      const right: number[] = []
      const all: number[] = []
      for (const order of orders) {
        const wanted = new Map<string, number>()
        for (const other of others)
          for (const [run, count] of countsOf(wordRuns(other, order)))
            wanted.set(run, Math.max(count, wanted.get(run) ?? 0))
        let found = 0
        for (const [run, count] of countsOf(wordRuns(own, order))) found += Math.min(count, wanted.get(run) ?? 0)
        right.push(found)
        all.push(Math.max(0, own.length - order + 1))
      }
      return [own.length, closest(own.length, others), ...right, ...all]
    },
    score: ([length = 0, wanted = 0, ...counts]) => scoreOf(length, wanted, counts, effectiveOrder),
  }
}

/** The shorter one of two that are equally close. */
function closest(length: number, references: readonly (readonly string[])[]): number {
  const lengths = references
    .map((words) => words.length)
    .sort((a, b) => Math.abs(a - length) - Math.abs(b - length) || a - b)
  return lengths[0] ?? 0
}

function scoreOf(length: number, wanted: number, counts: readonly number[], effectiveOrder: boolean): number {
  if (counts.slice(0, orders.length).every((right) => right === 0)) return 0
  const brevity = length >= wanted ? 1 : Math.exp(1 - wanted / length)
  let sum = 0
  let last: number = orders.length
  let smoothing = 1
  for (const order of orders) {
    const [right = 0, all = 0] = [counts[order - 1], counts[orders.length + order - 1]]
    // an order that no text is long enough for makes the whole 0, unless only those that are there count
    if (all === 0) {
      if (!effectiveOrder) return 0
      break
    }
    if (effectiveOrder) last = order
    if (right === 0) smoothing *= 2
    sum += Math.log(right === 0 ? 100 / (smoothing * all) : (100 * right) / all)
  }
  return brevity * Math.exp(sum / last)
}
