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
  if (n <= exactTasks) {
    const flipped = (signs: number): number =>
      differences.reduce((sum, value, i) => sum + (((signs >> i) & 1) === 1 ? -value : value), 0)
    let count = 0
    for (let signs = 0; signs < 2 ** n; signs++) if (Math.abs(flipped(signs)) >= floor) count++
    return count / 2 ** n
  }
  const sums = new Float64Array(draws)
  const signs = signsOf(n, draws, seed)
  // value by value: each sum has its values in their order, and waits for none of the others
  for (const [at, value] of differences.entries()) {
    const own = signs.subarray(at * draws, (at + 1) * draws)
    for (let draw = 0; draw < draws; draw++) sums[draw] = (sums[draw] ?? 0) + (own[draw] ?? 0) * value
  }
  return (1 + sums.reduce((count, sum) => (Math.abs(sum) >= floor ? count + 1 : count), 0)) / (draws + 1)
}

/** [differences × draws] of 1 and -1. The rows of a report mostly have as many tasks: the last ones stay. */
function signsOf(n: number, draws: number, seed: number): Int8Array {
  const asked = `${n} ${draws} ${seed}`
  if (lastSigns.asked === asked) return lastSigns.signs
  const random = randomState(seed)
  const signs = new Int8Array(n * draws)
  for (let draw = 0; draw < draws; draw++)
    for (let at = 0; at < n; at++) signs[at * draws + draw] = random.word() >= 2 ** 31 ? -1 : 1
  lastSigns = { asked, signs }
  return signs
}

let lastSigns = { asked: '', signs: new Int8Array() }
