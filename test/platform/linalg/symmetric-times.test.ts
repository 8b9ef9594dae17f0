import { symmetricTimes } from '../../../src/platform/linalg/symmetric-times.ts'
import { sameBits } from '../wasm/same-bits.ts'

/** Row i of a symmetric matrix, whole: what the kernel reads of it stands left of the end of its group of four. */
function rowsOf(size: number, doubles: (name: string) => Float64Array): Float64Array[] {
  const below = Array.from({ length: size }, (_, i) => doubles(`row ${i}`))
  return below.map((row, i) => row.map((value, c) => (c <= i ? value : below[c]![i]!)))
}

/** Four rows at a time: their columns before the group go to the rows above as well, two sums a row side by side. */
function timesPlain(rows: readonly Float64Array[], x: Float64Array): Float64Array {
  const out = new Float64Array(x.length)
  for (let before = 0; before < x.length; before += 4) {
    const group = rows.slice(before, Math.min(before + 4, x.length))
    const sums = group.map(() => [0, 0])
    const add = (k: number, c: number): number => (sums[k]![c % 2]! += group[k]![c]! * x[c]!)
    for (let c = 0; c < before; c++)
      for (let k = 0; k < group.length; k++) {
        add(k, c)
        out[c]! += group[k]![c]! * x[before + k]!
      }
    for (let c = before; c < Math.min(before + 4, x.length); c++) for (let k = 0; k < group.length; k++) add(k, c)
    sums.forEach(([even, odd], k) => (out[before + k]! += even! + odd!))
  }
  return out
}

/** size: of the matrix, and a product of all of it and one of what leads it. */
sameBits(
  'platform/linalg/symmetric-times.ts',
  { lanes: 4, chunk: 16, least: 1, without: ['NaN', 'infinite'] },
  {
    times: ({ size, doubles }) => {
      const rows = rowsOf(size, doubles)
      const x = doubles('x')
      const less = x.slice(0, Math.ceil(size / 2))
      const held = symmetricTimes(size)
      held.entries.fill(0)
      rows.forEach((row, i) => held.entries.set(row.subarray(0, Math.min(size, i - (i % 4) + 4)), i * held.stride))
      const [all, leading] = [held.times(x).slice(), held.times(less).slice()]
      held.release()
      const inner = rows.slice(0, Math.ceil(less.length / 4) * 4)
      return { kernel: { all, leading }, loop: { all: timesPlain(rows, x), leading: timesPlain(inner, less) } }
    },
  },
)
