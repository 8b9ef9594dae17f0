/**
 * Translation edit rate of a corpus (Snover et al. 2006) as sacreBLEU 2 has it, with its limits: words inserted,
 * deleted, swapped, and runs of words moved. Lower is better.
 */
import { splitWords } from '#platform/python'
import type { CorpusMetric } from './corpus-metric.ts'
import { type Edit, editsTo } from './edit-rows.ts'

const longestRun = 10
const furthest = 50
const mostTries = 1000

/**
 * Translation edit rate as sacrebleu computes it: 0 where nothing needs an edit, 100 where every word does, and above
 * that.
 *
 * @example
 * ```ts
 * import { scoreAt, ter } from 'strata-lm/harness'
 *
 * const counts = [ter.statistics('the cat sat on the mat', ['the cat sat on a mat'])]
 * console.log(scoreAt(ter, counts, [0]).toFixed(2)) // → 16.67
 * ```
 */
export const ter: CorpusMetric = {
  // fewest edits over the references, and their mean length
  statistics(prediction, references) {
    const own = splitWords(prediction.toLowerCase())
    const others = references.map((text) => splitWords(text.toLowerCase()))
    return [
      Math.min(...others.map((words) => edits(own, words))),
      others.reduce((sum, words) => sum + words.length, 0) / others.length,
    ]
  },
  score([count = 0, length = 0]) {
    if (length > 0) return 100 * (count / length)
    return count > 0 ? 100 : 0
  },
}

/** Moves as long as each shortens the distance, then single words. */
function edits(hypothesis: readonly string[], reference: readonly string[]): number {
  if (reference.length === 0) return hypothesis.length
  const distance = editsTo(reference, hypothesis.length)
  let words = hypothesis
  let moves = 0
  for (let tries = 0; ;) {
    const found = bestMove(words, reference, distance, tries)
    tries = found.tries
    if (tries >= mostTries || found.gain <= 0) break
    moves++
    words = found.words
  }
  return moves + distance(words).cost
}

interface Move {
  readonly gain: number
  readonly words: readonly string[]
  readonly tries: number
}

/**
 * The best move of a run that stands elsewhere in the reference: most gain, then longest run, earliest start, earliest
 * target.
 */
function bestMove(
  words: readonly string[],
  reference: readonly string[],
  distance: ReturnType<typeof editsTo>,
  triesBefore: number,
): Move {
  const { cost, path } = distance(words)
  const { places, wrongThere, wrongHere } = alignment(path)
  let tries = triesBefore
  let best: { rank: readonly number[]; words: readonly string[] } | undefined
  for (const { start, there, length } of runsElsewhere(words, reference)) {
    const anyWrong = (marks: readonly boolean[], from: number): boolean =>
      marks.slice(from, from + length).includes(true)
    if (!anyWrong(wrongHere, start) || !anyWrong(wrongThere, there)) continue
    const at = places[there] ?? -1
    if (start <= at && at < start + length) continue
    let tried = -1
    for (let offset = -1; offset < length; offset++) {
      const beside = there + offset
      const place = beside === -1 ? -1 : places[beside]
      if (place === undefined) break
      const target = place + 1
      if (target === tried) continue
      tried = target
      const moved = move(words, start, length, target)
      const rank = [cost - distance(moved).cost, length, -start, -target]
      tries++
      if (best === undefined || isAbove(rank, best.rank)) best = { rank, words: moved }
    }
    if (tries >= mostTries) break
  }
  return best === undefined ? { gain: 0, words, tries } : { gain: best.rank[0] ?? 0, words: best.words, tries }
}

function isAbove(a: readonly number[], b: readonly number[]): boolean {
  const place = a.findIndex((value, i) => value !== b[i])
  return place >= 0 && (a[place] ?? 0) > (b[place] ?? 0)
}

interface Run {
  readonly start: number
  readonly there: number
  readonly length: number
}

/** Runs of words that both have, shorter ones before the longer ones that begin alike. */
function* runsElsewhere(words: readonly string[], reference: readonly string[]): Generator<Run> {
  for (let start = 0; start < words.length; start++)
    for (let there = Math.max(0, start - furthest); there < Math.min(reference.length, start + furthest + 1); there++)
      for (let length = 1; length <= longestRun; length++) {
        const last = start + length - 1
        if (last >= words.length || there + length > reference.length || words[last] !== reference[there + length - 1])
          break
        yield { start, there, length }
      }
}

/** A run taken out and put before the word that was at `target`. */
function move(words: readonly string[], start: number, length: number, target: number): string[] {
  const run = words.slice(start, start + length)
  const rest = [...words.slice(0, start), ...words.slice(start + length)]
  // a target inside the run counts from the remaining words, one behind it from all words
  const place = target > start + length ? target - length : target
  return [...rest.slice(0, place), ...run, ...rest.slice(place)]
}

interface Alignment {
  /** For every reference word, the place in the hypothesis where it stands, or that it follows. */
  readonly places: readonly number[]
  readonly wrongThere: readonly boolean[]
  readonly wrongHere: readonly boolean[]
}

function alignment(path: readonly Edit[]): Alignment {
  const places: number[] = []
  const wrongThere: boolean[] = []
  const wrongHere: boolean[] = []
  for (const edit of path) {
    const wrong = edit !== 'keep'
    if (edit !== 'insert') wrongHere.push(wrong)
    if (edit === 'delete') continue
    places.push(wrongHere.length - 1)
    wrongThere.push(wrong)
  }
  return { places, wrongThere, wrongHere }
}
