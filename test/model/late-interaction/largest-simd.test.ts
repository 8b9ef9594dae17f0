import { expect, test } from 'vitest'
import { sameBits } from '../../platform/wasm/same-bits.ts'
import { largestTable } from '../../../src/model/late-interaction/largest-simd.ts'

const [rows, stride] = [3, 150]

/** Beginnings of every alignment, and sizes below one vector, of whole steps, and between. */
const parts = Array.from({ length: 5 }, (_, begin) =>
  Array.from({ length: stride - 5 }, (__, size) => ({ begin, size: size + 1 })),
).flat()

/** What is found, and what Math.max finds. */
function both(change: (numbers: Float32Array) => void = () => undefined): readonly [number[][], number[][]] {
  const table = largestTable(rows * stride, rows)
  // neighbours differ, and all are below 0
  table.numbers.forEach((_, i) => (table.numbers[i] = -1 - ((i * 67) % 151) - Math.floor(i / stride)))
  change(table.numbers)
  const lines = Array.from({ length: rows }, (_, row) => [...table.numbers.subarray(row * stride, (row + 1) * stride)])
  const found = parts.map((part) => [...table.largest({ rows, stride, ...part })])
  table.release()
  return [found, parts.map(({ begin, size }) => lines.map((line) => Math.max(...line.slice(begin, begin + size))))]
}

test('the largest of every part of every row is that of Math.max', () => {
  const [found, wanted] = both()
  expect(found).toEqual(wanted)
})

test('a part with NaN gives NaN', () => {
  // the middle of a step of four vectors, and behind the last step
  const [found, wanted] = both((numbers) => numbers.fill(NaN, 41, 42).fill(NaN, 2 * stride + 140, 2 * stride + 141))
  expect(found).toEqual(wanted)
})

test('as many rows are written as are asked for', () => {
  const table = largestTable(8, 4)
  table.numbers.set([1, 2, 3, 4, 5, 6, 7, 8])
  expect([...table.largest({ rows: 4, stride: 2, begin: 0, size: 2 })]).toEqual([2, 4, 6, 8])
  expect([...table.largest({ rows: 2, stride: 4, begin: 1, size: 2 })]).toEqual([3, 7])
  table.release()
})

sameBits(
  'model/late-interaction/largest-simd.ts',
  { lanes: 4, chunk: 16, least: 1 },
  {
    'the largest of three rows': ({ size, floats }) => {
      const lines = ['a', 'b', 'c'].map(floats)
      const table = largestTable(3 * size, 3)
      lines.forEach((line, at) => table.numbers.set(line, at * size))
      const kernel = [...table.largest({ rows: 3, stride: size, begin: 0, size })]
      table.release()
      return { kernel: { largest: kernel }, loop: { largest: lines.map((line) => Math.max(...line)) } }
    },
  },
)
