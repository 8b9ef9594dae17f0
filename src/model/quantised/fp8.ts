/**
 * FP8 codes with scales: per tensor, per row (fbgemm) or per block of 128 × 128 (DeepSeek-V3,
 * https://arxiv.org/abs/2412.19437). Products are rounded to float32, then to the weight's type, as
 * transformers' `Fp8Dequantize` does.
 */
import { fault, type TensorInfo, type TensorSource } from '#core'
import { readFloat32 } from '#files/formats'
import { checkType, type Derived, gridFor, derivedInfo, scaleBlocks, scaleTypes } from './derived.ts'
import { chooseType, type Quantisation } from './quantisation.ts'

type Fp8 = Extract<Quantisation, { method: 'fp8' | 'fbgemm_fp8' }>

export function planFp8(source: TensorSource, { method, block, type }: Fp8): readonly Derived[] {
  return source.names().flatMap((name) => {
    const weight = source.info(name)
    if (weight === undefined || !isFp8(weight)) return []
    const scale = findScale(source, name, method)
    checkType(source, scale, [...scaleTypes, 'U8'])
    const grid = gridFor(source, weight, scale, block)
    return {
      info: derivedInfo(name, chooseType(type, scale.dtype), weight.shape),
      parts: [name, scale.name],
      values: async () =>
        scaleBlocks(await readFloat32(source, name), weight.shape, grid, await readScales(source, scale)),
    }
  })
}

export function isFp8({ dtype }: TensorInfo): boolean {
  return dtype === 'F8_E4M3' || dtype === 'F8_E5M2'
}

function findScale(source: TensorSource, name: string, method: Fp8['method']): TensorInfo {
  const [usual, ...others] =
    method === 'fbgemm_fp8' ? [`${name}_scale`] : [`${name}_scale_inv`, name.replace(/\.weight$/, '.scale')]
  const found = [usual, ...others].flatMap((one) => source.info(one ?? '') ?? [])[0]
  if (found !== undefined && found.name !== name) return found
  throw fault('tensor.missing', {
    place: `${source.name}: ${name}`,
    what: `quantised, but there is no ${usual}`,
    hint: 'the checkpoint is incomplete, or its config names another method',
  })
}

/** Bytes are exponents: 2^(byte − 127), E8M0 of the OCP Microscaling Formats. */
async function readScales(source: TensorSource, { name, dtype }: TensorInfo): Promise<Float32Array> {
  const scales = await readFloat32(source, name)
  return dtype === 'U8' ? scales.map((exponent) => 2 ** (exponent - 127)) : scales
}
