/**
 * How far two labellings of the same rows agree, as scikit-learn computes it (`v_measure_score`,
 * `adjusted_mutual_info_score`); natural logarithms.
 */

/** How often each class meets each cluster. */
interface Contingency {
  readonly rows: number
  /** Rows of each class, of each cluster. */
  readonly classes: Float64Array
  readonly clusters: Float64Array
  /** class · (number of clusters) + cluster → rows. */
  readonly cells: ReadonlyMap<number, number>
}

export interface Agreement {
  readonly v_measure: number
  readonly ami: number
}

/** Both scores of `found` against `truth`; labels are small numbers from 0 on. */
export function agreement(truth: ArrayLike<number>, found: ArrayLike<number>): Agreement {
  const table = contingency(truth, found)
  const [classes, clusters, information] = [entropy(table.classes), entropy(table.clusters), mutualInformation(table)]
  return { v_measure: vMeasure(classes, clusters, information), ami: adjusted(table, classes, clusters, information) }
}

/** Mean of homogeneity and completeness, the harmonic one; each is 1 when it has nothing to tell apart. */
function vMeasure(classes: number, clusters: number, information: number): number {
  const homogeneity = classes === 0 ? 1 : information / classes
  const completeness = clusters === 0 ? 1 : information / clusters
  return homogeneity + completeness === 0 ? 0 : (2 * homogeneity * completeness) / (homogeneity + completeness)
}

/** What the labellings share beyond chance, as a part of the mean of their entropies. */
function adjusted(table: Contingency, classes: number, clusters: number, information: number): number {
  const [single, one] = [occupied(table.classes) === 1, occupied(table.clusters) === 1]
  if (single || one) return single && one ? 1 : 0
  const expected = expectedInformation(table)
  return awayFromZero(information - expected) / awayFromZero((classes + clusters) / 2 - expected)
}

function awayFromZero(value: number): number {
  return value < 0 ? Math.min(value, -Number.EPSILON) : Math.max(value, Number.EPSILON)
}

function contingency(truth: ArrayLike<number>, found: ArrayLike<number>): Contingency {
  const count = (labels: ArrayLike<number>): Float64Array => {
    let most = 0
    for (let i = 0; i < labels.length; i++) most = Math.max(most, labels[i]!)
    const counts = new Float64Array(most + 1)
    for (let i = 0; i < labels.length; i++) counts[labels[i]!]! += 1
    return counts
  }
  const [classes, clusters] = [count(truth), count(found)]
  const cells = new Map<number, number>()
  for (let i = 0; i < truth.length; i++) {
    const key = truth[i]! * clusters.length + found[i]!
    cells.set(key, (cells.get(key) ?? 0) + 1)
  }
  return { rows: truth.length, classes, clusters, cells }
}

function occupied(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + Number(count > 0), 0)
}

function entropy(counts: Float64Array): number {
  if (occupied(counts) === 1) return 0
  const rows = counts.reduce((sum, count) => sum + count, 0)
  let sum = 0
  for (const count of counts) if (count > 0) sum -= (count / rows) * (Math.log(count) - Math.log(rows))
  return sum
}

function mutualInformation({ rows, classes, clusters, cells }: Contingency): number {
  if (occupied(classes) === 1 || occupied(clusters) === 1) return 0
  let sum = 0
  for (const [key, count] of cells) {
    const outer = classes[Math.floor(key / clusters.length)]! * clusters[key % clusters.length]!
    const share = count / rows
    const term = share * (Math.log(count) - Math.log(rows)) + share * (2 * Math.log(rows) - Math.log(outer))
    if (Math.abs(term) >= Number.EPSILON) sum += term
  }
  return Math.max(0, sum)
}

/**
 * Mean mutual information of labellings with these class and cluster sizes (Vinh, Epps & Bailey 2010, eq. 24): for
 * every pair of sizes, over how often they can meet, hypergeometrically likely. Pairs of equal sizes are computed once.
 */
function expectedInformation({ rows, classes, clusters }: Contingency): number {
  const logFactorial = new Float64Array(rows + 1)
  for (let i = 2; i <= rows; i++) logFactorial[i] = logFactorial[i - 1]! + Math.log(i)
  const [sizesA, sizesB] = [multiplicities(classes), multiplicities(clusters)]
  let sum = 0
  for (const [a, timesA] of sizesA)
    for (const [b, timesB] of sizesB) sum += timesA * timesB * expectedOf(a, b, rows, logFactorial)
  return sum
}

function multiplicities(counts: Float64Array): Map<number, number> {
  const found = new Map<number, number>()
  for (const count of counts) if (count > 0) found.set(count, (found.get(count) ?? 0) + 1)
  return found
}

/** Σ over n of n/N · log(N·n / (a·b)) · P(n), from the likeliest n outwards until P has vanished. */
function expectedOf(a: number, b: number, rows: number, logFactorial: Float64Array): number {
  const [low, high] = [Math.max(0, a + b - rows), Math.min(a, b)]
  const mode = Math.min(high, Math.max(low, Math.floor(((a + 1) * (b + 1)) / (rows + 2))))
  const f = (n: number): number => logFactorial[n]!
  const peak = Math.exp(
    f(a) + f(b) + f(rows - a) + f(rows - b) - f(rows) - f(mode) - f(a - mode) - f(b - mode) - f(rows - a - b + mode),
  )
  const term = (n: number, likely: number): number =>
    n === 0 ? 0 : (n / rows) * (Math.log(rows) + Math.log(n) - Math.log(a) - Math.log(b)) * likely
  const vanished = peak * 1e-20
  let sum = term(mode, peak)
  for (let n = mode, likely = peak; n < high && likely > vanished; n++) {
    likely *= ((a - n) * (b - n)) / ((n + 1) * (rows - a - b + n + 1))
    sum += term(n + 1, likely)
  }
  for (let n = mode, likely = peak; n > low && likely > vanished; n--) {
    likely *= (n * (rows - a - b + n)) / ((a - n + 1) * (b - n + 1))
    sum += term(n - 1, likely)
  }
  return sum
}
