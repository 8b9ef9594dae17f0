/**
 * Which bytes of weights ONNX Runtime multiplies exactly on this processor. Where there is no VNNI its product of
 * unsigned by signed bytes adds pairs in 16 bits, and what exceeds them is cut off without a word; unsigned by unsigned
 * it widens first. So both are tried on the greatest numbers there are.
 */
import { encodeModel } from '#platform/onnx'
import { createSession, loadEngine } from './onnxruntime.ts'

/** Signed bytes, or bytes shifted by 128; signed ones are faster. */
export const integerWeights = ['int8', 'uint8'] as const
export type IntegerWeights = (typeof integerWeights)[number]

const rows = 8
const inner = 64
const columns = 32

/** The first of `integerWeights` whose products are exact here; undefined where none is. */
export async function exactIntegerWeights(): Promise<IntegerWeights | undefined> {
  for (const type of integerWeights) if (await isExact(type)) return type
  return undefined
}

/** 254 · ±127 `inner` times: the sum reaches ±2,064,512, two of its terms exceed 16 bits. */
async function isExact(type: IntegerWeights): Promise<boolean> {
  const { Tensor } = await loadEngine()
  const shift = type === 'uint8' ? 128 : 0
  const weight = (column: number): number => (column % 2 === 0 ? 127 : -127)
  const data = Uint8Array.from({ length: inner * columns }, (_, i) => weight(i % columns) + shift)
  const model = encodeModel({
    name: 'integers',
    opsets: { '': 20, 'com.microsoft': 1 },
    nodes: [
      {
        op: 'MatMulIntegerToFloat',
        domain: 'com.microsoft',
        inputs: ['a', 'b', 'one', 'one', 'zero.a', 'zero.b'],
        outputs: ['c'],
        attributes: {},
      },
    ],
    initializers: [
      { name: 'b', type, dims: [inner, columns], data },
      { name: 'one', type: 'float32', dims: [], data: new Uint8Array(Float32Array.of(1).buffer) },
      { name: 'zero.a', type: 'uint8', dims: [], data: Uint8Array.of(1) },
      { name: 'zero.b', type, dims: [], data: Uint8Array.of(shift) },
    ],
    inputs: [{ name: 'a', type: 'uint8', dims: [rows, inner] }],
    outputs: [{ name: 'c', type: 'float32', dims: [rows, columns] }],
  })
  try {
    const session = await createSession({ model, folder: undefined, memory: [] }, { threads: 1, device: 'cpu' })
    const { c } = await session.run({ a: new Tensor('uint8', new Uint8Array(rows * inner).fill(255), [rows, inner]) })
    await session.release()
    const sums = (c?.data ?? []) as Float32Array
    return sums.length === rows * columns && sums.every((sum, i) => sum === 254 * inner * weight(i % columns))
  } catch {
    // An engine without such products still has its others.
    return false
  }
}
