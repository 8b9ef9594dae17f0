import type { Floats, Matrix } from '#core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateGemmPeak, matmul, measureGemmPeak, openMatmul } from '#platform/runtime'

const arrays = { float32: Float32Array, float64: Float64Array }
type Type = keyof typeof arrays

/** The definition, in float64. */
function plainProduct(a: Matrix<Floats>, b: Matrix<Floats>, transposeA: boolean, transposeB: boolean): Float64Array {
  const [rows, inner] = transposeA ? [a.width, a.rows] : [a.rows, a.width]
  const width = transposeB ? b.rows : b.width
  const at = ({ width: stride, data }: Matrix<Floats>, flipped: boolean, i: number, j: number) =>
    data[flipped ? j * stride + i : i * stride + j] ?? NaN
  const out = new Float64Array(rows * width)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < width; j++) {
      for (let k = 0; k < inner; k++)
        out[i * width + j] = (out[i * width + j] ?? 0) + at(a, transposeA, i, k) * at(b, transposeB, k, j)
    }
  }
  return out
}

/** Values in [-1, 1] from a linear congruential generator. */
function filled(type: Type, rows: number, width: number, seed: number): Matrix<Floats> {
  let state = seed >>> 0
  const data = new arrays[type](rows * width)
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    data[i] = state / 2 ** 31 - 1
  }
  return { rows, width, data }
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs((a[i] ?? NaN) - (b[i] ?? NaN)))
  return largest
}

/**
 * Sums of `inner` products of at most 1, each rounded to half a unit in the last place: at most inner² · ε/2 off in any
 * order.
 */
const bound = (type: Type, inner: number): number => (inner + 1) ** 2 * (type === 'float32' ? 2 ** -24 : 2 ** -53)

