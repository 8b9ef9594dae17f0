/**
 * The line search of Moré & Thuente 1994 (MINPACK-2's dcsrch and dcstep), which L-BFGS-B uses: a step with sufficient
 * decrease and small slope.
 */

/** Value and slope at a step. */
interface Point {
  step: number
  value: number
  slope: number
}

export interface LineSearchOptions {
  sufficientDecrease: number
  curvature: number
  intervalTolerance: number
  maxStep: number
}

export interface LineSearch {
  /** Where to evaluate next. */
  step: number
  /** Takes value and slope at `step`; true when that step is the one to keep. */
  accept(value: number, slope: number): boolean
}

/**
 * A search along a descent direction with `value` and `slope` (< 0) at step 0, first trying `step`. Steps lie in 0 …
 * maxStep.
 */
export function lineSearch(
  value: number,
  slope: number,
  step: number,
  { sufficientDecrease, curvature, intervalTolerance, maxStep }: LineSearchOptions,
): LineSearch {
  const slopeTest = sufficientDecrease * slope
  const best: Point = { step: 0, value, slope }
  const other: Point = { step: 0, value, slope }
  let bracketed = false
  let decreasing = true
  let width = maxStep
  let widthBefore = 2 * width
  let [low, high] = [0, 5 * step]

  const exhausted = (at: number): boolean =>
    bracketed && (at <= low || at >= high || high - low <= intervalTolerance * high)

  const search: LineSearch = {
    step,
    accept(f, g) {
      const at = search.step
      const target = value + at * slopeTest
      if (decreasing && f <= target && g >= 0) decreasing = false
      const atEnd = (at === maxStep && f <= target && g <= slopeTest) || (at === 0 && (f > target || g >= slopeTest))
      if (exhausted(at) || atEnd || (f <= target && Math.abs(g) <= curvature * -slope)) return true

      const trial: Point = { step: at, value: f, slope: g }
      // while the decrease is not sufficient, the interval is updated on the function minus its target line
      const tilt = decreasing && f <= best.value && f > target ? slopeTest : 0
      for (const point of [best, other, trial]) lean(point, -tilt)
      const [next, brackets] = safeguardedStep(best, other, trial, { bracketed, low, high })
      bracketed = brackets
      for (const point of [best, other]) lean(point, tilt)

      let proposed = next
      if (bracketed) {
        const gap = Math.abs(other.step - best.step)
        if (gap >= 0.66 * widthBefore) proposed = best.step + 0.5 * (other.step - best.step)
        widthBefore = width
        width = gap
        low = Math.min(best.step, other.step)
        high = Math.max(best.step, other.step)
      } else {
        low = proposed + 1.1 * (proposed - best.step)
        high = proposed + 4 * (proposed - best.step)
      }
      proposed = Math.min(Math.max(proposed, 0), maxStep)
      search.step = exhausted(proposed) ? best.step : proposed
      return false
    },
  }
  return search
}

function lean(point: Point, slope: number): void {
  point.value += point.step * slope
  point.slope += slope
}

/**
 * Picks the next step by cubic and quadratic interpolation and shrinks the interval [best, other] with the trial point.
 */
function safeguardedStep(
  best: Point,
  other: Point,
  trial: Point,
  { bracketed, low, high }: { bracketed: boolean; low: number; high: number },
): readonly [step: number, bracketed: boolean] {
  const opposite = trial.slope * (best.slope / Math.abs(best.slope)) < 0
  let next: number
  let brackets = bracketed
  if (trial.value > best.value) {
    const cubic = cubicStep(best, trial, best)
    const rise = (best.value - trial.value) / (trial.step - best.step)
    const quadratic = best.step + (best.slope / (rise + best.slope) / 2) * (trial.step - best.step)
    next = Math.abs(cubic - best.step) < Math.abs(quadratic - best.step) ? cubic : cubic + (quadratic - cubic) / 2
    brackets = true
  } else if (opposite) {
    const cubic = cubicStep(best, trial, trial)
    const secant = secantStep(best, trial)
    next = Math.abs(cubic - trial.step) > Math.abs(secant - trial.step) ? cubic : secant
    brackets = true
  } else if (Math.abs(trial.slope) < Math.abs(best.slope)) {
    const cubic = flatCubicStep(best, trial, low, high)
    const secant = secantStep(best, trial)
    const nearer = Math.abs(cubic - trial.step) < Math.abs(secant - trial.step)
    if (bracketed) {
      const limit = trial.step + 0.66 * (other.step - trial.step)
      next = nearer ? cubic : secant
      next = trial.step > best.step ? Math.min(limit, next) : Math.max(limit, next)
    } else {
      const farther = Math.abs(cubic - trial.step) > Math.abs(secant - trial.step)
      next = Math.max(low, Math.min(high, farther ? cubic : secant))
    }
  } else if (bracketed) {
    next = cubicStep(other, trial, trial)
  } else {
    next = trial.step > best.step ? high : low
  }

  if (trial.value > best.value) Object.assign(other, trial)
  else {
    if (opposite) Object.assign(other, best)
    Object.assign(best, trial)
  }
  return [next, brackets]
}

/** Minimiser of the cubic through both points, written from `from` towards the other one. */
function cubicStep(end: Point, trial: Point, from: Point): number {
  const to = from === trial ? end : trial
  const theta = cubicTheta(end, trial)
  const scale = Math.max(Math.abs(theta), Math.abs(end.slope), Math.abs(trial.slope))
  let gamma = scale * Math.sqrt((theta / scale) ** 2 - (end.slope / scale) * (trial.slope / scale))
  if (to.step < from.step) gamma = -gamma
  const p = gamma - from.slope + theta
  const q = gamma - from.slope + gamma + to.slope
  return from.step + (p / q) * (to.step - from.step)
}

/**
 * The cubic step where the slope keeps its sign and shrinks: the minimiser may lie beyond the trial point, or nowhere.
 */
function flatCubicStep(best: Point, trial: Point, low: number, high: number): number {
  const theta = cubicTheta(best, trial)
  const scale = Math.max(Math.abs(theta), Math.abs(best.slope), Math.abs(trial.slope))
  let gamma = scale * Math.sqrt(Math.max(0, (theta / scale) ** 2 - (best.slope / scale) * (trial.slope / scale)))
  if (trial.step > best.step) gamma = -gamma
  const p = gamma - trial.slope + theta
  const q = gamma + (best.slope - trial.slope) + gamma
  const r = p / q
  if (r < 0 && gamma !== 0) return trial.step + r * (best.step - trial.step)
  return trial.step > best.step ? high : low
}

function cubicTheta(a: Point, trial: Point): number {
  return (3 * (a.value - trial.value)) / (trial.step - a.step) + a.slope + trial.slope
}

function secantStep(best: Point, trial: Point): number {
  return trial.step + (trial.slope / (trial.slope - best.slope)) * (best.step - trial.step)
}
