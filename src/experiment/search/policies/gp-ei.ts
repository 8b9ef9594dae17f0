/**
 * A Gaussian process over the standardised features with expected improvement (Jones, Schonlau & Welch 1998, "Efficient
 * global optimization of expensive black-box functions").
 * Squared exponential kernel and noise; length scale and noise by the highest marginal likelihood on a grid, amplitude
 * and mean in closed form (Rasmussen & Williams 2006, §2.7, §5.4).
 */
import { symmetricEigen } from '#platform/linalg'
import { standardised } from '../context.ts'
import { highest, type Policy, type Pull } from '../policy.ts'

type Point = readonly number[]

/** Rewards needed before a process is fitted; until then the arm farthest from those pulled. */
const atFirst = 5
/** Length scales, as multiples of the root of the number of features. */
const lengths = [0.25, 0.5, 1, 2, 4]
/** Variances of the noise, as shares of the amplitude. */
const noises = [1e-4, 1e-3, 1e-2, 1e-1, 1]

export const gpEi: Policy = {
  contextual: true,
  draws: false,
  start(arms, { alpha, costOf }) {
    const context = standardised(arms).map((x) => x?.slice(1))
    return async (pulls) => {
      const seen = pulls.flatMap(({ arm, reward }) =>
        context[arm] === undefined || reward === undefined ? [] : [{ x: context[arm], reward }],
      )
      if (seen.length < atFirst) return highest(farthest(context, pulls), pulls)
      const best = Math.max(...seen.map(({ reward }) => reward))
      const process = await fitted(seen)
      const values = context.map((x, arm) => {
        if (x === undefined) return -Infinity
        const { mean, deviation } = process(x)
        const gain = expectedImprovement(mean, alpha * deviation, best)
        return costOf === undefined ? gain : gain / costOf(arm, pulls)
      })
      return highest(values, pulls)
    }
  },
}

/** Distance to the nearest pulled arm; before the first pull, to the middle. */
function farthest(context: readonly (Point | undefined)[], pulls: readonly Pull[]): number[] {
  const pulled = pulls.flatMap(({ arm }) => context[arm] ?? [])
  const from = pulls.map(({ arm }) => context[arm]).filter((x) => x !== undefined)
  return context.map((x) => {
    if (x === undefined) return -Infinity
    return pulled.length === 0 ? squared(x, []) : Math.min(...from.map((other) => squared(x, other)))
  })
}

function squared(x: Point, y: Point): number {
  return x.reduce((sum, value, i) => sum + (value - (y[i] ?? 0)) ** 2, 0)
}

interface Fit {
  readonly likelihood: number
  readonly at: (x: Point) => { mean: number; deviation: number }
}

/** The process with the highest marginal likelihood, the first among equals. */
async function fitted(seen: readonly { x: Point; reward: number }[]): Promise<Fit['at']> {
  const n = seen.length
  let best: Fit | undefined
  for (const length of lengths.map((share) => share * Math.sqrt(seen[0]?.x.length ?? 1))) {
    const kernel = (x: Point, y: Point): number => Math.exp(-squared(x, y) / (2 * length ** 2))
    const { values, vectors } = await symmetricEigen({
      rows: n,
      width: n,
      data: Float64Array.from(seen.flatMap(({ x }) => seen.map((other) => kernel(x, other.x)))),
    })
    const axes = Array.from(values, (value, k) => ({
      value: Math.max(0, value),
      axis: vectors.data.subarray(k * n, (k + 1) * n),
    }))
    const [ones, rewards] = [
      onAxes(
        axes,
        seen.map(() => 1),
      ),
      onAxes(
        axes,
        seen.map(({ reward }) => reward),
      ),
    ]
    for (const noise of noises) {
      // K + noise · I, on its own axes
      const inverse = axes.map(({ value }) => 1 / (value + noise))
      const mean = product(inverse, ones, rewards) / product(inverse, ones, ones)
      const rest = rewards.map((reward, k) => reward - mean * (ones[k] ?? 0))
      const amplitude = Math.max(product(inverse, rest, rest) / n, Number.MIN_VALUE)
      const likelihood = -0.5 * n * Math.log(amplitude) + 0.5 * inverse.reduce((sum, value) => sum + Math.log(value), 0)
      if (best !== undefined && !(likelihood > best.likelihood)) continue
      best = {
        likelihood,
        at(x) {
          const near = onAxes(
            axes,
            seen.map((other) => kernel(x, other.x)),
          )
          return {
            mean: mean + product(inverse, near, rest),
            deviation: Math.sqrt(amplitude * Math.max(0, 1 - product(inverse, near, near))),
          }
        },
      }
    }
  }
  return best?.at ?? (() => ({ mean: 0, deviation: 0 }))
}

function onAxes(axes: readonly { readonly axis: Float64Array }[], values: readonly number[]): number[] {
  return axes.map(({ axis }) => values.reduce((sum, value, i) => sum + value * (axis[i] ?? 0), 0))
}

function product(weights: readonly number[], x: readonly number[], y: readonly number[]): number {
  return weights.reduce((sum, weight, k) => sum + weight * (x[k] ?? 0) * (y[k] ?? 0), 0)
}

function expectedImprovement(mean: number, deviation: number, best: number): number {
  if (!(deviation > 0)) return Math.max(0, mean - best)
  const z = (mean - best) / deviation
  return (mean - best) * normalBelow(z) + (deviation * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}

/** Φ(z). */
function normalBelow(z: number): number {
  return 0.5 * complementaryError(-z / Math.SQRT2)
}

/**
 * To a relative 1.2e-7 everywhere (Press et al., Numerical Recipes, §6.2: a Chebyshev fit): improvements are only
 * compared.
 */
function complementaryError(x: number): number {
  const t = 1 / (1 + 0.5 * Math.abs(x))
  const series = [
    1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277,
  ]
  const inner = series.reduceRight((sum, term) => term + t * sum, 0)
  const tail = t * Math.exp(-x * x - 1.26551223 + t * inner)
  return x >= 0 ? tail : 2 - tail
}
