/** The ONNX graph of one dense product: `Gemm`, with either side transposed or not. */
import { encodeModel } from '#platform/onnx'

export type DenseType = 'float32' | 'float64'

const opset = 20

/** `c = op(a) · op(b)` with free sizes. */
export function denseGraph(type: DenseType, transposeA: boolean, transposeB: boolean): Uint8Array {
  return encodeModel({
    name: 'dense',
    opsets: { '': opset },
    nodes: [
      {
        op: 'Gemm',
        inputs: ['a', 'b'],
        outputs: ['c'],
        attributes: { transA: Number(transposeA), transB: Number(transposeB) },
      },
    ],
    initializers: [],
    inputs: [
      { name: 'a', type, dims: transposeA ? ['k', 'm'] : ['m', 'k'] },
      { name: 'b', type, dims: transposeB ? ['n', 'k'] : ['k', 'n'] },
    ],
    outputs: [{ name: 'c', type, dims: ['m', 'n'] }],
  })
}
