/** Multiple tests: corrected p-values, and one p-value over tasks. */
import { randomState } from '#platform/random'

/**
 * Holm's step-down correction: corrected p-values in the order given, each at most 1 and none below a smaller one's
 * (Holm 1979, Scandinavian Journal of Statistics 6(2)).
 *
 * @example
 * ```ts
 * import { holm } from 'strata-lm/statistics'
 *
 * console.log(holm([0.01, 0.04, 0.03])) // → [ 0.03, 0.06, 0.06 ]
 * ```
 */
export function holm(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const out = values.map(() => 1)
  let largest = 0
  order.forEach((at, rank) => {
    largest = Math.max(largest, Math.min(1, (values.length - rank) * (values[at] ?? 1)))
    out[at] = largest
  })
  return out
}

/** Holm's correction over p-values by key. */
export function holmBy<Key>(family: ReadonlyMap<Key, number>): Map<Key, number> {
  const corrected = holm([...family.values()])
  return new Map([...family.keys()].map((key, i) => [key, corrected[i] ?? 1]))
}

/** Maximum number of tasks for which every assignment of signs is tried. */
const exactTasks = 16

/**
 * Two-sided p-value of a mean difference over tasks by flipping signs: every assignment for up to 16 tasks, otherwise
 * seeded draws (default 10,000) and the observed one. 1 without tasks.
 *
 * @example
 * ```ts
 * import { signFlip } from 'strata-lm/statistics'
 *
 * console.log(signFlip([0.02, 0.01, 0.03, 0.015, 0.02])) // → 0.0625
 * ```
 */
export function signFlip(
  differences: readonly number[],
  { draws = 10_000, seed = 42 }: { draws?: number; seed?: number } = {},
): number {
  const n = differences.length
  if (n === 0) return 1
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0))
  // rounding of a sum in another order
  const floor = observed * (1 - 1e-12)
  const atLeast = (flipped: (i: number) => boolean): boolean =>
    Math.abs(differences.reduce((sum, value, i) => sum + (flipped(i) ? -value : value), 0)) >= floor
  if (n <= exactTasks) {
    let count = 0
    for (let signs = 0; signs < 2 ** n; signs++) if (atLeast((i) => ((signs >> i) & 1) === 1)) count++
    return count / 2 ** n
  }
  const random = randomState(seed)
  let count = 1
  for (let draw = 0; draw < draws; draw++) {
    const flips = differences.map(() => random.word() >= 2 ** 31)
    if (atLeast((i) => flips[i] ?? false)) count++
  }
  return count / (draws + 1)
}
