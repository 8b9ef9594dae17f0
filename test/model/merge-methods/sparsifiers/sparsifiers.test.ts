import { describe, expect, test } from 'vitest'
import { elementCount } from '#core'
import { philox } from '#platform/random'
import type { TensorTask } from '../../../../src/model/merge-methods/method.ts'
import { bernoulli } from '../../../../src/model/merge-methods/sparsifiers/bernoulli.ts'
import { magprune, rowsOf } from '../../../../src/model/merge-methods/sparsifiers/magprune.ts'
import type { SparsificationMethod } from '../../../../src/model/merge-methods/sparsifiers/sparsifier.ts'

type Kind = 'smooth' | 'grid' | 'one' | 'sparse' | 'special'
const specials = [NaN, Infinity, -Infinity, 0, -0, 1e-45, -1e-40, 1e-60, 5e-324, 1e300, 1, -1]

/** Changes of a kind, half of them negative. */
function drawn(count: number, kind: Kind): Float64Array {
  const words = new Uint32Array(count)
  philox(`${count} ${kind}`)(0, words)
  return Float64Array.from(words, (word, i) => {
    const value = (word / 2 ** 31 - 1) ** 3
    switch (kind) {
      case 'smooth':
        return value
      case 'grid':
        return Math.round(value * 8) / 8
      case 'one':
        return Math.sign(value)
      case 'sparse':
        return i % 7 === 0 ? value : 0
      case 'special':
        return word % 3 === 0 ? specials[word % specials.length]! : value
      default:
        return kind satisfies never
    }
  })
}

function wordsOf(count: number): Uint32Array {
  const words = new Uint32Array(count)
  philox('words')(0, words)
  // both borders of a density of one half
  words.set([2 ** 31, 2 ** 31 - 1, 0, 0xffffffff].slice(0, count))
  return words
}

interface Asked {
  shape: readonly number[]
  density: number
  epsilon: number
  inverse: boolean
}

/** What a sparsifier makes of the same changes in two passes over chunks of some grains. */
function sparsified(
  method: SparsificationMethod,
  delta: Float64Array,
  { shape, inverse, ...values }: Asked,
  grains: number,
  again: boolean,
): Float64Array[] {
  const words = wordsOf(delta.length)
  const task: Partial<TensorTask> = {
    name: 'w',
    shape,
    count: delta.length,
    inputs: 1,
    round: (value) => value,
    random: () => (first, out) => out.set(words.subarray(first, first + out.length)),
  }
  const sparsifier = method({ task: task as TensorTask, values, input: 0, inverse, again, note: () => undefined })!
  const step = grains * (method === magprune ? rowsOf(shape).grain : 1)
  return [0, 1].map(() => {
    const out = new Float64Array(delta.length)
    for (let from = 0; from < delta.length; from += step) {
      const part = delta.slice(from, from + step)
      sparsifier.sparsify(part, from, part.length)
      out.set(part, from)
    }
    return out
  })
}

/** Bits; every NaN counts as the same. */
const bits = (values: Float64Array): Buffer =>
  Buffer.from(Float64Array.from(values, (value) => (Number.isNaN(value) ? NaN : value)).buffer)

function keptAtRandom(delta: Float64Array, { density, inverse }: Asked): Float64Array {
  const words = wordsOf(delta.length)
  return delta.map(
    (value, i) => value * ((words[i]! < Math.floor(density * 2 ** 32) ? 1 : 0) * (inverse ? 1 / density : 1)),
  )
}

function keptByRank(delta: Float64Array, { shape, density, epsilon, inverse }: Asked): Float64Array {
  const { width, stride, grain } = rowsOf(shape)
  const words = wordsOf(delta.length)
  const out = new Float64Array(delta.length)
  const magnitudes = new Uint32Array(Float32Array.from(delta).buffer).map((word) => word & 0x7fffffff)
  for (let from = 0; from < delta.length; from += grain) {
    for (let first = from; first < from + stride; first++) {
      const keys = Array.from({ length: width }, (_, j) => magnitudes[first + j * stride]!)
      const rising = Array.from(keys.keys()).toSorted((i, j) => keys[i]! - keys[j]! || i - j)
      for (const [rank, j] of rising.entries()) {
        const chance = width > 1 ? density - epsilon + ((2 * epsilon) / (width - 1)) * rank : density
        const at = first + j * stride
        out[at] = (delta[at]! * (words[at]! < Math.floor(chance * 2 ** 32) ? 1 : 0)) / (inverse ? chance : 1)
      }
    }
  }
  return out
}

const kinds: readonly Kind[] = ['smooth', 'grid', 'one', 'sparse', 'special']
const shapes = [[1], [2], [33], [1000], [5, 1], [40, 2], [3, 333], [64, 17], [1, 2500], [4, 6, 3], [2, 300, 5]]

describe.each(shapes.map((shape) => ({ shape })))('a tensor of $shape', ({ shape }) => {
  test.each(kinds)(
    '%s: vectors of dare keep what its words keep, in every pass and in chunks of any length',
    (kind) => {
      const delta = drawn(elementCount(shape), kind)
      for (const [density, inverse] of [
        [0.5, false],
        [0.3, true],
        [1e-10, false],
        [1 - 2 ** -33, false],
      ] as const) {
        const asked = { shape, density, epsilon: 0, inverse }
        const want = bits(keptAtRandom(delta, asked))
        for (const again of [true, false])
          for (const grains of [delta.length, 1021])
            for (const got of sparsified(bernoulli, delta, asked, grains, again))
              expect(bits(got).equals(want)).toBe(true)
      }
    },
  )

  test.each(kinds)(
    '%s: della keeps by the chance of the exact rank, in every pass and in rows of any number',
    (kind) => {
      const delta = drawn(elementCount(shape), kind)
      for (const [density, epsilon] of [
        [0.5, 0.15],
        [0.5, 0.499],
        [0.2, 0],
        [0.5, -0.2],
      ] as const) {
        for (const inverse of [false, true]) {
          const asked = { shape, density, epsilon, inverse }
          const want = bits(keptByRank(delta, asked))
          for (const grains of [delta.length, 1])
            for (const got of sparsified(magprune, delta, asked, grains, true))
              expect(bits(got).equals(want)).toBe(true)
        }
      }
    },
  )
})

test('density 0 drops all; NaN stays, and so do signs', () => {
  const delta = drawn(100, 'special')
  const [got] = sparsified(magprune, delta, { shape: [100], density: 0, epsilon: 0.1, inverse: false }, 100, true)
  const nothing = 0
  expect(bits(got!).equals(bits(delta.map((value) => value * nothing)))).toBe(true)
})
