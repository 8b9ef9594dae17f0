/** Softmax of rows two at a time in WebAssembly: a row a lane, so that each adds up its classes one after the other. */
import { code, type Code, f64x2, func, i32, local, loop, sizedKernel, v128 } from '#platform/wasm'
import { type CrossEntropy, crossEntropyPlain } from './cross-entropy.ts'
import { expOf, sameAsMathExp } from './exp-simd.ts'

const made = sizedKernel(() => ({
  /**
   * For rows at `first` and `second`, of N bytes each: their largest values and the sums of e^(value − largest) to the
   * first 32 bytes, the shares of the sums divided by `parts` to `shares` and every `stride` bytes behind it, the
   * powers to `powers`.
   */
  pair: func(
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'f64'],
    (declare, [bytes, first, second, powers, shares, stride, parts]) => {
      const [at, place, offset] = [declare('i32'), declare('i32'), declare('i32')]
      const [top, sum, value, divisor] = [declare(), declare(), declare(), declare()]
      const values = (index: Code): Code =>
        v128.load64_lane(i32.add(second, index), v128.load64_zero(i32.add(first, index)), 1)
      return code(
        local.set(top, values(at)),
        loop(at, 8, bytes, local.set(top, f64x2.pmax(top, values(at)))),
        local.set(at, i32.const(0)),
        local.set(place, powers),
        loop(
          at,
          8,
          bytes,
          local.set(value, f64x2.sub(values(at), top)),
          expOf(declare, value),
          local.set(sum, f64x2.add(sum, value)),
          v128.store(place, value),
          local.set(place, i32.add(place, i32.const(16))),
        ),
        v128.store(i32.const(0), top),
        v128.store(i32.const(0), sum, 16),
        local.set(divisor, f64x2.splat(parts)),
        local.set(at, i32.const(0)),
        local.set(offset, shares),
        local.set(place, powers),
        loop(
          at,
          8,
          bytes,
          v128.store(offset, f64x2.div(f64x2.div(v128.load(place), sum), divisor)),
          local.set(offset, i32.add(offset, stride)),
          local.set(place, i32.add(place, i32.const(16))),
        ),
      )
    },
  ),
}))

/** The kernel's where it gives the bits of the plain loops, otherwise theirs. */
export function crossEntropy(rows: number, classes: number): CrossEntropy {
  return sameAsMathExp() ? crossEntropyPairs(rows, classes) : crossEntropyPlain(rows, classes)
}

export function crossEntropyPairs(rows: number, classes: number): CrossEntropy {
  const [powersAt, scoresAt] = [32, 32 + 16 * classes]
  const residualsAt = scoresAt + 16 * Math.ceil((rows * classes) / 2)
  // one more: a lone last row writes its pair's second lane too
  const work = made(residualsAt + 8 * (rows * classes + 1))
  const [tops, sums] = [new Float64Array(work.memory, 0, 2), new Float64Array(work.memory, 16, 2)]
  const powers = new Float64Array(work.memory, powersAt, 2 * classes)
  const scores = new Float64Array(work.memory, scoresAt, rows * classes)
  const residuals = new Float64Array(work.memory, residualsAt, rows * classes)
  const losses = new Float64Array(rows)
  const pair = (labels: ArrayLike<number>, i: number, count: number): void => {
    const first = scoresAt + 8 * i * classes
    work.pair(8 * classes, first, first + 8 * classes * (count - 1), powersAt, residualsAt + 8 * i, 8 * rows, rows)
    for (let lane = 0; lane < count; lane++) {
      const label = labels[i + lane]!
      losses[i + lane] = Math.log(sums[lane]!) + tops[lane]! - scores[(i + lane) * classes + label]!
      residuals[label * rows + i + lane] = (powers[2 * label + lane]! / sums[lane]! - 1) / rows
    }
  }
  return {
    scores,
    residuals,
    loss(labels) {
      // a single row comes first: it also writes the places of other rows, whose turn comes later
      if (rows % 2 === 1) pair(labels, rows - 1, 1)
      for (let i = 0; i + 1 < rows; i += 2) pair(labels, i, 2)
      let sum = 0
      for (let i = 0; i < rows; i++) sum += losses[i]!
      return sum
    },
    release: work.release,
  }
}
