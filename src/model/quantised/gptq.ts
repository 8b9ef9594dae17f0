/**
 * GPTQ's packing: codes of 2, 3, 4 or 8 bits along the inputs, zero points along the outputs, a scale per group and
 * output. W[out, in] = scale[g, out] · (code[in, out] − zero[g, out]), g = g_idx[in]; rounded once to the scales' type,
 * as GPTQModel's `dequantize_weight` does.
 */
import { fault, type TensorInfo, type TensorSource } from '#core'
import { readFloat32 } from '#files/formats'
import {
  checkShape,
  checkType,
  type Derived,
  derivedInfo,
  readMatrix,
  findPart,
  readIndexes,
  readWords,
  scaleTypes,
  shapeFault,
  unpackCodes,
  wordsFor,
} from './derived.ts'
import type { Quantisation } from './quantisation.ts'

type Gptq = Extract<Quantisation, { method: 'gptq' }>

export function planGptq(source: TensorSource, settings: Gptq): readonly Derived[] {
  return source.names().flatMap((name) => (name.endsWith('.qweight') ? [planModule(source, name, settings)] : []))
}

interface Module {
  readonly codes: TensorInfo
  readonly zeros: TensorInfo
  readonly scales: TensorInfo
  readonly order: TensorInfo | undefined
  readonly bits: number
  readonly inputs: number
  readonly outputs: number
  readonly groups: number
  readonly groupSize: number
}

function planModule(source: TensorSource, name: string, settings: Gptq): Derived {
  const module = name.slice(0, -'.qweight'.length)
  const one = readModule(source, module, settings)
  const { codes, zeros, scales, order, inputs, outputs } = one
  return {
    info: derivedInfo(`${module}.weight`, scales.dtype, [outputs, inputs]),
    parts: [codes, zeros, scales, order].flatMap((part) => part?.name ?? []),
    values: () => valuesOf(source, one, settings.zerosLessOne),
  }
}

function readModule(source: TensorSource, module: string, { bits: wanted, groupSize }: Gptq): Module {
  const part = (name: string): TensorInfo => findPart(source, `${module}.${name}`, `${module}.qweight`)
  const [codes, zeros, scales] = [part('qweight'), part('qzeros'), part('scales')]
  const order = source.info(`${module}.g_idx`)
  checkType(source, codes, ['I32', 'U32'])
  checkType(source, zeros, ['I32', 'U32'])
  checkType(source, scales, scaleTypes)
  const [words, outputs] = readMatrix(source, codes)
  const [groups] = readMatrix(source, scales)
  checkShape(source, scales, [groups, outputs])
  const bits = wanted ?? (readMatrix(source, zeros)[1] * 32) / outputs
  if (bits !== 2 && bits !== 3 && bits !== 4 && bits !== 8)
    throw fault('tensor.shape', {
      place: `${source.name}: ${zeros.name}`,
      what: 'zero points of no width of GPTQ',
      seen: bits,
      wanted: '2, 3, 4 or 8 bits',
    })
  checkShape(source, zeros, [groups, wordsFor(outputs, bits)])
  const inputs = (words * 32) / bits
  if (!Number.isInteger(inputs)) throw shapeFault(source, codes.name, codes.shape, `whole codes of ${bits} bits`)
  const size = groupSize === -1 ? inputs : groupSize
  if (order === undefined) checkShape(source, scales, [Math.ceil(inputs / size), outputs])
  else checkShape(source, order, [inputs])
  return { codes, zeros, scales, order, bits, inputs, outputs, groups, groupSize: size }
}

async function valuesOf(source: TensorSource, module: Module, zerosLessOne: boolean): Promise<Float32Array> {
  const { codes, scales, order, bits, inputs, outputs, groups, groupSize } = module
  const words = await readWords(source, codes)
  const zero = await readZeros(source, module, zerosLessOne)
  const scale = await readFloat32(source, scales.name)
  const group =
    order === undefined
      ? Float32Array.from({ length: inputs }, (_, i) => Math.floor(i / groupSize))
      : await readIndexes(source, order, groups)
  const out = new Float32Array(outputs * inputs)
  const column = new Int32Array(inputs)
  for (let o = 0; o < outputs; o++) {
    unpackCodes(words, { bits, start: o, stride: outputs }, column)
    for (let i = 0; i < inputs; i++) {
      const at = group[i]! * outputs + o
      out[o * inputs + i] = scale[at]! * (column[i]! - zero[at]!)
    }
  }
  return out
}

/** [groups × outputs] */
async function readZeros(
  source: TensorSource,
  { zeros, bits, groups, outputs }: Module,
  lessOne: boolean,
): Promise<Int32Array> {
  const words = await readWords(source, zeros)
  const width = words.length / groups
  // GPTQModel adds to whole words, as it subtracts: an overflow of one code carries into the next. Codes of three bits
  // lie across words, and there it adds to each of them.
  const ones = lessOne && bits !== 3 ? onesOf(bits) : 0
  const stored = ones === 0 ? words : words.map((word) => word + ones)
  const out = new Int32Array(groups * outputs)
  for (let g = 0; g < groups; g++)
    unpackCodes(stored, { bits, start: g * width, stride: 1 }, out.subarray(g * outputs, (g + 1) * outputs))
  return lessOne && bits === 3 ? out.map((code) => (code + 1) & 7) : out
}

/** A word with the number one in every code. */
function onesOf(bits: number): number {
  let ones = 0
  for (let bit = 0; bit < 32; bit += bits) ones |= 1 << bit
  return ones
}
