import { describe, expect, test } from 'vitest'
import { fitPerceptron, type PerceptronLoss } from '#platform/linalg'
import { matrix } from '#core'
import { probeData } from '../../task/probing/probe-data.ts'
import { goldenOf } from '../../golden-of.ts'

interface Step {
  readonly data: {
    readonly n: number
    readonly d: number
    readonly K: number
    readonly seed: number
    readonly noise: number
  }
  readonly loss: PerceptronLoss
  readonly hidden: readonly number[]
  readonly epochs: number
  readonly clip?: number
  readonly outputs: readonly (readonly number[])[]
}

const rows = (from: number, to: number): Int32Array => Int32Array.from({ length: to - from }, (_, i) => from + i)

describe('fitPerceptron', () => {
  const steps = goldenOf<{ readonly steps: readonly Step[] }>('task/probing', 'probes').steps

  test.each(steps)(
    'takes the steps of torch: $loss, hidden $hidden',
    ({ data, loss, hidden, epochs, clip, outputs }) => {
      const { x, targets } = probeData(data)
      const fitted = fitPerceptron(
        { x, targets, train: rows(0, 60), dev: rows(60, 90) },
        { outputs: data.K, loss, hidden, dropout: 0, epochs, clip, seed: 9 },
      )
      const found = fitted.outputs(rows(60, 90))
      fitted.release()
      const wanted = outputs.flat()
      expect(found).toHaveLength(wanted.length)
      // 16 steps of Adam in float32: sums in another order, divided by roots that may be small
      expect(Math.max(...wanted.map((value, i) => Math.abs(value - found[i]!)))).toBeLessThan(2e-5)
    },
  )

  test('a batch of no rows is refused', () => {
    const data = { x: matrix(4, 2), targets: [0, 1, 0, 1], train: rows(0, 4), dev: rows(0, 4) }
    expect(() => fitPerceptron(data, { outputs: 2, loss: 'cross-entropy', batch: 0 })).toThrow(
      expect.objectContaining({ code: 'usage.value' }),
    )
  })

  test('the same seed gives the same bits, another seed others', () => {
    const { x, targets } = probeData({ n: 200, d: 9, K: 3, seed: 5, noise: 0.3 })
    const outputs = (seed: number): Float32Array => {
      const fitted = fitPerceptron(
        { x, targets, train: rows(0, 150), dev: rows(150, 200) },
        { outputs: 3, loss: 'cross-entropy', seed },
      )
      const found = fitted.outputs(rows(0, 200))
      fitted.release()
      return found
    }
    const first = outputs(1)
    expect(outputs(1)).toEqual(first)
    expect(outputs(2)).not.toEqual(first)
  })

  test('keeps the best weights, and ends after so many epochs without better ones', () => {
    const { x, targets } = probeData({ n: 100, d: 4, K: 2, seed: 6, noise: 0.3 })
    const seen: Float32Array[] = []
    const goodness = (outputs: Float32Array): number => {
      seen.push(outputs)
      return -Math.abs(seen.length - 3) // the third is the best
    }
    const fitted = fitPerceptron(
      { x, targets, train: rows(0, 80), dev: rows(80, 100) },
      { outputs: 2, loss: 'cross-entropy', patience: 4, goodness },
    )
    expect([fitted.epochs, fitted.best]).toEqual([7, 3])
    expect(fitted.outputs(rows(80, 100))).toEqual(seen[2])
    fitted.release()
  })

  test('standardises what it is told to', () => {
    const { x, targets } = probeData({ n: 100, d: 4, K: 2, seed: 7, noise: 0.3 })
    const [shift, scale] = [Float32Array.of(1, 2, 3, 4), Float32Array.of(2, 0.5, 1, 4)]
    const moved = matrix(
      x.rows,
      4,
      x.data.map((value, i) => value / scale[i % 4]! + shift[i % 4]!),
    )
    const outputs = (data: typeof x, standard?: { shift: Float32Array; scale: Float32Array }): Float32Array => {
      const fitted = fitPerceptron(
        { x: data, targets, train: rows(0, 80), dev: rows(80, 100), standard },
        { outputs: 2, loss: 'cross-entropy' },
      )
      const found = fitted.outputs(rows(80, 100))
      fitted.release()
      return found
    }
    const [plain, standardised] = [outputs(x), outputs(moved, { shift, scale })]
    // moving there and back rounds
    expect(Math.max(...plain.map((value, i) => Math.abs(value - standardised[i]!)))).toBeLessThan(1e-4)
  })
})