describe('matmul', () => {
  test.each(['float32', 'float64'] as const)('in %s is the sum of products, transposed in any way', async (dtype) => {
    const size = fc.integer({ min: 1, max: 40 })
    await fc.assert(
      fc.asyncProperty(
        size,
        size,
        size,
        fc.boolean(),
        fc.boolean(),
        fc.nat(),
        async (rows, inner, width, transposeA, transposeB, seed) => {
          const a = transposeA ? filled(dtype, inner, rows, seed) : filled(dtype, rows, inner, seed)
          const b = transposeB ? filled(dtype, width, inner, seed + 1) : filled(dtype, inner, width, seed + 1)
          const c = await matmul(a, b, { transposeA, transposeB })
          expect([c.rows, c.width, c.data.constructor]).toEqual([rows, width, arrays[dtype]])
          expect(largestDifference(c.data, plainProduct(a, b, transposeA, transposeB))).toBeLessThanOrEqual(
            bound(dtype, inner),
          )
        },
      ),
      { seed: 3, numRuns: 60 },
    )
  })

  test('leaves its factors as they are, and takes views into larger arrays', async () => {
    const ground = Float32Array.of(9, 1, 2, 3, 4, 9)
    const a = { rows: 2, width: 2, data: ground.subarray(1, 5) }
    const c = await matmul(a, a, { transposeB: true })
    expect(c).toEqual({ rows: 2, width: 2, data: Float32Array.of(5, 11, 11, 25) })
    expect(ground).toEqual(Float32Array.of(9, 1, 2, 3, 4, 9))
  })

  test('takes shared memory', async () => {
    const data = new Float64Array(new SharedArrayBuffer(16))
    data.set([3, 4])
    expect((await matmul({ rows: 1, width: 2, data }, { rows: 2, width: 1, data })).data).toEqual(Float64Array.of(25))
  })

  test('of mixed types is float64 unless told otherwise', async () => {
    const [a, b] = [
      { rows: 1, width: 1, data: Float32Array.of(0.1) },
      { rows: 1, width: 1, data: Float64Array.of(0.1) },
    ]
    expect((await matmul(a, b)).data).toEqual(Float64Array.of(Math.fround(0.1) * 0.1))
    expect((await matmul(a, b, { dtype: 'float32' })).data).toEqual(Float32Array.of(Math.fround(0.1) ** 2))
  })

  test('without rows, columns or inner size is empty or zero', async () => {
    const empty = (rows: number, width: number) => ({ rows, width, data: new Float32Array(rows * width) })
    expect(await matmul(empty(0, 3), empty(3, 2))).toEqual(empty(0, 2))
    expect(await matmul(empty(2, 3), empty(3, 0))).toEqual(empty(2, 0))
    expect(await matmul(empty(2, 0), empty(0, 2))).toEqual(empty(2, 2))
  })

  test.each([
    ['inner sizes differ', { rows: 2, width: 3 }, { rows: 2, width: 3 }, {}],
    ['inner sizes differ when transposed', { rows: 2, width: 3 }, { rows: 3, width: 2 }, { transposeA: true }],
    ['data is too short', { rows: 2, width: 3, data: new Float32Array(5) }, { rows: 3, width: 2 }, {}],
  ])('refuses when %s', (_, a, b, options) => {
    const dense = (shape: { rows: number; width: number; data?: Float32Array }) => ({
      data: new Float32Array(shape.rows * shape.width),
      ...shape,
    })
    return expect(matmul(dense(a), dense(b), options)).rejects.toMatchObject({ code: 'tensor.shape' })
  })

  test.each([false, true])('larger than one block is the same as row by row (transposed: %s)', async (transposeA) => {
    // 2 · 2³¹ multiply-adds and a rest: three blocks of rows.
    const [rows, inner, width] = [2100, 1024, 2048]
    const a = filled('float32', transposeA ? inner : rows, transposeA ? rows : inner, 1)
    const b = filled('float32', inner, width, 2)
    const c = await matmul(a, b, { transposeA })
    for (const row of [0, 1023, 1024, 1025, 2047, 2048, 2099]) {
      const one = transposeA
        ? Float32Array.from({ length: inner }, (_, k) => a.data[k * rows + row] ?? NaN)
        : a.data.slice(row * inner, (row + 1) * inner)
      const expected = plainProduct({ rows: 1, width: inner, data: one }, b, false, false)
      // Errors of a sum in any order grow like √inner; 1e-4 is 50 times what 1,024 products of at most 1 show.
      expect(largestDifference(c.data.subarray(row * width, (row + 1) * width), expected)).toBeLessThan(1e-4)
    }
  })

  test('has the same bits by one thread and by several, also where it is wide, low, and its columns are few', async () => {
    const pools = [1, 2, 4].map((threads) => openMatmul({ threads }))
    for (const type of ['float32', 'float64'] as const)
      for (const [rows, inner, width] of [
        [7, 521, 40],
        [32, 521, 100],
        [7, 384, 250],
        [40, 384, 600],
        [7, 160, 521],
        [3, 129, 1030],
        [77, 616, 384],
        [600, 300, 70],
      ] as const)
        for (const transposeB of [false, true]) {
          const [a, b] = [
            filled(type, rows, inner, 1),
            filled(type, transposeB ? width : inner, transposeB ? inner : width, 2),
          ]
          const [one, ...others] = await Promise.all(pools.map(({ matmul: own }) => own(a, b, { transposeB })))
          for (const other of others) expect(other.data, `${type} ${rows} × ${inner} × ${width}`).toEqual(one?.data)
        }
    await Promise.all(pools.map((pool) => pool.close()))
  })

  test('stops between blocks when cancelled', async () => {
    const a = filled('float32', 2100, 1024, 1)
    await expect(matmul(a, filled('float32', 1024, 2048, 2), { signal: AbortSignal.abort() })).rejects.toThrow('abort')
  })

  test('runs at once come back to who asked, from kernels of their own that can be closed', async () => {
    const own = openMatmul({ threads: 1 })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        own.matmul({ rows: 1, width: 1, data: Float32Array.of(i) }, { rows: 1, width: 1, data: Float32Array.of(2) }),
      ),
    )
    expect(answers.map(({ data }) => data[0])).toEqual(answers.map((_, i) => 2 * i))
    await own.close()
  })
})

test('the peak of this machine is a speed', async () => {
  // Slower than plain loops (1 GFLOP/s) would mean that the engine is not used.
  expect(await measureGemmPeak({ rounds: 1 })).toBeGreaterThan(1)
  expect(await estimateGemmPeak()).toBeGreaterThan(1)
})

test('a process estimates the peak once', async () => {
  expect(await estimateGemmPeak()).toBe(await estimateGemmPeak())
})
