/**
 * What a training step of a small network does with its rows, in WebAssembly, four float32 at a time. Rows are padded
 * with zeros to `rowBytes`; addresses and lengths are in bytes.
 */
import {
  code,
  type Code,
  doWhile,
  f32x4,
  f64x2,
  func,
  i32,
  i32x4,
  local,
  type Local,
  loop,
  sizedKernel,
  v128,
} from '#platform/wasm'

/** Rows take a multiple of this. */
export const rowBytes = 64
/** Rows of a batch that a product takes at once. */
export const rowsAtOnce = 4

/** Adam's decay rates and the guard of its denominator (Kingma & Ba 2015, algorithm 1; torch's defaults). */
export const adamRates = { first: 0.9, second: 0.999, guard: 1e-8 } as const

const inAll = (value: Local): Code =>
  i32x4.shuffle(f32x4.demote_f64x2_zero(f64x2.splat(value)), f32x4.all(0), 0, 0, 0, 0)

/** The functions over a memory that is the caller's until it is released. */
export interface PerceptronKernel {
  readonly memory: ArrayBuffer
  readonly release: () => void
  products(bytes: number, a: number, b: number, out: number): void
  combine(bytes: number, coefficients: number, stride: number, source: number, end: number, out: number): void
  adam(
    bytes: number,
    weights: number,
    gradients: number,
    firsts: number,
    seconds: number,
    step: number,
    root: number,
  ): void
}

/** A kernel with at least `bytes` bytes, all 0. */
export function perceptronKernel(bytes: number): PerceptronKernel {
  return kernel(bytes)
}

/**
 * The row at `out` ← Σ coefficient · row over neighbouring rows from `source` to `end`; coefficients lie `stride`
 * apart.
 */
const combine = () =>
  func(['i32', 'i32', 'i32', 'i32', 'i32', 'i32'], (declare, [bytes, coefficients, stride, source, end, out]) => {
    const [at, row, next] = [declare('i32'), declare('i32'), declare('i32')]
    const sums = [declare(), declare(), declare(), declare()]
    const by = declare()
    return loop(
      at,
      rowBytes,
      bytes,
      ...sums.map((sum) => local.set(sum, f32x4.all(0))),
      local.set(next, coefficients),
      local.set(row, i32.add(source, at)),
      // rows begin `bytes` apart: the counter of this loop is the address
      loopBy(
        row,
        bytes,
        i32.add(end, at),
        local.set(by, v128.load32_splat(next)),
        local.set(next, i32.add(next, stride)),
        ...sums.map((sum, k) => local.set(sum, f32x4.add(sum, f32x4.mul(by, v128.load(row, 16 * k))))),
      ),
      ...sums.map((sum, k) => v128.store(i32.add(out, at), sum, 16 * k)),
    )
  })

/** One step of Adam over the given number of bytes of weights: `step` is the rate over 1 − β₁ᵗ, `root` is 1 / √(1 − β₂ᵗ). */
const adam = () =>
  func(
    ['i32', 'i32', 'i32', 'i32', 'i32', 'f64', 'f64'],
    (declare, [bytes, weights, gradients, firsts, seconds, step, root]) => {
      const at = declare('i32')
      const [steps, roots, gradient, first, second] = [declare(), declare(), declare(), declare(), declare()]
      const place = (array: Local): Code => i32.add(array, at)
      const mixed = (old: Code, added: Code, rate: number): Code =>
        f32x4.add(f32x4.mul(old, f32x4.all(rate)), f32x4.mul(added, f32x4.all(1 - rate)))
      return code(
        local.set(steps, inAll(step)),
        local.set(roots, inAll(root)),
        loop(
          at,
          16,
          bytes,
          local.set(gradient, v128.load(place(gradients))),
          local.set(first, mixed(v128.load(place(firsts)), gradient, adamRates.first)),
          local.set(second, mixed(v128.load(place(seconds)), f32x4.mul(gradient, gradient), adamRates.second)),
          v128.store(place(firsts), first),
          v128.store(place(seconds), second),
          v128.store(
            place(weights),
            f32x4.sub(
              v128.load(place(weights)),
              f32x4.div(
                f32x4.mul(steps, first),
                f32x4.add(f32x4.mul(f32x4.sqrt(second), roots), f32x4.all(adamRates.guard)),
              ),
            ),
          ),
        ),
      )
    },
  )

const kernel = sizedKernel(() => ({
  /** Products of four neighbouring rows at `a` with the row at `b`: four numbers at `out`. */
  products: func(['i32', 'i32', 'i32', 'i32'], (declare, [bytes, a, b, out]) => {
    const at = declare('i32')
    const rows = [a, declare('i32'), declare('i32'), declare('i32')]
    const [s0, s1, s2, s3] = [declare(), declare(), declare(), declare()]
    const [value, low, high] = [declare(), declare(), declare()]
    const step = (offset: number): Code =>
      code(
        local.set(value, v128.load(i32.add(b, at), offset)),
        ...[s0, s1, s2, s3].map((sum, k) =>
          local.set(sum, f32x4.add(sum, f32x4.mul(value, v128.load(i32.add(rows[k]!, at), offset)))),
        ),
      )
    return code(
      ...[1, 2, 3].map((k) => local.set(rows[k]!, i32.add(rows[k - 1]!, bytes))),
      loop(at, rowBytes, bytes, step(0), step(16), step(32), step(48)),
      // four sums across, side by side
      local.set(low, f32x4.add(i32x4.shuffle(s0, s1, 0, 4, 1, 5), i32x4.shuffle(s0, s1, 2, 6, 3, 7))),
      local.set(high, f32x4.add(i32x4.shuffle(s2, s3, 0, 4, 1, 5), i32x4.shuffle(s2, s3, 2, 6, 3, 7))),
      v128.store(out, f32x4.add(i32x4.shuffle(low, high, 0, 1, 4, 5), i32x4.shuffle(low, high, 2, 3, 6, 7))),
    )
  }),
  combine: combine(),
  adam: adam(),
}))

/** As `loop`, by a step that is not known before it runs. */
function loopBy(counter: Local, step: Local, end: Code, ...body: readonly Code[]): Code {
  return doWhile(i32.lt_u(local.tee(counter, i32.add(counter, step)), end), ...body)
}
