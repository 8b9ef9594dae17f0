/** What one document adds to each metric (lm-evaluation-harness 0.4.13, `ConfigurableTask.process_results`). */
import { fault } from '#core'
import { codePoints, splitSpaces } from '#platform/python'
import type { DocValue } from '../doc.ts'
import type { Item } from '../ports/port.ts'

export interface ChoiceAnswers {
  /** Log-likelihood and greedy flag of every choice; with `acc_mutual_info` a second time, without their question. */
  readonly answers: readonly (readonly [number, boolean])[]
  readonly choices: readonly string[]
  /** Place, places, or the text of the right choice. */
  readonly gold: DocValue
  readonly multipleTarget: boolean
  readonly metrics: ReadonlySet<string>
}

export interface ChoiceItems {
  readonly items: Readonly<Record<string, Item>>
  /** The gold is no choice: the document counts as wrong. */
  readonly invalidGold: boolean
}

/** Choices by their summed log-likelihood, also per code point and per byte; the first of equal ones wins. */
export function choiceItems({ answers, choices, gold, multipleTarget, metrics }: ChoiceAnswers): ChoiceItems {
  const mutual = metrics.has('acc_mutual_info') && answers.length === 2 * choices.length
  const scores = answers.slice(0, mutual ? choices.length : answers.length).map(([score]) => score)
  const greedy = answers.map(([, is]) => is)
  const golds = goldPlaces(gold, choices)
  const invalidGold = golds.includes(noGold)
  const isGold = (place: number): number => ((multipleTarget ? golds : golds.slice(0, 1)).includes(place) ? 1 : 0)
  const [first = noGold] = golds
  const byLength = (lengths: readonly number[]): number =>
    isGold(best(scores.map((score, i) => score / (lengths[i] ?? NaN))))
  const one = Array.isArray(gold) ? golds : first
  const all: Readonly<Record<string, () => Item>> = {
    acc: () => isGold(best(scores)),
    f1: () => [one, best(scores)],
    mcc: () => [one, best(scores)],
    acc_norm: () => byLength(choices.map(codePoints)),
    acc_bytes: () => byLength(choices.map((choice) => Buffer.byteLength(choice))),
    exact_match: () =>
      Number((multipleTarget ? golds : [first]).some((place) => place !== noGold && greedy.at(place) === true)),
    brier_score: () => [one, softmax(scores)],
    likelihood: () => [one, scores],
    acc_mutual_info: () => isGold(best(scores.map((score, i) => score - (answers[choices.length + i]?.[0] ?? NaN)))),
  }
  return {
    items: Object.fromEntries(
      Object.entries(all).flatMap(([name, make]) => (metrics.has(name) ? [[name, make()]] : [])),
    ),
    invalidGold,
  }
}

const noGold = -100

function goldPlaces(gold: DocValue, choices: readonly string[]): number[] {
  if (Array.isArray(gold))
    return gold.map((place) => (typeof place === 'number' && place < choices.length ? place : noGold))
  if (typeof gold === 'number') return [gold < choices.length ? gold : noGold]
  if (typeof gold === 'string') return [choices.includes(gold) ? choices.indexOf(gold) : noGold]
  return [noGold]
}

/** NumPy's argmax: the first of equals, and NaN above all. */
function best(values: readonly number[]): number {
  let place = 0
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) return i
    if (value > (values[place] ?? -Infinity)) place = i
  }
  return place
}

function softmax(scores: readonly number[]): number[] {
  const top = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - top))
  const sum = powers.reduce((all, power) => all + power, 0)
  return powers.map((power) => power / sum)
}

/** `perplexity` and `acc` of one continuation. */
export function continuationItems(
  [score, greedy]: readonly [number, boolean],
  metrics: ReadonlySet<string>,
): Readonly<Record<string, Item>> {
  return { ...(metrics.has('perplexity') && { perplexity: score }), ...(metrics.has('acc') && { acc: Number(greedy) }) }
}

/**
 * Log-likelihood with the words (pieces between runs of white space, empty ones too) or bytes of the text that is
 * predicted.
 */
export function rollingItems(
  score: number,
  text: string,
  metrics: ReadonlySet<string>,
): Readonly<Record<string, Item>> {
  const words = splitSpaces(text).length
  const bytes = Buffer.byteLength(text)
  const all = {
    word_perplexity: [score, words],
    byte_perplexity: [score, bytes],
    bits_per_byte: [score, bytes],
  } as const
  return Object.fromEntries(Object.entries(all).filter(([name]) => metrics.has(name)))
}

export function asPair(item: Item, place: string): readonly [DocValue, DocValue] {
  if (Array.isArray(item) && item.length === 2) return [item[0] as DocValue, item[1] as DocValue]
  throw fault('task.value', { place, what: 'the value of a document for this metric is not a pair', seen: item })
}
