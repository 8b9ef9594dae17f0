import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Matrix, takeRows } from '#core'
import { fitLogistic, fitLogisticEach, predictLogistic, timesTransposedPlain } from '#platform/linalg'
import { shared, sharedPath } from '../../shared.ts'
import { type Golden, golden, sampleData } from './sample-data.ts'

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)
const parts = (x: Matrix, cut: number): [Matrix, Matrix] => [
  takeRows(x, range(0, cut)),
  takeRows(x, range(cut, x.rows)),
]
const plain = {
  product: <T>(a: T, b: T, into: T) => Promise.resolve(timesTransposedPlain(a as never, b as never, into as never)),
} as never

async function solve(
  { data, train, classes }: Pick<Golden['fits'][number], 'data' | 'train' | 'classes'>,
  options = {},
) {
  const { x, labels } = sampleData(data)
  const [seen, rest] = parts(x, train)
  const ids = labels.slice(0, train).map((label) => classes.indexOf(label))
  const model = await fitLogistic(seen, ids, classes.length, options)
  const [predicted] = await predictLogistic([model], rest, options)
  const { rows, width, data: all } = model.coefficients
  const coef = range(0, rows).flatMap((k) => Array.from(all.subarray(k * width, (k + 1) * width - 1)))
  return {
    model,
    coef,
    intercept: range(0, rows).map((k) => all[(k + 1) * width - 1]),
    predicted: Array.from(predicted ?? [], (k) => classes[k]),
  }
}

/**
 * Largest difference relative to the largest value: the two-loop recursion and L-BFGS-B's compact form round
 * differently.
 */
function gap(ours: readonly (number | undefined)[], theirs: readonly number[]): number {
  const scale = Math.max(...theirs.map(Math.abs))
  return Math.max(...theirs.map((value, i) => Math.abs((ours[i] ?? NaN) - value))) / scale
}

describe('logistic regression as scikit-learn 1.8', () => {
  test.each(golden.fits)(
    '$data.n rows, $data.d wide, $data.K classes, scale $data.scale: $n_iter iterations',
    async (fit) => {
      const { model, coef, intercept, predicted } = await solve(fit)
      expect(model.iterations).toBe(fit.n_iter)
      // rounding in another order grows with the number of iterations: 1e-10 holds up to about 30 of them
      const tolerance = fit.n_iter > 30 ? 1e-4 : 1e-10
      expect(
        gap(
          coef.filter((_, i) => i % fit.stride === 0),
          fit.coef,
        ),
      ).toBeLessThan(tolerance)
      expect(gap(intercept, fit.intercept)).toBeLessThan(tolerance)
      expect(predicted).toEqual(fit.predictions)
    },
  )

  test('the engine and plain loops give the same model', async () => {
    const fit = golden.fits.find(({ data }) => data.K === 77)
    if (fit === undefined) throw new Error('golden file lacks the case with 77 classes')
    const [engine, loops] = [await solve(fit), await solve(fit, plain)]
    expect(engine.model.iterations).toBe(loops.model.iterations)
    expect(gap(engine.coef, loops.coef)).toBeLessThan(1e-12)
  })

  test('fits side by side have the bits and the order of fits one after another', async () => {
    const samples = [3, 4, 5].map((seed) => {
      const { x, labels } = sampleData({ n: 240, d: 160, K: 30, seed, noise: 1.5, scale: 1, unit: false })
      return { x, labels, classes: 30 }
    })
    const together = await fitLogisticEach(samples, { threads: 2, maxIterations: 40 })
    for (const [k, { x, labels, classes }] of samples.entries()) {
      const alone = await fitLogistic(x, labels, classes, { maxIterations: 40 })
      expect(together[k]).toEqual(alone)
    }
  })

  test('fits side by side end with the first fault, and when they are cancelled', async () => {
    const { x, labels } = sampleData({ n: 240, d: 160, K: 30, seed: 3, noise: 1.5, scale: 1, unit: false })
    const good = { x, labels, classes: 30 }
    await expect(fitLogisticEach([good, { ...good, labels: labels.slice(1) }], { threads: 2 })).rejects.toMatchObject({
      code: 'internal',
    })
    const stop = new AbortController()
    const run = fitLogisticEach(
      Array.from({ length: 50 }, () => good),
      { threads: 2, signal: stop.signal },
    )
    setImmediate(() => stop.abort())
    await expect(run).rejects.toMatchObject({ code: 'run.cancelled' })
    // dismissed threads are replaced
    expect(await fitLogisticEach([good], { threads: 2, maxIterations: 5 })).toHaveLength(1)
  })

  test('several models predict together what they predict alone', async () => {
    const { x, labels } = sampleData({ n: 120, d: 7, K: 4, seed: 3, noise: 1.5, scale: 1, unit: false })
    const [a, b] = [
      await fitLogistic(x, labels, 4),
      await fitLogistic(
        x,
        labels.map((label) => Number(label > 1)),
        2,
      ),
    ]
    const together = await predictLogistic([a, b, a], x)
    expect(together).toEqual([
      ...(await predictLogistic([a], x)),
      ...(await predictLogistic([b], x)),
      ...(await predictLogistic([a], x)),
    ])
  })

  test('one class is refused', async () => {
    const { x } = sampleData({ n: 6, d: 2, K: 1, seed: 1, noise: 1, scale: 1, unit: false })
    await expect(fitLogistic(x, [0, 0, 0, 0, 0, 0], 1)).rejects.toMatchObject({ code: 'task.label' })
  })

  test('a cancelled fit stops', async () => {
    const { x, labels } = sampleData({ n: 60, d: 4, K: 3, seed: 1, noise: 1, scale: 1, unit: false })
    await expect(fitLogistic(x, labels, 3, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'run.cancelled',
    })
  })
})

describe.skipIf(!shared)('logistic regression vectors of specs/mteb_test_vectors.json', () => {
  interface Vector {
    n_iter: number
    coef: number[][]
    intercept: number[]
    pred: number[]
  }
  const vectors = () =>
    JSON.parse(readFileSync(sharedPath('specs', 'mteb_test_vectors.json'), 'utf8')) as {
      logreg_multi: Vector
      logreg_binary: Vector
    }
  const data = { n: 60, d: 6, K: 5, seed: 7, noise: 0.6, scale: 1, unit: true }

  test('five classes', async () => {
    const want = vectors().logreg_multi
    const { model, coef, intercept, predicted } = await solve({ data, train: 40, classes: [0, 1, 2, 3, 4] })
    expect(model.iterations).toBe(want.n_iter)
    expect(gap(coef, want.coef.flat())).toBeLessThan(1e-9) // the file holds ten decimals
    expect(gap(intercept, want.intercept)).toBeLessThan(1e-9)
    expect(predicted).toEqual(want.pred)
  })

  test('two classes', async () => {
    const want = vectors().logreg_binary
    const { x, labels } = sampleData(data)
    const [seen, rest] = parts(x, 40)
    const model = await fitLogistic(
      seen,
      labels.slice(0, 40).map((label) => Number(label >= 2)),
      2,
    )
    expect(model.iterations).toBe(want.n_iter)
    expect(gap(Array.from(model.coefficients.data), [...want.coef.flat(), ...want.intercept])).toBeLessThan(1e-9)
    expect(Array.from((await predictLogistic([model], rest))[0] ?? [])).toEqual(want.pred)
  })
})
