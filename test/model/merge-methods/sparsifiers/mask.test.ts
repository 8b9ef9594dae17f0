import { applyMask, maskBelow, maskWords } from '../../../../src/model/merge-methods/sparsifiers/mask.ts'
import { sameBits } from '../../../platform/wasm/same-bits.ts'

const bitsOf = (bits: Uint32Array, size: number): number[] =>
  Array.from({ length: size }, (_, i) => (bits[i >>> 5]! >>> (i & 31)) & 1)

sameBits(
  'model/merge-methods/sparsifiers/mask.ts',
  { lanes: 16, chunk: 2 ** 11 },
  {
    below({ size, words }) {
      const drawn = words('words')
      const limits = [0, 1, 2 ** 31, drawn[0] ?? 7, 2 ** 32 - 1]
      const found = limits.map((limit) => {
        const bits = new Uint32Array(maskWords(size))
        maskBelow(drawn, size, limit, bits)
        return bitsOf(bits, size)
      })
      return { kernel: found, loop: limits.map((limit) => Array.from(drawn, (word) => (word < limit ? 1 : 0))) }
    },
    apply({ size, words, doubles }) {
      const bits = words('bits').slice(0, maskWords(size))
      const delta = doubles('delta')
      const loop = delta.map((value, i) => value * (((bits[i >>> 5]! >>> (i & 31)) & 1) * -1.5))
      applyMask(delta, size, bits, -1.5)
      return { kernel: { delta }, loop: { delta: loop } }
    },
  },
)
