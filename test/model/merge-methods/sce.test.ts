import { describe, expect, test } from 'vitest'
import { philox } from '#platform/random'
import { mergeMethods } from '#model/merge-methods'
import { plainSce } from '../../../src/model/merge-methods/sce-loops.ts'
import { vectorSce } from '../../../src/model/merge-methods/sce-simd.ts'
import { run } from './run-kernel.ts'
import { sameBits } from '../../platform/wasm/same-bits.ts'

const { fround } = Math

/** Changes of each input from a base, by place and a number between −1 and 1. */
const kinds: Record<string, (base: number, drawn: number) => number> = {
  'all different': (base, drawn) => base + drawn / 100,
  'many equal': (base, drawn) => base + Math.round(drawn * 3) / 64,
  'mostly unchanged, zeros of both signs': (base, drawn) => (Math.abs(drawn) < 0.6 ? base : drawn < 0 ? -0 : 0),
  'small enough for variances to vanish': (_, drawn) => drawn * 1e-22,
  'with some NaN': (base, drawn) => (drawn > 0.99 ? NaN : base + drawn),
}

function drawn(kind: string, models: number, count: number): { base: number[]; inputs: number[][] } {
  const numbers = (name: string): number[] => {
    const words = new Uint32Array(count)
    philox(name)(0, words)
    return Array.from(words, (word) => word / 2 ** 31 - 1)
  }
  const base = numbers('base').map((value) => fround(value))
  return {
    base,
    inputs: Array.from({ length: models }, (_, k) =>
      numbers(`${k}`).map((value, i) => fround(kinds[kind]!(base[i]!, value))),
    ),
  }
}

/** Place of the first float32 value that is another one, a zero of the other sign included; −1: none. */
const firstOther = (got: ArrayLike<number>, want: ArrayLike<number>): number =>
  Array.from(got).findIndex((value, i) => !Object.is(value, fround(want[i]!)))

describe.each([1, 2, 3, 5, 16])('of %i inputs', (models) => {
  test.each(Object.keys(kinds))('vectors and plain loops give the same bits: %s', async (kind) => {
    const count = 2 ** 12 + 13
    const given = { shape: [count], ...drawn(kind, models, count) }
    for (const share of [1, 0.5, 0.01]) {
      const params = { select_topk: share }
      // float64 tensors go through the plain loops, and are rounded once as float32 ones are
      const plain = await run(mergeMethods.sce, { ...given, params, dtype: 'f64' })
      for (const grains of [count, 1001]) {
        const vectors = await run(mergeMethods.sce, { ...given, params, dtype: 'f32', grains })
        expect(vectors.notes).toEqual(plain.notes)
        expect(firstOther(vectors.values, plain.values)).toBe(-1)
      }
    }
  })

  test.each([1, 2, 3, 6, 257])('so do the steps of a stretch of %i elements', (size) => {
    const { base, inputs } = drawn('many equal', models, size + 3)
    const block = {
      offset: 0,
      length: size + 3,
      base: Float32Array.from(base),
      inputs: inputs.map((values) => Float32Array.from(values)),
    }
    const results = [plainSce(models, size, undefined), vectorSce(models)].map((work) => {
      // what an earlier, longer stretch has left behind must not count
      work.begin({ ...block, base: block.base.map((value) => value + 1) }, 0, size)
      work.measure()
      work.begin(block, 2, size)
      work.measure()
      const keys = Array.from(work.keys.subarray(0, size))
      const limit = keys.toSorted((a, b) => a - b)[size >> 1]!
      const sums = new Float64Array(models).fill(0.1)
      work.addSquares(limit, sums)
      work.addSquares(undefined, sums)
      const out = new Float32Array(size + 3)
      work.output(limit, [...sums], out)
      return { keys, counts: [0, limit].map((key) => work.count(key)), sums, out }
    })
    expect(results[1]).toEqual(results[0])
  })
})

// The variance of two inputs of which one is infinite is so in vectors, and NaN in the general form: both are above
// every border, and no output is finite.
sameBits(
  'model/merge-methods/sce-simd.ts',
  { lanes: 4, chunk: 2 ** 11, least: 1, most: 2 ** 11, without: ['infinite'] },
  Object.fromEntries(
    [1, 2, 3, 5].map((models) => [
      `measure, count, squares and output of ${models}`,
      ({ size, floats }) => {
        const block = {
          offset: 0,
          length: size,
          base: floats('base'),
          inputs: Array.from({ length: models }, (_, k) => floats(`${k}`)),
        }
        const [kernel, loop] = [vectorSce(models), plainSce(models, size, undefined)].map((work) => {
          work.begin(block, 0, size)
          work.measure()
          const keys = work.keys.slice(0, size)
          const limit = keys.toSorted()[size >> 1] ?? 0
          const [some, all] = [new Float64Array(models), new Float64Array(models).fill(0.1)]
          work.addSquares(limit, some)
          work.addSquares(undefined, all)
          const [into, whole] = [new Float32Array(size), new Float32Array(size)]
          const shares = Array.from({ length: models }, (_, k) => 1 / (k + 2))
          work.output(limit, shares, into)
          work.output(undefined, shares, whole)
          return { keys, counts: [0, limit].map((key) => work.count(key)), some, all, out: into, whole }
        })
        return { kernel: kernel!, loop: loop! }
      },
    ]),
  ),
)
