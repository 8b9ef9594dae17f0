/**
 * chrF and chrF++ of a corpus (Popović 2015, 2017) as sacreBLEU 2 has them: runs of up to 6 characters without white
 * space, recall twice as weighty as precision.
 */
import { codePoints, punctuation, splitWords } from '#platform/python'
import { type CorpusMetric, countsOf, wordRuns } from './corpus-metric.ts'

const characterOrder = 6
const beta = 2

/**
 * chrF as sacrebleu computes it, in 0 … 100; `wordOrder` 2 is chrF++.
 *
 * @example
 * ```ts
 * import { chrf, scoreAt } from 'strata-lm/harness'
 *
 * const metric = chrf()
 * const counts = [metric.statistics('the cat sat on the mat', ['the cat sat on a mat'])]
 * console.log(scoreAt(metric, counts, [0]).toFixed(2)) // → 72.08
 * ```
 */
export function chrf({ wordOrder = 0 }: { wordOrder?: number | undefined } = {}): CorpusMetric {
  const runsOf = (text: string): Map<string, number>[] => {
    const letters = Array.from(splitWords(text).join(''))
    const words = wordOrder > 0 ? splitWords(text).flatMap(apart) : []
    return [
      ...Array.from({ length: characterOrder }, (_, i) => countsOf(letterRuns(letters, i + 1))),
      ...Array.from({ length: wordOrder }, (_, i) => countsOf(wordRuns(words, i + 1))),
    ]
  }
  return {
    // per order: runs of the prediction, of the reference, in both; with several references, the best one's
    statistics(prediction, references) {
      const own = runsOf(prediction)
      let best: number[] = []
      let bestScore = -1
      for (const reference of references) {
        const statistics = runsOf(reference).flatMap((wanted, order) =>
          shared(own[order] ?? new Map<string, number>(), wanted),
        )
        const score = scoreOf(statistics)
        if (score > bestScore) [best, bestScore] = [statistics, score]
      }
      return best
    },
    score: scoreOf,
  }
}

function letterRuns(letters: readonly string[], length: number): string[] {
  return Array.from({ length: Math.max(0, letters.length - length + 1) }, (_, i) =>
    letters.slice(i, i + length).join(''),
  )
}

/** One mark of punctuation at the end of a word, or failing that one at its beginning, stands alone. */
function apart(word: string): string[] {
  const [first = ''] = word
  const last = word.slice(-1)
  if (codePoints(word) === 1) return [word]
  if (punctuation.includes(last)) return [word.slice(0, -1), last]
  return punctuation.includes(first) ? [first, word.slice(1)] : [word]
}

function shared(own: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>): [number, number, number] {
  let [ownCount, wantedCount, both] = [0, 0, 0]
  for (const count of wanted.values()) wantedCount += count
  for (const [run, count] of own) {
    ownCount += count
    both += Math.min(count, wanted.get(run) ?? 0)
  }
  // runs count only where the reference is long enough to have any
  return [wantedCount === 0 ? 0 : ownCount, wantedCount, both]
}

function scoreOf(statistics: readonly number[]): number {
  let [precision, recall, orders] = [0, 0, 0]
  for (let i = 0; i < statistics.length; i += 3) {
    const [own = 0, wanted = 0, both = 0] = statistics.slice(i, i + 3)
    if (own === 0 || wanted === 0) continue
    precision += both / own
    recall += both / wanted
    orders++
  }
  if (precision + recall === 0) return 0
  precision /= orders
  recall /= orders
  return (100 * ((1 + beta ** 2) * precision * recall)) / (beta ** 2 * precision + recall)
}
