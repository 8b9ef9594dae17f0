/**
 * The first fold of iterative stratification over pairs of labels (Sechidis et al. 2011; Szymański and Kajdanowicz
 * 2017), draw for draw as scikit-multilearn's `IterativeStratification` of order 2 gives it for the shares `share` and
 * `1 − share` with
 * `random_state=42`.
 */
import { compareCodePoints } from '#core'
import { randomState, type RandomState } from '#platform/random'

/** Rows that share a label or a pair of labels. */
interface Combination {
  readonly pair: boolean
  /** In row order; the unplaced ones are taken from the end. */
  readonly rows: number[]
  /** Rows not placed yet. */
  left: number
  /** Rows each fold still wants. */
  readonly wanted: Float64Array
}

/** Rows of the sample, ascending. */
export function iterativeSample(labels: readonly (readonly unknown[])[], share: number): number[] {
  const random = randomState(42)
  const shares = [share, 1 - share]
  const { combinations, ofRow } = combinationsOf(labels, shares)
  const wanted = Float64Array.from(shares, (part) => part * labels.length)
  const fold = new Int8Array(labels.length).fill(-1)

  const place = (row: number, into: number): void => {
    fold[row] = into
    for (const combination of ofRow[row] ?? []) {
      combination.left--
      change(combination.wanted, into)
    }
    change(wanted, into)
  }
  const next = combinationsLeft(combinations)
  for (let chosen = next(); chosen !== undefined; chosen = next()) {
    while (chosen.left > 0) {
      const row = chosen.rows.pop()
      if (row === undefined) break
      if (fold[row] === -1) place(row, hungrier(chosen.wanted, random))
    }
  }
  for (let row = labels.length - 1; row >= 0; row--) {
    if (fold[row] !== -1) continue
    const open = [0, 1].filter((i) => (wanted[i] ?? 0) > 0)
    place(row, open[random.interval(open.length - 1)] ?? 0)
  }
  return Array.from(fold.keys()).filter((row) => fold[row] === 0)
}

/**
 * Combinations in the order in which rows bring them up: of a row's sorted labels every one alone, followed by its
 * pairs with the later ones.
 */
function combinationsOf(
  labels: readonly (readonly unknown[])[],
  shares: readonly number[],
): { combinations: Combination[]; ofRow: Combination[][] } {
  const order = ranks(labels)
  const known = new Map<number, Combination>()
  const ofRow = labels.map((list, row) => {
    const own = [...new Set(list.map((label) => order.get(label) ?? 0))].sort((a, b) => a - b)
    return own.flatMap((one, i) =>
      own.slice(i).map((other) => {
        const key = one * order.size + other
        const combination = known.get(key) ?? {
          pair: one !== other,
          rows: [],
          left: 0,
          wanted: new Float64Array(shares.length),
        }
        known.set(key, combination)
        combination.rows.push(row)
        combination.left++
        return combination
      }),
    )
  })
  const combinations = [...known.values()]
  for (const { rows, wanted } of combinations) shares.forEach((part, i) => (wanted[i] = rows.length * part))
  return { combinations, ofRow }
}

/** Labels numbered in their own order: numbers by value, texts by code points. */
function ranks(labels: readonly (readonly unknown[])[]): Map<unknown, number> {
  const distinct = [...new Set(labels.flat())]
  const sorted = distinct.sort((a, b) =>
    typeof a === 'string' && typeof b === 'string' ? compareCodePoints(a, b) : Number(a) - Number(b),
  )
  return new Map(sorted.map((label, rank) => [label, rank]))
}

/**
 * The first combination with rows left – or, when that is a single label, the first pair after it with fewer rows;
 * undefined at the end.
 */
function combinationsLeft(all: readonly Combination[]): () => Combination | undefined {
  let open = all
  let start = 0
  let calls = 0
  return () => {
    // used-up entries would be skipped again and again
    if (++calls % 256 === 0) [open, start] = [open.filter(({ left }) => left > 0), 0]
    while (open[start]?.left === 0) start++
    const first = open[start]
    if (first === undefined || first.pair) return first
    for (let i = start + 1; i < open.length; i++) {
      const other = open[i]
      if (other !== undefined && other.pair && other.left > 0 && other.left < first.left) return other
    }
    return first
  }
}

/** The fold that wants more; equal ones by lot. */
function hungrier(wanted: Float64Array, random: RandomState): number {
  const [first = 0, second = 0] = wanted
  if (first === second) return random.interval(1)
  return first > second ? 0 : 1
}

function change(wanted: Float64Array, fold: number): void {
  wanted[fold] = (wanted[fold] ?? 0) - 1
}
