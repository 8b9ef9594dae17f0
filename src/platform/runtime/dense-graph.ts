/** The ONNX graph of one dense product: `Gemm`, with either side transposed or not. */
import { bytesField, numberField } from './wire.ts'

export type DenseType = 'float32' | 'float64'

// TensorProto.DataType and AttributeProto.AttributeType of onnx.proto3.
const elementTypes = { float32: 1, float64: 11 } as const
const intAttribute = 2
const irVersion = 9
const opset = 20

/** `c = op(a) · op(b)` with free sizes. */
export function denseGraph(type: DenseType, transposeA: boolean, transposeB: boolean): Uint8Array {
  const flag = (name: string, on: boolean): Uint8Array => bytesField(5, bytesField(1, name), numberField(3, Number(on)), numberField(20, intAttribute))
  const node = bytesField(
    1,
    bytesField(1, 'a'),
    bytesField(1, 'b'),
    bytesField(2, 'c'),
    bytesField(4, 'Gemm'),
    flag('transA', transposeA),
    flag('transB', transposeB),
  )
  const value = (field: number, name: string, dims: readonly string[]): Uint8Array => {
    const shape = bytesField(2, ...dims.map((dim) => bytesField(1, bytesField(2, dim))))
    return bytesField(field, bytesField(1, name), bytesField(2, bytesField(1, numberField(1, elementTypes[type]), shape)))
  }
  const inputs = [value(11, 'a', transposeA ? ['k', 'm'] : ['m', 'k']), value(11, 'b', transposeB ? ['n', 'k'] : ['k', 'n'])]
  const graph = bytesField(7, node, bytesField(2, 'dense'), ...inputs, value(12, 'c', ['m', 'n']))
  return new Uint8Array([...numberField(1, irVersion), ...graph, ...bytesField(8, bytesField(1, ''), numberField(2, opset))])
}
