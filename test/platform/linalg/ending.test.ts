/**
 * The law of ending: whatever stands in a matrix, every method of the door ends, in numbers or in a fault that has a
 * code. A method that does not end would stop this process and its timers: a thread ends the process then, and the run
 * fails.
 */
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { Fault, type Matrix, type Matrix64 } from '#core'
import * as linalg from '#platform/linalg'
import { randomState } from '#platform/random'

const patience = 60_000
const guard = new Worker(
  `const { parentPort } = require('node:worker_threads')
   let row
   parentPort.on('message', (name) => { clearTimeout(row); row = setTimeout(() => {
     require("node:fs").writeSync(2, "never ends: " + name + "\\n"); process.kill(process.pid, 'SIGKILL') }, ${patience}) })`,
  { eval: true },
)
guard.unref()
afterAll(() => void guard.terminate())

const drawn = (count: number, seed: number): Float64Array =>
  Float64Array.from(randomState(seed).randomSample(count), (value) => value - 0.5)
const made = (rows: number, width: number, entry: (i: number, k: number) => number): Matrix64 => ({
  rows,
  width,
  data: Float64Array.from({ length: rows * width }, (_, at) => entry(Math.floor(at / width), at % width)),
})
const row = drawn(384, 1)
const noise = drawn(200 * 384, 2)
const at = (i: number, k: number): number => noise[i * 384 + k]!
/** Ordinary but for one entry. */
const but = (value: number): Matrix64 => made(40, 32, (i, k) => (i === 7 && k === 5 ? value : at(i, k)))

const matrices: Readonly<Record<string, Matrix64>> = {
  ordinary: made(40, 32, at),
  'equal rows': made(40, 32, (_, k) => row[k]!),
  'more equal rows': made(100, 32, (_, k) => row[k]!),
  'many wide equal rows': made(200, 384, (_, k) => row[k]!),
  'rows equal but for rounding': made(100, 32, (i, k) => row[k]! * (1 + Number.EPSILON * Math.sign(at(i, k)))),
  'rank 1 plus rounding': made(40, 32, (i, k) => row[i]! * row[k]! + 1e-17 * at(i, k)),
  'rows equal in two groups': made(60, 40, (i, k) => (i % 2 === 0 ? row[k]! : row[k + 40]!)),
  'duplicated columns': made(40, 32, (i, k) => at(i, k >> 1)),
  'one row': made(1, 40, at),
  'one column': made(40, 1, at),
  'one number': made(1, 1, at),
  zeros: made(40, 32, () => 0),
  'negative zeros': made(40, 32, () => -0),
  ones: made(40, 32, () => 1),
  'one that is not zero': made(40, 32, (i, k) => Number(i === 3 && k === 4)),
  'the identity': made(32, 32, (i, k) => Number(i === k)),
  NaN: made(40, 32, () => NaN),
  'one NaN': but(NaN),
  'one Infinity': but(Infinity),
  'one −Infinity': but(-Infinity),
  'all Infinity': made(40, 32, () => Infinity),
  'both infinities': made(40, 32, (i) => (i % 2 === 0 ? Infinity : -Infinity)),
  'about 1e300': made(40, 32, (i, k) => 1e300 * at(i, k)),
  'the largest numbers': made(40, 32, (i, k) => Number.MAX_VALUE * Math.sign(at(i, k))),
  'about 1e90': made(40, 32, (i, k) => 1e90 * at(i, k)),
  'about 1e38, the end of float32': made(40, 32, (i, k) => 6e38 * at(i, k)),
  'about 1e-45, the other end': made(40, 32, (i, k) => 2.8e-45 * Math.sign(at(i, k))),
  'about 1e-90': made(40, 32, (i, k) => 1e-90 * at(i, k)),
  'about 1e-300': made(40, 32, (i, k) => 1e-300 * at(i, k)),
  denormals: made(40, 32, (i, k) => Number.MIN_VALUE * Math.round(9 * at(i, k))),
  'one of 1e300': but(1e300),
  'one of 1e-300': but(1e-300),
  'graded rows': made(40, 32, (i, k) => 10 ** (-8 * i) * at(i, k)),
  'graded columns': made(40, 32, (i, k) => 10 ** (-9 * k) * at(i, k)),
  'columns graded the other way': made(40, 32, (i, k) => 10 ** (9 * (k - 31)) * at(i, k)),
  'graded both ways': made(60, 60, (i, k) => 10 ** (-4 * (i + k)) * at(i, k)),
  'from 1e-300 to 1e300': made(40, 32, (i, k) => 10 ** (15 * (i - 20)) * at(i, k)),
  Hilbert: made(60, 60, (i, k) => 1 / (1 + i + k)),
  'a chain': made(60, 60, (i, k) => (Math.abs(i - k) === 1 ? 1 : i === k ? Math.abs(i - 30) : 0)),
  'nothing but NaN in a column': made(40, 32, (i, k) => (k === 3 ? NaN : at(i, k))),
}

