/** Limited-memory BFGS exactly as scipy's L-BFGS-B runs without bounds (Byrd, Lu, Nocedal & Zhu 1995, version 3.0): where it stops decides the scores of un-converged fits. */
import { fault } from '#core'
import type { Stop } from '#platform/threads'
import { lineSearch } from './line-search.ts'

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

/** Step s, gradient change y, and 1/yᵀs. */
interface Pair {
  readonly s: Float64Array
  readonly y: Float64Array
  readonly rho: number
}

const epsilon = Number.EPSILON
const stepRules = { sufficientDecrease: 1e-3, curvature: 0.9, intervalTolerance: 0.1, maxStep: 1e10 }

/** Minimises from `start` (not changed). Defaults are scipy's. */
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
  let x = start.slice()
  let gradient = new Float64Array(x.length)
  let value = await objective(x, gradient)
  let [trial, trialGradient] = [new Float64Array(x.length), new Float64Array(x.length)]
  const direction = new Float64Array(x.length)
  let pairs: Pair[] = []
  let gamma = 1
  let iterations = 0
  let evaluations = 1
  const result = (stopped: LbfgsResult['stopped']): LbfgsResult => ({ x, value, iterations, evaluations, stopped })
  if (largest(gradient) <= gradientTolerance) return result('gradient')

  for (;;) {
    if (signal?.aborted) throw fault('run.cancelled', { place: 'lbfgs', what: 'cancelled', cause: signal.reason })
    descend(direction, gradient, pairs, gamma)
    const slope = dot(gradient, direction)
    const first = iterations === 0 ? Math.min(1 / Math.sqrt(dot(direction, direction)), stepRules.maxStep) : 1
    let trialValue = value
    let trialSlope = slope
    let accepted = false
    const search = lineSearch(value, slope, first, stepRules)
    // a direction that does not descend leaves nothing to search
    const limit = slope < 0 ? maxLineSearchSteps : 0
    for (let steps = 0; !accepted && steps < limit; steps++) {
      writeTrial(trial, x, search.step, direction)
      trialValue = await objective(trial, trialGradient)
      evaluations++
      trialSlope = dot(trialGradient, direction)
      accepted = search.accept(trialValue, trialSlope)
    }
    if (!accepted) {
      if (pairs.length === 0) return result('line search')
      // a search that fails is tried again along the gradient alone
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
    if (largest(gradient) <= gradientTolerance) return result('gradient')
    if (before - value <= functionTolerance * Math.max(Math.abs(before), Math.abs(value), 1)) return result('reduction')

    const curvature = (trialSlope - slope) * search.step
    if (curvature <= epsilon * -slope * search.step) continue
    const { s: step, y: change } = pairs.length === memory ? pairs.shift()! : newPair(x.length)
    writePair(step, change, { direction, length: search.step, gradient, gradientBefore })
    gamma = curvature / dot(change, change)
    pairs.push({ s: step, y: change, rho: 1 / curvature })
  }
}

/** What the oldest pair leaves behind is written over otherwise: a fit of 77 classes makes a megabyte of vectors a step. */
function newPair(length: number): Omit<Pair, 'rho'> {
  return { s: new Float64Array(length), y: new Float64Array(length) }
}

interface Step {
  readonly direction: Float64Array
  readonly length: number
  readonly gradient: Float64Array
  readonly gradientBefore: Float64Array
}

function writePair(step: Float64Array, change: Float64Array, { direction, length, gradient, gradientBefore }: Step): void {
  for (let i = 0; i < step.length; i++) {
    step[i] = direction[i]! * length
    change[i] = gradient[i]! - gradientBefore[i]!
  }
}

/** Writes −H·g by the two-loop recursion (Nocedal 1980), H starting as gamma·I. */
function descend(direction: Float64Array, gradient: Float64Array, pairs: readonly Pair[], gamma: number): void {
  for (let i = 0; i < direction.length; i++) direction[i] = -gradient[i]!
  const weights = new Float64Array(pairs.length)
  for (let k = pairs.length - 1; k >= 0; k--) {
    const { s, y, rho } = pairs[k]!
    weights[k] = rho * dot(s, direction)
    addScaled(direction, y, -weights[k]!)
  }
  for (let i = 0; i < direction.length; i++) direction[i]! *= gamma
  for (let k = 0; k < pairs.length; k++) {
    const { s, y, rho } = pairs[k]!
    addScaled(direction, s, weights[k]! - rho * dot(y, direction))
  }
}

/** Loops stand in functions of their own: one inside an asynchronous function is compiled anew after every wait. */
function writeTrial(trial: Float64Array, x: Float64Array, step: number, direction: Float64Array): void {
  for (let i = 0; i < x.length; i++) trial[i] = x[i]! + step * direction[i]!
}

/** Four sums side by side: one alone waits for itself at every addition. */
function dot(a: Float64Array, b: Float64Array): number {
  let [p, q, r, t] = [0, 0, 0, 0]
  const even = a.length - (a.length % 4)
  for (let i = 0; i < even; i += 4) {
    p += a[i]! * b[i]!
    q += a[i + 1]! * b[i + 1]!
    r += a[i + 2]! * b[i + 2]!
    t += a[i + 3]! * b[i + 3]!
  }
  for (let i = even; i < a.length; i++) p += a[i]! * b[i]!
  return p + q + (r + t)
}

function addScaled(target: Float64Array, source: Float64Array, by: number): void {
  for (let i = 0; i < target.length; i++) target[i]! += source[i]! * by
}

function largest(values: Float64Array): number {
  let most = 0
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!)
    if (Number.isNaN(size)) return size
    if (size > most) most = size
  }
  return most
}
