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
  const signs = packedSigns(n, draws, seed)
  const partial = new Float64Array(256)
  for (let group = 0; group * 8 < n; group++) {
    signedSums(differences.slice(group * 8, group * 8 + 8), partial)
    const own = signs.subarray(group * draws, (group + 1) * draws)
    for (let draw = 0; draw < draws; draw++) sums[draw]! += partial[own[draw]!]!
  }
  return (1 + sums.reduce((count, sum) => (Math.abs(sum) >= floor ? count + 1 : count), 0)) / (draws + 1)
}

/** The sums of up to eight values under every assignment of signs: bit i of the place turns value i. */
function signedSums(values: readonly number[], into: Float64Array): void {
  into[0] = 0
  for (const [i, value] of values.entries())
    for (let bits = 0; bits < 2 ** i; bits++) {
      const sum = into[bits]!
      into[bits] = sum + value
      into[bits + 2 ** i] = sum - value
    }
}

/**
 * [differences / 8, rounded up × draws]: a byte has the signs of eight differences, a bit of 1 is a minus. The rows of a
 * report mostly have as many tasks: the last ones stay.
 */
function packedSigns(n: number, draws: number, seed: number): Uint8Array {
  const asked = `${n} ${draws} ${seed}`
  if (lastSigns.asked === asked) return lastSigns.signs
  const random = randomState(seed)
  const signs = new Uint8Array(Math.ceil(n / 8) * draws)
  for (let draw = 0; draw < draws; draw++)
    for (let at = 0; at < n; at++) if (random.word() >= 2 ** 31) signs[(at >> 3) * draws + draw]! |= 1 << (at & 7)
  lastSigns = { asked, signs }
  return signs
}

let lastSigns = { asked: '', signs: new Uint8Array() }
