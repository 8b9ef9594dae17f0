/**
 * ROUGE (Lin 2004) of one text to one reference, as the package rouge_score has it without its stemmer: F-measures of 0
 * … 1.
 */
import { countsOf, wordRuns } from './corpus-metric.ts'

export interface Rouge {
  readonly rouge1: number
  readonly rouge2: number
  readonly rougeL: number
  /** Longest common subsequences line by line, united. */
  readonly rougeLsum: number
}

/**
 * ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum of a prediction, as F1 in 0 … 1.
 *
 * @example
 * ```ts
 * import { rougeOf } from 'strata-lm/harness'
 *
 * const { rouge1, rougeL } = rougeOf('the cat sat on the mat', 'a cat sat on a mat')
 * console.log(rouge1.toFixed(3), rougeL.toFixed(3)) // → 0.667 0.667
 * ```
 */
export function rougeOf(reference: string, prediction: string): Rouge {
  const [wanted, own] = [wordsOf(reference), wordsOf(prediction)]
  const runs = (length: number): number => {
    const [right, all] = [countsOf(wordRuns(wanted, length)), countsOf(wordRuns(own, length))]
    let both = 0
    for (const [run, count] of right) both += Math.min(count, all.get(run) ?? 0)
    return balanced(both / Math.max(1, own.length - length + 1), both / Math.max(1, wanted.length - length + 1))
  }
  return {
    rouge1: runs(1),
    rouge2: runs(2),
    rougeL:
      wanted.length === 0 || own.length === 0
        ? 0
        : balanced(...sharesOf(commonPlaces(wanted, own).length, own.length, wanted.length)),
    rougeLsum: summaryScore(linesOf(reference), linesOf(prediction)),
  }
}

/** Letters and digits of ASCII are words, all else parts them. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

function linesOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(wordsOf)
}

function sharesOf(hits: number, own: number, wanted: number): [number, number] {
  return [hits / own, hits / wanted]
}

function balanced(precision: number, recall: number): number {
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
}

/** No word is counted more often than either text has it. */
function summaryScore(wanted: readonly string[][], own: readonly string[][]): number {
  const [wantedLeft, ownLeft] = [countsOf(wanted.flat()), countsOf(own.flat())]
  const [wantedAll, ownAll] = [wanted.flat().length, own.flat().length]
  if (wantedAll === 0 || ownAll === 0) return 0
  let hits = 0
  for (const line of wanted) {
    const united = new Set(own.flatMap((other) => commonPlaces(line, other)))
    for (const place of united) {
      const word = line[place] ?? ''
      const [left, right] = [wantedLeft.get(word) ?? 0, ownLeft.get(word) ?? 0]
      if (left === 0 || right === 0) continue
      hits++
      wantedLeft.set(word, left - 1)
      ownLeft.set(word, right - 1)
    }
  }
  return balanced(...sharesOf(hits, ownAll, wantedAll))
}

/**
 * Places in `wanted` of one longest common subsequence: of several the one that is found from the end, going back in
 * `wanted` where both ways are as long.
 */
function commonPlaces(wanted: readonly string[], own: readonly string[]): number[] {
  const width = own.length + 1
  const lengths = new Int32Array((wanted.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = 1; i <= wanted.length; i++)
    for (let j = 1; j < width; j++)
      lengths[i * width + j] =
        wanted[i - 1] === own[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1))
  const places: number[] = []
  let [i, j] = [wanted.length, own.length]
  while (i > 0 && j > 0) {
    if (wanted[i - 1] === own[j - 1]) {
      places.unshift(i - 1)
      i--
      j--
    } else if (at(i, j - 1) > at(i - 1, j)) j--
    else i--
  }
  return places
}
