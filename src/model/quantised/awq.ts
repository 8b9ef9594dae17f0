/**
 * AWQ's packing for matrix products: eight 4-bit codes along the outputs in the order 0, 2, 4, 6, 1, 3, 5, 7, zero
 * points alike. W[out, in] = (code[in, out] − zero[g, out]) · scale[g, out]; rounded once to the scales' type, as
 * AutoAWQ's `dequantize_gemm` does.
 */
import type { TensorInfo, TensorSource } from '#core'
import { readFloat32 } from '#files/formats'
import {
  checkShape,
  checkType,
  type Derived,
  derivedInfo,
  readMatrix,
  findPart,
  readWords,
  scaleTypes,
} from './derived.ts'
import type { Quantisation } from './quantisation.ts'

type Awq = Extract<Quantisation, { method: 'awq' }>

const perWord = 8
/** Lowest bit of each output's code within a word. */
const shifts = [0, 16, 4, 20, 8, 24, 12, 28]

export function planAwq(source: TensorSource, { groupSize }: Awq): readonly Derived[] {
  return source.names().flatMap((name) => {
    if (!name.endsWith('.qweight')) return []
    const module = name.slice(0, -'.qweight'.length)
    const part = (kind: string): TensorInfo => findPart(source, `${module}.${kind}`, name)
    const [codes, zeros, scales] = [part('qweight'), part('qzeros'), part('scales')]
    checkType(source, codes, ['I32', 'U32'])
    checkType(source, zeros, ['I32', 'U32'])
    checkType(source, scales, scaleTypes)
    const [inputs, words] = readMatrix(source, codes)
    const outputs = words * perWord
    const groups = groupSize === -1 ? 1 : Math.ceil(inputs / groupSize)
    checkShape(source, scales, [groups, outputs])
    checkShape(source, zeros, [groups, words])
    const size = groupSize === -1 ? inputs : groupSize
    return {
      info: derivedInfo(`${module}.weight`, scales.dtype, [outputs, inputs]),
      parts: [codes.name, zeros.name, scales.name],
      values: async () => {
        const [code, zero] = [await readWords(source, codes), await readWords(source, zeros)]
        const scale = await readFloat32(source, scales.name)
        const out = new Float32Array(outputs * inputs)
        for (let i = 0; i < inputs; i++) {
          const group = Math.floor(i / size)
          for (let o = 0; o < outputs; o++) {
            const [word, shift] = [o >>> 3, shifts[o & 7]!]
            const difference = codeAt(code[i * words + word]!, shift) - codeAt(zero[group * words + word]!, shift)
            out[o * inputs + i] = difference * scale[group * outputs + o]!
          }
        }
        return out
      },
    }
  })
}

function codeAt(word: number, shift: number): number {
  return (word >>> shift) & 15
}
