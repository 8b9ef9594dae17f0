/** What two views of the same texts share: invariance, and information. */
import { fault, type Matrix64, mean } from '#core'
import { symmetricEigen, timesTransposed, transposed, unitRows64 } from '#platform/linalg'
import { randomState } from '#platform/random'
import type { MetricValue, ViewMetric } from './metric.ts'
import { standardised } from './tokens.ts'
import { entropyOf, spectrumOf } from './spectrum.ts'

/** The value for rows of length 1 (`unit`), and with their columns centred over the texts first (`centred`). */
async function bothForms(
  views: readonly Matrix64[],
  of: (views: readonly Matrix64[]) => Promise<MetricValue>,
): Promise<MetricValue> {
  return { unit: await of(views.map(unitRows64)), centred: await of(views.map(standardised)) }
}

function twoOf(views: readonly Matrix64[], name: string): [Matrix64, Matrix64] {
  const [a, b] = views
  if (a === undefined || b === undefined || views.length !== 2)
    throw fault('usage.value', { place: name, what: 'compares two views', seen: views.length, wanted: 2 })
  return [a, b]
}

const temperature = 0.1

/**
 * Mean cross-entropy, in nats, of finding a text's second view among all by its first; and the bound on information
 * that it gives, 1 − loss / ln n.
 */
export const infonce: ViewMetric = {
  kind: 'views',
  views: 'two',
  name: 'infonce',
  reference: 'van den Oord et al. 2018, https://arxiv.org/abs/1807.03748, τ = 0.1',
  of: (views) => bothForms(views, infonceOf),
}

async function infonceOf(views: readonly Matrix64[]): Promise<MetricValue> {
  const [a, b] = twoOf(views, 'infonce')
  const n = a.rows
  const logits = await timesTransposed(a, b)
  let loss = 0
  for (let i = 0; i < n; i++) {
    const own = logits.subarray(i * n, (i + 1) * n).map((value) => value / temperature)
    loss += logSumOf(own) - own[i]!
  }
  return { raw: loss / n, 'mi-lower-bound': 1 - loss / n / Math.log(n), simclr: await simclr(a, b) }
}

/** NT-Xent over both views together, as the recorded files have it. */
async function simclr(a: Matrix64, b: Matrix64): Promise<number> {
  const n = a.rows
  const both: Matrix64 = { rows: 2 * n, width: a.width, data: Float64Array.from([...a.data, ...b.data]) }
  const logits = await timesTransposed(both, both)
  let loss = 0
  for (let i = 0; i < 2 * n; i++) {
    const others = Float64Array.from(
      Array.from({ length: 2 * n }, (_, j) => j).filter((j) => j !== i),
      (j) => logits[i * 2 * n + j]! / temperature,
    )
    loss += logSumOf(others) - logits[i * 2 * n + ((i + n) % (2 * n))]! / temperature
  }
  return loss / (2 * n)
}

function logSumOf(values: Float64Array): number {
  const top = values.reduce((most, value) => Math.max(most, value), -Infinity)
  return top + Math.log(values.reduce((sum, value) => sum + Math.exp(value - top), 0))
}

/** Entropy of the spectrum of Σ_w^−½ Σ_b Σ_w^−½: how many directions tell texts apart rather than their views. */
export const lidar: ViewMetric = {
  kind: 'views',
  views: 'many',
  name: 'lidar',
  reference: 'Thilak et al. 2024, https://arxiv.org/abs/2312.04000, δ = 1e-4',
  of: (views) => bothForms(views, lidarOf),
}

async function lidarOf(x: readonly Matrix64[]): Promise<MetricValue> {
  if (x.length < 2) throw fault('usage.value', { place: 'lidar', what: 'needs at least two views', seen: x.length })
  const [{ rows: n, width } = { rows: 0, width: 0 }] = x
  const means: Matrix64 = {
    rows: n,
    width,
    data: Float64Array.from({ length: n * width }, (_, at) => mean(x.map(({ data }) => data[at]!))),
  }
  const grand = new Float64Array(width)
  means.data.forEach((value, at) => (grand[at % width]! += value / n))
  const between = await scatter([{ ...means, data: means.data.map((value, at) => value - grand[at % width]!) }], n)
  const within = await scatter(
    x.map(({ data }) => ({ rows: n, width, data: data.map((value, at) => value - means.data[at]!) })),
    n * x.length,
  )
  for (let k = 0; k < width; k++) within[k * width + k]! += 1e-4
  const { values, vectors } = await symmetricEigen({ rows: width, width, data: within })
  const whitening: Matrix64 = {
    rows: width,
    width,
    data: vectors.data.map((value, at) => value / Math.sqrt(values[Math.floor(at / width)]!)),
  }
  // W Σ_b Wᵀ has the spectrum of Σ_w^−½ Σ_b Σ_w^−½
  const half: Matrix64 = {
    rows: width,
    width,
    data: await timesTransposed(whitening, { rows: width, width, data: between }),
  }
  const entropy = entropyOf(await spectrumOf({ rows: width, width, data: await timesTransposed(half, whitening) }))
  return { entropy, exp: Math.exp(entropy) }
}

/** Σ XᵀX / count, [width × width]. */
async function scatter(parts: readonly Matrix64[], count: number): Promise<Float64Array> {
  let total: Float64Array | undefined
  for (const part of parts) {
    const columns = transposed(part)
    const own = await timesTransposed(columns, columns)
    total = total === undefined ? own : total.map((value, at) => value + own[at]!)
  }
  return (total ?? new Float64Array()).map((value) => value / count)
}

/** Permutations that the second view is compared under. */
const permutations = 10

/** How much less entropy the paired views have together than views paired at random. */
export const dime: ViewMetric = {
  kind: 'views',
  views: 'two',
  name: 'dime',
  reference:
    'Skean et al. 2023, https://arxiv.org/abs/2305.07715, on [texts × texts]; permutations RandomState(42 + k)',
  of: (views) => bothForms(views, dimeOf),
}

async function dimeOf(views: readonly Matrix64[]): Promise<MetricValue> {
  const [a, b] = twoOf(views, 'dime')
  const n = a.rows
  const [first, second] = [await timesTransposed(a, a), await timesTransposed(b, b)]
  const entropyUnder = async (order: ArrayLike<number>): Promise<number> => {
    const joint = first.map((value, at) => value * second[order[Math.floor(at / n)]! * n + order[at % n]!]!)
    return entropyOf(await spectrumOf({ rows: n, width: n, data: joint }))
  }
  const paired = await entropyUnder(Int32Array.from({ length: n }, (_, i) => i))
  let sum = 0
  for (let k = 0; k < permutations; k++) sum += (await entropyUnder(randomState(42 + k).permutation(n))) - paired
  const raw = sum / permutations
  return { raw, logNlogD: raw / (Math.log(n) * Math.log(a.width)) }
}

/** Mean squared distance between the views' unit vectors, not centred. */
export const alignment: ViewMetric = {
  kind: 'views',
  views: 'two',
  name: 'alignment',
  reference: 'Wang and Isola 2020, https://arxiv.org/abs/2005.10242, α = 2',
  of(views) {
    const [a, b] = views
    if (a === undefined || b === undefined)
      throw fault('usage.value', { place: 'alignment', what: 'compares two views', seen: views.length, wanted: 2 })
    const [x, y] = [unitRows64(a), unitRows64(b)]
    return x.data.reduce((sum, value, at) => sum + (value - y.data[at]!) ** 2, 0) / x.rows
  },
}
