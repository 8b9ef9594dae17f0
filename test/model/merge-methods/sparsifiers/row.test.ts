import { rowChances } from '../../../../src/model/merge-methods/sparsifiers/row-chances.ts'
import { rowKeys } from '../../../../src/model/merge-methods/sparsifiers/row-keys.ts'
import { rowOrder } from '../../../../src/model/merge-methods/sparsifiers/row-order.ts'
import { sameBits } from '../../../platform/wasm/same-bits.ts'

const keysOf = (values: Float64Array): number[] =>
  Array.from(new Uint32Array(Float32Array.from(values).buffer), (word) => word & 0x7fffffff)

function ranksOf(keys: readonly number[]): number[] {
  const ranks = keys.map(() => 0)
  const rising = Array.from(keys.keys()).toSorted((i, j) => keys[i]! - keys[j]! || i - j)
  rising.forEach((position, rank) => (ranks[position] = rank))
  return ranks
}

sameBits(
  'model/merge-methods/sparsifiers/row-simd.ts',
  { lanes: 32, chunk: 2 ** 11, least: 1 },
  {
    'take, greater'({ size, doubles }) {
      const row = rowKeys(size)
      row.take(doubles('row'), 0, 1)
      const [keys, ranks] = [keysOf(doubles('row')), ranksOf(keysOf(doubles('row')))]
      const places = [0, 1, size >> 1, size - 1].filter((place) => place < size)
      const least = Math.min(...keys.filter((key) => key > 0), 2 ** 32)
      return {
        kernel: { keys: Array.from(row.keys), range: row.range(), ranks: places.map(row.rank) },
        loop: { keys, range: [least, Math.max(...keys)], ranks: places.map((place) => ranks[place]!) },
      }
    },
    'count, decide'({ size, doubles, words }) {
      const drawn = words('words')
      const limits = Uint32Array.from({ length: size }, (_, rank) => Math.floor((0.2 + (0.6 * rank) / size) * 2 ** 32))
      const row = rowKeys(size)
      row.take(doubles('row'), 0, 1)
      const bits = rowChances(size, limits, row, rowOrder(size))(drawn, 0, 1)
      const ranks = ranksOf(keysOf(doubles('row')))
      return {
        kernel: { kept: Array.from({ length: size }, (_, i) => (bits[i >>> 5]! >>> (i & 31)) & 1) },
        loop: { kept: ranks.map((rank, i) => (drawn[i]! < limits[rank]! ? 1 : 0)) },
      }
    },
  },
)
