/**
 * Limited-memory BFGS exactly as scipy's L-BFGS-B runs without bounds (Byrd, Lu, Nocedal & Zhu 1995, version 3.0):
 * where it stops decides the scores of un-converged fits.
 */
import { fault } from '#core'
import type { Stop } from '#platform/threads'
import { lineSearch } from './line-search.ts'
import { descend, type Pair } from './two-loop.ts'
import { type Vector, type VectorSpace, vectorSpace } from './vectors-simd.ts'

/** Writes the gradient at x and returns the value. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number | Promise<number>

export interface LbfgsOptions {
  /** Correction pairs kept. */
  memory?: number | undefined
  maxIterations?: number | undefined
  maxEvaluations?: number | undefined
  maxLineSearchSteps?: number | undefined
  /** Stop when the largest gradient component is at most this. */
  gradientTolerance?: number | undefined
  /** Stop when a step lowers the value by at most this, relative to max(|f before|, |f|, 1). */
  functionTolerance?: number | undefined
  signal?: Stop | undefined
}

export interface LbfgsResult {
  readonly x: Float64Array
  readonly value: number
  readonly iterations: number
  readonly evaluations: number
  readonly stopped: 'gradient' | 'reduction' | 'iterations' | 'evaluations' | 'line search'
}

const epsilon = Number.EPSILON
const stepRules = { sufficientDecrease: 1e-3, curvature: 0.9, intervalTolerance: 0.1, maxStep: 1e10 }

/**
 * Minimises `objective` from `start`, which is not changed, with limited-memory BFGS exactly as scipy's L-BFGS-B runs
 * without bounds; the defaults are scipy's. Throws `run.cancelled`.
 *
 * @example
 * ```ts
 * import { lbfgs } from 'strata-lm/linalg'
 *
 * const { x, stopped } = await lbfgs((at, gradient) => {
 *   gradient[0] = 2 * ((at[0] ?? 0) - 3)
 *   return ((at[0] ?? 0) - 3) ** 2
 * }, Float64Array.of(0))
 * console.log(x[0]?.toFixed(4), stopped) // → 3.0000 gradient
 * ```
 */
export async function lbfgs(
  objective: Objective,
  start: Float64Array,
  {
    memory = 10,
    maxIterations = 15_000,
    maxEvaluations = 15_000,
    maxLineSearchSteps = 20,
    gradientTolerance = 1e-5,
    functionTolerance = 2.220446049250313e-9,
    signal,
  }: LbfgsOptions = {},
): Promise<LbfgsResult> {
  const space = vectorSpace(start.length, 5 + 2 * memory)
  try {
    return await descent(objective, start, space, {
      memory,
      maxIterations,
      maxEvaluations,
      maxLineSearchSteps,
      gradientTolerance,
      functionTolerance,
      signal,
    })
  } finally {
    space.release()
  }
}

type Settled = { [name in Exclude<keyof LbfgsOptions, 'signal'>]-?: number } & Pick<LbfgsOptions, 'signal'>

async function descent(
  objective: Objective,
  start: Float64Array,
  space: VectorSpace,
  { memory, maxIterations, maxEvaluations, maxLineSearchSteps, gradientTolerance, functionTolerance, signal }: Settled,
): Promise<LbfgsResult> {
  let [x, gradient, trial, trialGradient, direction, ...unused] = space.vectors as [
    Vector,
    Vector,
    Vector,
    Vector,
    Vector,
    ...Vector[],
  ]
  x.set(start)
  let value = await objective(x, gradient)
  let pairs: Pair[] = []
  let gamma = 1
  let iterations = 0
  let evaluations = 1
  const result = (stopped: LbfgsResult['stopped']): LbfgsResult => ({
    x: x.slice(),
    value,
    iterations,
    evaluations,
    stopped,
  })
  if (space.largest(gradient) <= gradientTolerance) return result('gradient')

  for (;;) {
    if (signal?.aborted) throw fault('run.cancelled', { place: 'lbfgs', what: 'cancelled', cause: signal.reason })
    const slope = descend(space, direction, gradient, pairs, gamma)
    const first = iterations === 0 ? Math.min(1 / Math.sqrt(space.dot(direction, direction)), stepRules.maxStep) : 1
    let trialValue = value
    let trialSlope = slope
    let accepted = false
    const search = lineSearch(value, slope, first, stepRules)
    // a direction that does not descend leaves nothing to search
    const limit = slope < 0 ? maxLineSearchSteps : 0
    for (let steps = 0; !accepted && steps < limit; steps++) {
      space.walk(trial, x, direction, search.step)
      trialValue = await objective(trial, trialGradient)
      evaluations++
      trialSlope = space.dot(trialGradient, direction)
      accepted = search.accept(trialValue, trialSlope)
    }
    if (!accepted) {
      if (pairs.length === 0) return result('line search')
      // a search that fails is tried again along the gradient alone
      unused.push(...pairs.flatMap(({ s, y }) => [s, y]))
      ;[pairs, gamma] = [[], 1]
      continue
    }

    const [before, gradientBefore] = [value, gradient]
    value = trialValue
    // the vectors left behind are the next ones tried
    ;[x, trial] = [trial, x]
    ;[gradient, trialGradient] = [trialGradient, gradient]
    iterations++
    if (iterations >= maxIterations) return result('iterations')
    if (evaluations > maxEvaluations) return result('evaluations')
    if (space.largest(gradient) <= gradientTolerance) return result('gradient')
    if (before - value <= functionTolerance * Math.max(Math.abs(before), Math.abs(value), 1)) return result('reduction')

    const curvature = (trialSlope - slope) * search.step
    if (curvature <= epsilon * -slope * search.step) continue
    const { s, y } = pairs.length === memory ? pairs.shift()! : { s: unused.pop()!, y: unused.pop()! }
    space.scale(s, direction, search.step)
    gamma = curvature / space.subtract(y, gradient, gradientBefore)
    pairs.push({ s, y, rho: 1 / curvature })
  }
}
