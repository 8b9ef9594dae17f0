/**
 * F1 over classes: the mean over those of CB (de Marneffe et al. 2019), and one weighted by what the gold has
 * (scikit-learn's `average="weighted"`).
 */
import type { Item } from './port.ts'
import type { Port } from './port.ts'
import { asPair } from '../scores/items.ts'

function f1Of(pairs: readonly (readonly [unknown, unknown])[], label: unknown): number {
  let [both, gold, predicted] = [0, 0, 0]
  for (const [wanted, own] of pairs) {
    if (wanted === label) gold++
    if (own === label) predicted++
    if (wanted === label && own === label) both++
  }
  return gold + predicted === 0 ? 0 : (2 * both) / (gold + predicted)
}

const pairsOf = (items: readonly Item[]): (readonly [unknown, unknown])[] => items.map((item) => asPair(item, 'f1'))

export const cbF1: Port = {
  kind: 'aggregation',
  run: (items) => {
    const pairs = pairsOf(items)
    return [0, 1, 2].reduce((sum, label) => sum + f1Of(pairs, label), 0) / 3
  },
}

export const weightedF1: Port = {
  kind: 'aggregation',
  run: (items) => {
    const pairs = pairsOf(items)
    const counts = new Map<unknown, number>()
    for (const [gold] of pairs) counts.set(gold, (counts.get(gold) ?? 0) + 1)
    let sum = 0
    for (const [label, count] of counts) sum += count * f1Of(pairs, label)
    return sum / pairs.length
  },
}
