/**
 * Squares of sums of outer products, in WebAssembly: the gradient of a weight is Σ gradient ⊗ input over a text's
 * tokens. Four outputs by four inputs at once stay in registers from the first token to the last; the gradient itself
 * is never stored.
 */
import type { Matrix64 } from '#core'
import { code, doWhile, f64x2, func, i32, local, loop, sizedKernel, v128 } from '#platform/wasm'

export interface TokenFactors {
  /** [tokens × outputs] */
  readonly gradient: Matrix64
  /** [tokens × inputs] */
  readonly input: Matrix64
  /** First token of each text, then the number of all. */
  readonly starts: Int32Array
}

/** Rows and columns of a tile. */
const side = 4

const kernel = sizedKernel(() => ({
  /**
   * Squares of four rows of one text's gradient, added to rows of `inputBytes` bytes at `sums`; `gradient` and `input`
   * are the first token's, `end` is behind its last input.
   */
  addRows: func(
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    (declare, [sums, gradient, input, end, gradientBytes, inputBytes]) => {
      const [column, g, x, to] = [declare('i32'), declare('i32'), declare('i32'), declare('i32')]
      const [left, low, high] = [declare(), declare(), declare()]
      const totals = Array.from({ length: side }, () => [declare(), declare()] as const)
      const zero = f64x2.all(0)
      return loop(
        column,
        8 * side,
        inputBytes,
        local.set(g, gradient),
        local.set(x, i32.add(input, column)),
        ...totals.flatMap(([p, q]) => [local.set(p, zero), local.set(q, zero)]),
        doWhile(
          i32.lt_u(local.tee(x, i32.add(x, inputBytes)), end),
          local.set(low, v128.load(x)),
          local.set(high, v128.load(x, 16)),
          ...totals.map(([p, q], k) =>
            code(
              local.set(left, v128.load64_splat(g, 8 * k)),
              local.set(p, f64x2.add(p, f64x2.mul(left, low))),
              local.set(q, f64x2.add(q, f64x2.mul(left, high))),
            ),
          ),
          local.set(g, i32.add(g, gradientBytes)),
        ),
        local.set(to, i32.add(sums, column)),
        ...totals.map(([p, q]) =>
          code(
            v128.store(to, f64x2.add(v128.load(to), f64x2.mul(p, p))),
            v128.store(to, f64x2.add(v128.load(to, 16), f64x2.mul(q, q)), 16),
            local.set(to, i32.add(to, inputBytes)),
          ),
        ),
      )
    },
  ),
}))

/** Adds to `sums` [outputs × inputs] the square of each text's Σ gradient ⊗ input. */
export function addOuterSquares(sums: Float64Array, { gradient, input, starts }: TokenFactors): void {
  const [outputs, inputs] = [upTo(gradient.width), upTo(input.width)]
  const tokens = gradient.rows
  const [gradientsAt, inputsAt] = [outputs * inputs, outputs * inputs + tokens * outputs]
  const lent = kernel(8 * (inputsAt + tokens * inputs))
  const numbers = new Float64Array(lent.memory)
  put({ rows: gradient.width, width: input.width, data: sums }, numbers, 0)
  put(gradient, numbers, gradientsAt)
  put(input, numbers, inputsAt)
  for (let text = 0; text + 1 < starts.length; text++) {
    const [first, last] = [starts[text]!, starts[text + 1]!]
    for (let row = 0; row < outputs; row += side)
      lent.addRows(
        8 * row * inputs,
        8 * (gradientsAt + first * outputs + row),
        8 * (inputsAt + first * inputs),
        8 * (inputsAt + last * inputs),
        8 * outputs,
        8 * inputs,
      )
  }
  for (let row = 0; row < gradient.width; row++)
    sums.set(numbers.subarray(row * inputs, row * inputs + input.width), row * input.width)
  lent.release()
}

const upTo = (count: number): number => Math.ceil(count / side) * side

/** Rows filled up with the zeros that the memory begins with. */
function put({ rows, width, data }: Matrix64, into: Float64Array, at: number): void {
  if (width === upTo(width)) into.set(data, at)
  else for (let r = 0; r < rows; r++) into.set(data.subarray(r * width, (r + 1) * width), at + r * upTo(width))
}
