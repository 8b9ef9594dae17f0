/**
 * Hugging Face `datasets`' `train_test_split`, row for row (arrow_dataset.py and its stratified helper, which follows
 * scikit-learn's StratifiedShuffleSplit).
 */
import { fault } from '#core'
import { type DefaultRng, defaultRng } from './default-rng.ts'

export interface TrainTestSplit {
  readonly train: Int32Array
  readonly test: Int32Array
}

type SplitGenerator = Pick<DefaultRng, 'permutation' | 'choice'>

export interface SplitOptions {
  /** A number of rows (≥ 1), or a share of them (< 1). */
  testSize: number
  /** Default: the remaining rows. */
  trainSize?: number | undefined
  /** A number for a fresh generator, or one to draw on from. */
  seed: number | SplitGenerator
  /**
   * Class of every row: small integers in the order in which the classes sort. Splits then keep the classes' shares.
   */
  stratifyBy?: ArrayLike<number> | undefined
}

/**
 * Row numbers of both parts, in the order in which `train_test_split` of Hugging Face `datasets` gives them. Throws
 * `table.read` for sizes that cannot be, and names them.
 *
 * @example
 * ```ts
 * import { trainTestSplit } from 'strata-lm/linalg'
 *
 * const { train, test } = trainTestSplit(6, { testSize: 2, seed: 0 })
 * console.log([...train], [...test]) // → [ 5, 4, 0, 1 ] [ 3, 2 ]
 * ```
 */
export function trainTestSplit(rows: number, { testSize, trainSize, seed, stratifyBy }: SplitOptions): TrainTestSplit {
  const test = testSize < 1 ? Math.ceil(testSize * rows) : testSize
  const atMost = (size: number): number => (size < 1 ? Math.floor(size * rows) : size)
  const train = trainSize === undefined ? rows - test : atMost(trainSize)
  if (test < 1 || train < 1 || test + train > rows)
    throw splitFault('rows do not suffice for the split', { rows, train, test })
  const generator = typeof seed === 'number' ? defaultRng(seed) : seed
  if (stratifyBy !== undefined) return stratifiedSplit(stratifyBy, train, test, generator)
  const permutation = generator.permutation(rows)
  return { test: permutation.slice(0, test), train: permutation.slice(test, test + train) }
}

function stratifiedSplit(
  classOf: ArrayLike<number>,
  train: number,
  test: number,
  generator: SplitGenerator,
): TrainTestSplit {
  const rowsOf = rowsByClass(classOf)
  const counts = rowsOf.map((rows) => rows.length)
  const smallestClass = counts.reduce((least, count) => Math.min(least, count), Infinity)
  if (smallestClass < 2) throw splitFault('a class with a single row cannot be split', { smallestClass })
  if (train < counts.length || test < counts.length)
    throw splitFault('a part has fewer rows than there are classes', { train, test, classes: counts.length })

  const ofTrain = allot(counts, train, generator)
  const ofTest = allot(
    counts.map((count, k) => count - ofTrain[k]!),
    test,
    generator,
  )
  const [trainRows, testRows]: [number[], number[]] = [[], []]
  rowsOf.forEach((rows, k) => {
    const order = generator.permutation(rows.length)
    for (let i = 0; i < ofTrain[k]!; i++) trainRows.push(rows[order[i]!]!)
    for (let i = ofTrain[k]!; i < ofTrain[k]! + ofTest[k]!; i++) testRows.push(rows[order[i]!]!)
  })
  return { train: generator.permutation(trainRows), test: generator.permutation(testRows) }
}

function rowsByClass(classOf: ArrayLike<number>): number[][] {
  const rowsOf = new Map<number, number[]>()
  for (let row = 0; row < classOf.length; row++) {
    const rows = rowsOf.get(classOf[row]!)
    if (rows) rows.push(row)
    else rowsOf.set(classOf[row]!, [row])
  }
  return [...rowsOf].sort(([a], [b]) => a - b).map(([, rows]) => rows)
}

/**
 * `draws` shared out in proportion to `counts`: floors first, the rest to the largest remainders, equal remainders by
 * lot.
 */
function allot(counts: readonly number[], draws: number, generator: SplitGenerator): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const exact = counts.map((count) => (draws * count) / total)
  const shares = exact.map(Math.floor)
  let open = draws - shares.reduce((sum, share) => sum + share, 0)
  const remainders = exact.map((value, k) => value - shares[k]!)
  for (const remainder of [...new Set(remainders)].sort((a, b) => b - a)) {
    if (open <= 0) break
    const equal = remainders.flatMap((value, k) => (value === remainder ? [k] : []))
    const now = Math.min(equal.length, open)
    for (const pick of generator.choice(equal.length, now, { replace: false })) shares[equal[pick]!]! += 1
    open -= now
  }
  return shares
}

function splitFault(what: string, seen: unknown): Error {
  return fault('table.read', { place: 'train/test split', what, seen })
}
