/**
 * MXFP4 (OCP Microscaling Formats 1.0): 4-bit floats E2M1, two in a byte, the first in the low half, and an exponent
 * per 32 of them. GPT-OSS stores `X_blocks` [experts, rows, groups, 16] and `X_scales` [experts, rows, groups];
 * transformers' X is [experts, groups · 32, rows].
 */
import type { TensorSource } from '#core'
import { checkShape, checkType, type Derived, derivedInfo, findPart, shapeFault } from './derived.ts'
import type { Quantisation } from './quantisation.ts'

const bytesOfGroup = 16
/** By code; the fourth bit is the sign. */
const magnitudes = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
export const e2m1 = Float32Array.from({ length: 16 }, (_, code) => (code < 8 ? 1 : -1) * magnitudes[code & 7]!)

export function planMxfp4(
  source: TensorSource,
  { type = 'BF16' }: Extract<Quantisation, { method: 'mxfp4' }>,
): readonly Derived[] {
  return source.names().flatMap((stored) => {
    if (!stored.endsWith('_blocks')) return []
    const name = stored.slice(0, -'_blocks'.length)
    const [blocks, scales] = [findPart(source, stored, name), findPart(source, `${name}_scales`, stored)]
    checkType(source, blocks, ['U8'])
    checkType(source, scales, ['U8'])
    const [experts, rows, groups, bytes] = blocks.shape
    if (experts === undefined || rows === undefined || groups === undefined || bytes !== bytesOfGroup)
      throw shapeFault(source, stored, blocks.shape, `[experts, rows, groups, ${bytesOfGroup}]`)
    checkShape(source, blocks, [experts, rows, groups, bytesOfGroup])
    checkShape(source, scales, [experts, rows, groups])
    const columns = groups * 2 * bytesOfGroup
    return {
      info: derivedInfo(name, type, [experts, columns, rows]),
      parts: [stored, scales.name],
      values: async () => {
        const [codes, exponents] = [await source.read(stored), await source.read(scales.name)]
        const out = new Float32Array(experts * columns * rows)
        for (let at = 0; at < codes.length; at++) {
          const group = Math.floor(at / bytesOfGroup)
          const scale = Math.fround(2 ** (exponents[group]! - 127))
          const row = Math.floor(group / groups)
          const column = (group % groups) * 2 * bytesOfGroup + 2 * (at % bytesOfGroup)
          const to = (Math.floor(row / rows) * columns + column) * rows + (row % rows)
          out[to] = e2m1[codes[at]! & 15]! * scale
          out[to + rows] = e2m1[codes[at]! >>> 4]! * scale
        }
        return out
      },
    }
  })
}
