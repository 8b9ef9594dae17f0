/** Weights that a researcher has chosen, from a file. */
import { fault, suggestion } from '#core'
import { readColumns } from '#files/tables'
import { toNumber } from './number-cell.ts'
import type { SourceWeight, TargetSources } from './weights.ts'

/** Decimals of a file are rounded: thirds with seven of them sum to 0.9999999. */
const mostRounding = 1e-6

/**
 * The sources of every target in a file with the columns `target`, `source` and `weight`, the heaviest first; those of
 * weight 0 are left out. Throws `usage.value` for a file without rows, a name that is no locale, a weight below 0, a
 * source that a target has twice, and weights of a target that do not sum to 1.
 */
export async function readWeights(path: string, known: ReadonlySet<string>): Promise<TargetSources> {
  const { rows, columns } = await readColumns([path], { columns: ['target', 'source', 'weight'] })
  if (rows === 0)
    throw fault('usage.value', { place: path, what: 'has no weights', wanted: 'rows of target, source and weight' })
  const { target: targets = [], source: sources = [], weight: weights = [] } = columns
  const found = new Map<string, SourceWeight[]>()
  for (const [i, cell] of weights.entries()) {
    const target = toKnown(targets[i], path, known)
    const source = toKnown(sources[i], path, known)
    const place = `${path} › ${target} › ${source}`
    const weight = toNumber(cell, place)
    if (weight < 0) throw fault('usage.value', { place, what: 'a weight must be 0 or greater', seen: weight })
    const own = found.get(target) ?? []
    if (own.some((one) => one.source === source))
      throw fault('usage.value', { place, what: 'this source has two weights for the target' })
    found.set(target, [...own, { source, weight }])
  }
  return new Map([...found].map(([target, own]) => [target, checked(target, own, path)]))
}

function toKnown(cell: unknown, place: string, known: ReadonlySet<string>): string {
  const name = String(cell)
  if (known.has(name)) return name
  throw fault('usage.value', { place, what: 'no such locale', seen: name, hint: suggestion(name, [...known]) })
}

function checked(target: string, weights: readonly SourceWeight[], path: string): SourceWeight[] {
  const sum = weights.reduce((total, { weight }) => total + weight, 0)
  if (Math.abs(sum - 1) > mostRounding)
    throw fault('usage.value', {
      place: `${path} › ${target}`,
      what: 'the weights of a target must sum to 1',
      seen: sum,
    })
  return weights.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)
}