const single = ({ rows, width, data }: Matrix64): Matrix => ({ rows, width, data: Float32Array.from(data) })
/** Both symmetric matrices that a matrix is made into: products of its rows, and its entries on both sides. */
const symmetric = ({ rows: n, width, data }: Matrix64): Matrix64[] => [
  { rows: n, width: n, data: linalg.timesTransposedPlain({ rows: n, width, data }, { rows: n, width, data }) },
  made(n, n, (i, k) => data[(Math.max(i, k) * n + Math.min(i, k)) % data.length]!),
]
const labels = (rows: number, classes: number): Int32Array => Int32Array.from({ length: rows }, (_, i) => i % classes)
const numbers = (rows: number): Int32Array => Int32Array.from({ length: rows }, (_, i) => i)
const column = ({ rows, width, data }: Matrix64, k: number): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => data[i * width + (k % width)]!)

type Numbers = ArrayLike<number> | number
type Method = (a: Matrix64) => Numbers[] | Promise<Numbers[]>
const pair =
  (value: (x: Float64Array, y: Float64Array) => number): Method =>
  (a) => [value(column(a, 0), column(a, 1)), value(a.data, a.data.slice().reverse())]
const paired =
  (value: (a: Matrix, b: Matrix) => Float32Array): Method =>
  (a) => [value(single(a), single({ ...a, data: a.data.slice().reverse() }))]
const ofSymmetric =
  (value: (a: Matrix64) => Promise<Numbers[]>): Method =>
  async (a) =>
    (await Promise.all(symmetric(a).map(value))).flat()
const perceptron =
  (loss: linalg.PerceptronLoss, outputs: number): Method =>
  (a) => {
    const data = { x: single(a), targets: loss === 'smooth-l1' ? column(a, 0) : labels(a.rows, outputs) }
    const rows = numbers(a.rows)
    const fitted = linalg.fitPerceptron({ ...data, train: rows, dev: rows }, { outputs, loss, hidden: [8], epochs: 3 })
    const found = fitted.outputs(rows)
    fitted.release()
    return [found, fitted.epochs]
  }

/** All entries, zeros too. */
const sparse = ({ rows, width, data }: Matrix64): linalg.SparseRows => ({
  rows,
  width,
  starts: Int32Array.from({ length: rows + 1 }, (_, i) => i * width),
  columns: Int32Array.from(data, (_, i) => i % width),
  values: data,
})

/** Thirty rows at most: a tree over them takes cubic time. */
const fewRows = ({ rows, width, data }: Matrix64): number[][] =>
  Array.from({ length: Math.min(rows, 30) }, (_, i) => Array.from(data.subarray(i * width, (i + 1) * width)))
const tree = (a: Matrix64): linalg.Joint[] =>
  linalg.linkage(linalg.rowDistances(fewRows(a)), fewRows(a).length, 'average')

