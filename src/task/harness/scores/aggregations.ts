/** From what documents add to a number for the task (lm-evaluation-harness 0.4.13, api/metrics.py). */
import { compensatedMean, compensatedSum, fault, suggestion } from '#core'
import { bleu, chrf, type CorpusMetric, scoreAt, ter } from '#task/text-metrics'
import type { DocValue } from '../doc.ts'
import type { Item } from '../ports/port.ts'
import { asPair } from './items.ts'

export interface Aggregation {
  readonly run: (items: readonly Item[]) => number
  /** How the error of the number is had: in closed form, by drawing documents again, or not at all. */
  readonly error: 'mean' | 'bootstrap' | 'none'
  /**
   * The same number over documents by their places, with what can be done once for each of them done; for many draws.
   */
  readonly drawn?: ((items: readonly Item[]) => (places: ArrayLike<number>) => number) | undefined
}

const numbers = (items: readonly Item[]): number[] =>
  items.map((item) => (typeof item === 'boolean' ? Number(item) : numberOf(item)))

/** `weight_by_size` and all else is the callers'. */
export const aggregations: Readonly<Record<string, Aggregation>> = {
  mean: { run: (items) => compensatedMean(numbers(items)), error: 'mean' },
  nanmean: {
    run: (items) => compensatedMean(numbers(items).filter((value) => !Number.isNaN(value))),
    error: 'bootstrap',
  },
  median: {
    run: (items) => numbers(items).sort((a, b) => a - b)[Math.floor(items.length / 2)] ?? NaN,
    error: 'bootstrap',
  },
  perplexity: {
    run: (items) => Math.exp(-compensatedMean(numbers(items))),
    error: 'bootstrap',
    drawn: drawnPerplexity,
  },
  weighted_perplexity: { run: (items) => Math.exp(-weightedMean(items)), error: 'none' },
  bits_per_byte: { run: (items) => -weightedMean(items) / Math.LN2, error: 'none' },
  f1: { run: f1, error: 'bootstrap' },
  bleu: ofCorpus(bleu()),
  chrf: ofCorpus(chrf()),
  'chrf++': ofCorpus(chrf({ wordOrder: 2 })),
  ter: ofCorpus(ter),
  matthews_corrcoef: { run: matthews, error: 'bootstrap' },
  brier_score: { run: brier, error: 'none' },
  bypass: { run: () => 999, error: 'none' },
}

/** Throws `usage.value` for a name that the harness has not. */
export function aggregationNamed(name: string, place: string): Aggregation {
  const found = Object.hasOwn(aggregations, name) ? aggregations[name] : undefined
  if (found !== undefined) return found
  throw fault('usage.value', {
    place,
    what: 'the harness has no such aggregation',
    seen: name,
    hint: suggestion(name, Object.keys(aggregations)),
  })
}

/** Items are pairs (reference or references, prediction). */
function ofCorpus(metric: CorpusMetric): Aggregation {
  const drawn = (items: readonly Item[]): ((places: ArrayLike<number>) => number) => {
    const pairs = items.map((item) => asPair(item, 'a corpus'))
    const references = pairs.map(([own]) => (Array.isArray(own) ? own.map(textOf) : [textOf(own)]))
    // the reference cuts all lists of references to the shortest
    const most = Math.min(...references.map((own) => own.length))
    if (most === 0)
      throw fault('task.value', {
        place: 'a corpus',
        what: 'a document without a reference',
        seen: pairs[references.findIndex((own) => own.length === 0)] ?? null,
      })
    const statistics = pairs.map(([, prediction], i) =>
      metric.statistics(textOf([prediction].flat()[0] ?? ''), (references[i] ?? []).slice(0, most)),
    )
    return (places) => scoreAt(metric, statistics, places)
  }
  return { run: (items) => drawn(items)(items.map((_, i) => i)), error: 'bootstrap', drawn }
}

function textOf(value: DocValue): string {
  if (typeof value === 'string') return value
  throw fault('task.value', { place: 'a corpus', what: 'no text', seen: value })
}

function drawnPerplexity(items: readonly Item[]): (places: ArrayLike<number>) => number {
  const all = Float64Array.from(numbers(items))
  const some = new Float64Array(all.length)
  return (places) => {
    for (let i = 0; i < places.length; i++) some[i] = all[places[i] ?? 0] ?? NaN
    return Math.exp(-compensatedMean(some))
  }
}

/** Mean of pairs (value, weight): Σ values / Σ weights. */
function weightedMean(items: readonly Item[]): number {
  const pairs = items.map((item) => asPair(item, 'weighted mean'))
  return (
    compensatedSum(pairs.map(([value]) => numberOf(value))) /
    compensatedSum(pairs.map(([, weight]) => numberOf(weight)))
  )
}

function numberOf(value: DocValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'object' && value !== null && 'kind' in value && typeof value['value'] === 'number')
    return value['value']
  throw fault('task.value', {
    place: 'aggregation',
    what: 'the value of a document for this metric is not a number',
    seen: value,
  })
}

interface Counts {
  readonly both: number
  readonly onlyPredicted: number
  readonly onlyGold: number
  readonly neither: number
}

/** Counts for class 1. Throws `task.value` where there are more than two classes, as scikit-learn does. */
function binaryCounts(items: readonly Item[]): Counts {
  const counts = { both: 0, onlyPredicted: 0, onlyGold: 0, neither: 0 }
  for (const item of items) {
    const [gold, predicted] = asPair(item, 'f1').map(Number)
    if (![0, 1].includes(gold ?? NaN) || ![0, 1].includes(predicted ?? NaN))
      throw fault('task.value', {
        place: 'f1',
        what: 'more than two classes',
        seen: [gold, predicted],
        wanted: '0 or 1',
      })
    if (gold === 1) counts[predicted === 1 ? 'both' : 'onlyGold']++
    else counts[predicted === 1 ? 'onlyPredicted' : 'neither']++
  }
  return counts
}

function f1(items: readonly Item[]): number {
  const { both, onlyPredicted, onlyGold } = binaryCounts(items)
  const all = 2 * both + onlyPredicted + onlyGold
  return all === 0 ? 0 : (2 * both) / all
}

/** For any number of classes (Gorodkin 2004), as in scikit-learn. */
function matthews(items: readonly Item[]): number {
  const pairs = items.map((item) => asPair(item, 'mcc').map(Number) as [number, number])
  const classes = [...new Set(pairs.flat())]
  const count = (fits: (pair: readonly [number, number]) => boolean): number => pairs.filter(fits).length
  const right = count(([gold, predicted]) => gold === predicted)
  const golds = classes.map((name) => count(([gold]) => gold === name))
  const predictions = classes.map((name) => count(([, predicted]) => predicted === name))
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
  const n = pairs.length
  const [predictedSpread, goldSpread] = [n * n - dot(predictions, predictions), n * n - dot(golds, golds)]
  if (predictedSpread * goldSpread === 0) return 0
  return (right * n - dot(golds, predictions)) / Math.sqrt(goldSpread * predictedSpread)
}

/** Mean over documents of Σ (probability − 1 of the gold)² (Brier 1950). */
function brier(items: readonly Item[]): number {
  const scores = items.map((item) => {
    const [gold, shares] = asPair(item, 'brier_score')
    if (!Array.isArray(shares) || typeof gold !== 'number')
      throw fault('task.value', { place: 'brier_score', what: 'no gold and shares', seen: item })
    const place = gold < 0 ? shares.length + gold : gold
    return shares.reduce<number>((sum, share, i) => sum + (numberOf(share) - (i === place ? 1 : 0)) ** 2, 0)
  })
  return compensatedMean(scores)
}
