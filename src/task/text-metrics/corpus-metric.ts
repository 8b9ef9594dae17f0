/**
 * Scores of whole corpora: what each document adds is counted once, and any choice of documents is scored from sums.
 */
import { stripText } from '#core'

export interface CorpusMetric {
  /** Counts of one document, always as many; at least one reference. */
  readonly statistics: (prediction: string, references: readonly string[]) => readonly number[]
  /** From the sums over documents. */
  readonly score: (sums: readonly number[]) => number
}

/**
 * The score of the documents at some places – all of them, or a resample: the counts are summed, and the metric makes
 * one number of the sums.
 *
 * @example
 * ```ts
 * import { bleu, scoreAt } from 'strata-lm/harness'
 *
 * const metric = bleu()
 * const counts = [
 *   metric.statistics('a small red house on the hill', ['a small red house on the hill']),
 *   metric.statistics('it rains', ['the sun is shining today']),
 * ]
 * console.log([[0], [0, 1]].map((places) => scoreAt(metric, counts, places).toFixed(1))) // → [ '100.0', '64.7' ]
 * ```
 */
export function scoreAt(
  { score }: CorpusMetric,
  statistics: readonly (readonly number[])[],
  places: ArrayLike<number>,
): number {
  const sums = Array.from(statistics[0] ?? [], () => 0)
  for (let i = 0; i < places.length; i++) {
    const own = statistics[places[i] ?? 0] ?? []
    for (let j = 0; j < sums.length; j++) sums[j] = (sums[j] ?? 0) + (own[j] ?? 0)
  }
  return score(sums)
}

/** How often each text stands in a list. */
export function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** Runs of `length` words, joined by a space, which no word holds. */
export function wordRuns(words: readonly string[], length: number): string[] {
  return Array.from({ length: Math.max(0, words.length - length + 1) }, (_, i) => words.slice(i, i + length).join(' '))
}

/** Python's `rstrip`. */
export function withoutEnd(text: string): string {
  return stripText(`.${text}`).slice(1)
}