/** Every function of the door, by its name; more than one way of asking it after a space. */
const methods: Readonly<Record<string, Method>> = {
  principalAxes: ofSymmetric(async (a) => {
    const { values, vectors } = await linalg.principalAxes(a, 5)
    return [values, vectors.data]
  }),
  principalAxesApart: ofSymmetric(async (a) => [(await linalg.principalAxesApart(a, 5)).values]),
  solvePositive: ofSymmetric(async (a) => [
    (await linalg.solvePositive(a, { rows: 1, width: a.rows, data: column(a, 0) })).solution,
  ]),
  pearson: pair(linalg.pearson),
  spearman: pair(linalg.spearman),
  kendall: pair(linalg.kendall),
  rowDistances: (a) => [linalg.rowDistances(fewRows(a))],
  linkage: (a) => tree(a).map(({ distance }) => distance),
  leavesOf: (a) => [linalg.leavesOf(tree(a))],
  unitRows64: (a) => [linalg.unitRows64(a).data],
  correlationPValue: (a) => Array.from(a.data, (value, i) => linalg.correlationPValue(value, i + 1)),
  studentPValue: (a) => Array.from(a.data, (value, i) => linalg.studentPValue(value, i + 1)),
  normalPValue: (a) => Array.from(a.data, linalg.normalPValue),
  averageRanks: (a) => [linalg.averageRanks(a.data), linalg.averageRanks(column(a, 0))],
  'averageRanks of many': (a) => [
    linalg.averageRanks(Float64Array.from({ length: 5000 }, (_, i) => a.data[i % a.data.length]!)),
  ],
  covarianceOf: async (a) => {
    const sums = linalg.covarianceOf(a.width)
    await sums.add(single(a))
    const { mean, covariance } = sums.finish()
    return [mean, covariance.data]
  },
  columns: (a) => [linalg.columns(a, 0, 1).data],
  joined: (a) => [linalg.joined([a, a]).data],
  joinedRows: (a) => [linalg.joinedRows([a, a]).data],
  product: async (a) => [(await linalg.product(linalg.transposed(a), a)).data],
  scaleColumns: (a) => [linalg.scaleColumns(a, a.data.subarray(0, a.width)).data],
  transposed: (a) => [linalg.transposed(a).data],
  timesTransposed: async (a) => [
    await linalg.timesTransposed(a, a),
    await linalg.timesTransposed(single(a), single(a)),
  ],
  timesTransposedPlain: (a) => [linalg.timesTransposedPlain(a, a)],
  miniBatchKMeans: async (a) => {
    const found = await linalg.miniBatchKMeans(single(a), numbers(a.rows), {
      clusters: Math.min(7, a.rows),
      batchSize: 16,
      generator: randomState(3),
    })
    expect(found.steps).toBeLessThanOrEqual(100 * Math.ceil(a.rows / Math.min(16, a.rows)))
    return [found.labels, found.centres.data, found.inertia]
  },
  kmeans: async (a) => {
    const clusters = Math.min(5, a.rows)
    const options = { clusters, generator: randomState(3), starts: 3, maxIterations: 50 }
    const found = await linalg.kmeans(single(a), options)
    expect(found.steps).toBeLessThanOrEqual(50)
    return [found.labels, found.centres.data, found.inertia]
  },
  sparseTimes: (a) => [
    linalg.sparseTimes(
      sparse(a),
      made(a.width, 2, (i, k) => i + k),
    ),
  ],
  solveSparseRidge: async (a) => {
    let iterations = 0
    const onIteration = (): Promise<void> => {
      iterations++
      return Promise.resolve()
    }
    const targets = made(a.rows, 2, (i, k) => a.data[(i + k) % a.data.length]!)
    const solution = await linalg.solveSparseRidge(sparse(a), targets, { ridge: 0.1, onIteration })
    expect(iterations).toBeLessThanOrEqual(1000)
    return [solution]
  },
  lbfgs: async (a) => {
    let calls = 0
    // the least squares of the first column by all, which need no one minimum
    const found = await linalg.lbfgs(
      (x, gradient) => {
        calls++
        gradient.fill(0)
        let value = 0
        for (let i = 0; i < a.rows; i++) {
          const own = a.data.subarray(i * a.width, (i + 1) * a.width)
          const rest = own.reduce((sum, entry, k) => sum + entry * x[k]!, 0) - own[0]!
          value += rest * rest
          own.forEach((entry, k) => (gradient[k]! += 2 * rest * entry))
        }
        return value
      },
      new Float64Array(a.width).fill(0.5),
      { maxEvaluations: 300 },
    )
    expect(calls).toBeLessThanOrEqual(300 + 20)
    return [found.x, found.value]
  },
  fitLinear: async (a) => {
    const { coefficients, intercept } = await linalg.fitLinear(single(a), column(a, 0))
    return [coefficients, intercept]
  },
  predictLinear: (a) =>
    linalg.predictLinear([{ coefficients: Float32Array.from(a.data.subarray(0, a.width)), intercept: 1 }], single(a)),
  'fitLogistic of two classes': async (a) => {
    const { coefficients, iterations } = await linalg.fitLogistic(single(a), labels(a.rows, 2), 2)
    expect(iterations).toBeLessThanOrEqual(100)
    return [coefficients.data]
  },
  'fitLogistic of three': async (a) => {
    const { coefficients, iterations } = await linalg.fitLogistic(single(a), labels(a.rows, 3), 3)
    expect(iterations).toBeLessThanOrEqual(100)
    return [coefficients.data]
  },
  fitLogisticEach: async (a) => {
    const sample = { x: single(a), labels: labels(a.rows, 3), classes: 3 }
    return (await linalg.fitLogisticEach([sample, sample])).map(({ coefficients }) => coefficients.data)
  },
  predictLogistic: (a) =>
    linalg.predictLogistic(
      [
        {
          classes: 2,
          coefficients: { rows: 1, width: a.width + 1, data: Float64Array.of(...a.data.subarray(0, a.width), 1) },
          iterations: 1,
          stopped: 'gradient',
        },
      ],
      single(a),
    ),
  nearestNeighbours: (a) => {
    const group = Array.from(numbers(a.rows))
    return linalg.nearestNeighbours(single(a), single(a), [group, group], { neighbours: 3 })
  },
  paired: paired((a, b) => linalg.paired(a, b, ['unitDot']).unitDot),
  pairedCosine: paired(linalg.pairedCosine),
  pairedDot: paired(linalg.pairedDot),
  pairedEuclidean: paired(linalg.pairedEuclidean),
  pairedManhattan: paired(linalg.pairedManhattan),
  radixOrder32: (a) => [linalg.radixOrder32(Float32Array.from(a.data))],
  rowNorms: (a) => [linalg.rowNorms(single(a))],
  extendRanges: (a) => {
    const [starts, ends] = [new Float32Array(a.width), new Float32Array(a.width)]
    linalg.extendRanges({ starts, ends }, single(a))
    return [starts, ends]
  },
  toFloat16: (a) => [linalg.toFloat16(single(a).data)],
  toSigns: (a) => [linalg.toSigns(single(a).data)],
  toSteps: (a) => {
    const [starts, steps] = [-1, 0.01].map((value) => new Float32Array(a.width).fill(value))
    return [linalg.toSteps(single(a), { starts: starts!, steps: steps!, below: 128 })]
  },
  unitRows: (a) => [linalg.unitRows(single(a)).data],
  'fitPerceptron of classes': perceptron('cross-entropy', 3),
  'fitPerceptron of probabilities': perceptron('double-softmax', 3),
  'fitPerceptron of numbers': perceptron('smooth-l1', 1),
  lossInPlace: (a) =>
    (['cross-entropy', 'double-softmax', 'smooth-l1'] as const).map((loss) => {
      const outputs = a.data.slice(0, 8)
      return linalg.lossInPlace(loss, outputs, 0)
    }),
  openRankSums: ({ data }) => {
    const memory = linalg.openRankSums(data.length)
    memory.cells.forEach((_, i) => (memory.cells[i] = data[i % data.length]!))
    const sums = memory.sums(linalg.rankPlaces(numbers(data.length), numbers(data.length)))
    memory.release()
    return [sums]
  },
  rankPlaces: (a) => [linalg.rankPlaces(numbers(a.rows), labels(a.rows, 3))],
  polar: async (a) => [(await linalg.polar(a)).data],
  svd: async (a) => {
    const { u, s, v } = await linalg.svd(a)
    return [u.data, s, v.data]
  },
  placesAtLeast: (a) => [linalg.placesAtLeast(single(a).data.subarray(0, linalg.mostAtLeast), 0)],
  'svd of the three largest': async (a) => [(await linalg.svd(a, { largest: 3 })).s],
  symmetricEigen: ofSymmetric(async (a) => {
    const { values, vectors } = await linalg.symmetricEigen(a)
    return [values, vectors.data]
  }),
  symmetricValues: ofSymmetric(async (a) => [await linalg.symmetricValues(a)]),
}

