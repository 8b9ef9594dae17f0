import { syncBuiltinESMExports } from 'node:module'
import threads, { Worker } from 'node:worker_threads'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { fitLogisticEach, principalAxesApart } from '#platform/linalg'
import { randomState } from '#platform/random'
import { limitThreads } from '#platform/threads'

/** Programs of the workers that were started. */
const started: string[] = []
const before = process.env['STRATA_THREADS']

threads.Worker = class extends Worker {
  constructor(...[program, options]: ConstructorParameters<typeof Worker>) {
    super(program, options)
    started.push(
      `${String(program).split('/').at(-1)} ${JSON.stringify(options?.env)?.match(/"STRATA_THREADS":"(\d+)"/)?.[1]}`,
    )
  }
}
syncBuiltinESMExports()

beforeEach(() => started.splice(0))
afterAll(() => {
  threads.Worker = Worker
  syncBuiltinESMExports()
  if (before === undefined) delete process.env['STRATA_THREADS']
  else process.env['STRATA_THREADS'] = before
})

const values = randomState(1).randomSample(600 * 600)
const samples = Array.from({ length: 4 }, (_, fit) => ({
  x: {
    rows: 600,
    width: 60,
    data: Float32Array.from(values.subarray(fit * 600, fit * 600 + 36_000), (one) => one - 0.5),
  },
  labels: Array.from({ length: 600 }, (__, row) => row % 40),
  classes: 40,
}))
const problems = [520, 530, 540].map((n) => ({
  rows: n,
  width: n,
  data: Float64Array.from({ length: n * n }, (_, at) => (values[Math.floor(at / n) * (at % n)] ?? 0) - 0.5),
}))
const fits = () => fitLogisticEach(samples, { maxIterations: 5 })
const axes = () => Promise.all(problems.map((one) => principalAxesApart(one, 8)))

test('no pool is wider than one thread where one is allowed, nor than two where two are, and both give the same bits', async () => {
  limitThreads(1)
  const [fitsOfOne, axesOfOne] = [await fits(), await axes()]
  // fits run on the calling thread
  expect(started).toEqual(['axes-worker.js 1'])
  limitThreads(2)
  const [fitsOfTwo, axesOfTwo] = [await fits(), await axes()]
  expect(started.toSorted()).toEqual([
    'axes-worker.js 1',
    'axes-worker.js 1',
    'logistic-worker.js 1',
    'logistic-worker.js 1',
  ])
  expect(fitsOfTwo).toEqual(fitsOfOne)
  expect(axesOfTwo).toEqual(axesOfOne)
})
