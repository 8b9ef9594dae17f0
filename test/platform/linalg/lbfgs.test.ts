import { describe, expect, test } from 'vitest'
import { lbfgs, type Objective } from '#platform/linalg'
import { golden } from './sample-data.ts'

const objectives: Record<string, Objective> = {
  rosenbrock(x, gradient) {
    gradient.fill(0)
    let value = 0
    for (let i = 0; i + 1 < x.length; i++) {
      const [a, b] = [x[i] ?? 0, x[i + 1] ?? 0]
      value += 100 * (b - a * a) ** 2 + (1 - a) ** 2
      gradient[i] = (gradient[i] ?? 0) - 400 * a * (b - a * a) - 2 * (1 - a)
      gradient[i + 1] = (gradient[i + 1] ?? 0) + 200 * (b - a * a)
    }
    return value
  },
  quartic(x, gradient) {
    x.forEach((value, i) => (gradient[i] = 4 * (i + 1) * value ** 3 - 1))
    return x.reduce((sum, value, i) => sum + (i + 1) * value ** 4 - value, 0)
  },
  wells(x, gradient) {
    x.forEach((value, i) => (gradient[i] = -3 * Math.sin(3 * value) + 0.2 * value))
    return x.reduce((sum, value) => sum + Math.cos(3 * value) + 0.1 * value * value, 0)
  },
}

describe('L-BFGS takes the path of scipy', () => {
  test.each(golden.minima)(
    '$name from $start with $options',
    async ({ name, start, options, x, value, iterations, evaluations }) => {
      const objective = objectives[name]
      if (objective === undefined) throw new Error(`no objective ${name}`)
      const found = await lbfgs(objective, Float64Array.from(start), {
        ...(options['maxiter'] === undefined ? {} : { maxIterations: options['maxiter'] }),
        ...(options['m'] === undefined ? {} : { memory: options['m'] }),
        ...(options['pgtol'] === undefined ? {} : { gradientTolerance: options['pgtol'] }),
        functionTolerance: (options['factr'] ?? 1e7) * Number.EPSILON,
      })
      expect([found.iterations, found.evaluations]).toEqual([iterations, evaluations])
      expect(Math.abs(found.value - value)).toBeLessThan(1e-10)
      x.forEach((want, i) => expect(Math.abs((found.x[i] ?? NaN) - want)).toBeLessThan(1e-6)) // 50 iterations of rounding in another order
    },
  )

  test('a start at the minimum is returned at once', async () => {
    const found = await lbfgs((_, gradient) => (gradient.fill(0), 1), Float64Array.of(3, 4))
    expect(found).toMatchObject({ stopped: 'gradient', iterations: 0, evaluations: 1, value: 1 })
  })

  test('after a search that fails the memory of its pairs is used again', async () => {
    let calls = 0
    const weights = [1, 10, 100]
    const found = await lbfgs(
      (x, gradient) => {
        calls++
        x.forEach((value, i) => (gradient[i] = weights[i]! * value))
        // one whole search of 5 steps finds nothing
        return calls > 4 && calls <= 9
          ? Infinity
          : x.reduce((sum, value, i) => sum + 0.5 * weights[i]! * value * value, 0)
      },
      Float64Array.of(1, 1, 1),
      { memory: 2, maxLineSearchSteps: 5, functionTolerance: 0 },
    )
    expect(calls).toBeGreaterThan(9)
    expect(found.stopped).toBe('gradient')
  })

  test('a value that is never a number ends the search instead of hanging', async () => {
    const found = await lbfgs((_, gradient) => (gradient.fill(1), NaN), Float64Array.of(1, 2))
    expect(found.stopped).toBe('line search')
  })

  test('the start is not changed', async () => {
    const start = Float64Array.of(2, 2)
    await lbfgs((x, gradient) => (gradient.set(x), (x[0] ?? 0) ** 2 / 2 + (x[1] ?? 0) ** 2 / 2), start)
    expect(Array.from(start)).toEqual([2, 2])
  })
})