test('the table has every function of the door', () => {
  const functions = Object.entries(linalg).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
  const asked = new Set(Object.keys(methods).map((name) => name.split(' ')[0] ?? ''))
  expect([...asked].toSorted((a, b) => (a < b ? -1 : 1))).toEqual(functions.toSorted((a, b) => (a < b ? -1 : 1)))
})

/** The numbers, or the code of the fault. */
async function end(name: string, kind: string, a: Matrix64): Promise<string | number[]> {
  guard.postMessage(`${name} on ${kind}`, [])
  try {
    const found = await methods[name]!(a)
    return found.flatMap((values) => (typeof values === 'number' ? values : Array.from(values)))
  } catch (error) {
    if (error instanceof Fault && error.code !== 'internal') return error.code
    throw new Error(`${name} on ${kind}`, { cause: error })
  }
}

test.each(Object.keys(methods))(
  '%s ends on every matrix, in numbers or a fault, and leaves it as it was',
  async (name) => {
    const [changed, strange]: [string[], string[]] = [[], []]
    for (const [kind, a] of Object.entries(matrices)) {
      const before = a.data.slice()
      const found = await end(name, kind, a)
      if (!a.data.every((value, i) => Object.is(value, before[i]))) changed.push(kind)
      if (typeof found !== 'string' && found.some((value) => typeof value !== 'number')) strange.push(kind)
    }
    expect({ changed, strange }).toEqual({ changed: [], strange: [] })
  },
)

test.each(['svd', 'polar', 'symmetricEigen', 'symmetricValues', 'principalAxes'])(
  'what comes out of %s is finite where no square of a product overflows',
  async (name) => {
    const moderate = Object.entries(matrices).filter(([, { data }]) => data.every((value) => Math.abs(value) < 1e100))
    const lost: string[] = []
    for (const [kind, a] of moderate) {
      const found = await end(name, kind, a)
      if (typeof found === 'string' || !found.every(Number.isFinite)) lost.push(kind)
    }
    expect(moderate.length).toBeGreaterThan(20)
    expect(lost).toEqual([])
  },
)
