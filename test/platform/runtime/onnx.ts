/** Small ONNX graphs by hand, with weights outside. Field numbers are those of onnx.proto3. */
import { bytesField, joinBytes, numberField } from '../../../src/platform/runtime/wire.ts'

const types = { float32: 1, int32: 6, int64: 7, bool: 9, float64: 11 } as const
type Type = keyof typeof types

export interface External {
  name: string
  dims: readonly number[]
  location: string
  offset?: number
  byteLength?: number
}

export function node(op: string, inputs: readonly string[], outputs: readonly string[], ...attributes: readonly Uint8Array[]): Uint8Array {
  return bytesField(1, ...inputs.map((name) => bytesField(1, name)), ...outputs.map((name) => bytesField(2, name)), bytesField(4, op), ...attributes)
}

export function intAttribute(name: string, value: number): Uint8Array {
  return bytesField(5, bytesField(1, name), numberField(3, value), numberField(20, 2))
}

export function graphAttribute(name: string, graph: Uint8Array): Uint8Array {
  return bytesField(5, bytesField(1, name), bytesField(6, graph), numberField(20, 5))
}

export function value(name: string, type: Type, dims: readonly (number | string)[]): Uint8Array {
  const shape = bytesField(2, ...dims.map((dim) => bytesField(1, typeof dim === 'number' ? numberField(1, dim) : bytesField(2, dim))))
  return joinBytes([bytesField(1, name), bytesField(2, bytesField(1, numberField(1, types[type]), shape))])
}

/** A float32 initializer outside the graph. */
export function external({ name, dims, location, offset = 0, byteLength = dims.reduce((product, size) => product * size, 4) }: External): Uint8Array {
  const entry = (key: string, text: string): Uint8Array => bytesField(13, bytesField(1, key), bytesField(2, text))
  const place = [entry('location', location), entry('offset', String(offset)), entry('length', String(byteLength))]
  return bytesField(5, ...dims.map((size) => numberField(1, size)), numberField(2, types.float32), bytesField(8, name), ...place, numberField(14, 1))
}

export interface GraphParts {
  nodes: readonly Uint8Array[]
  initializers?: readonly Uint8Array[]
  inputs: readonly Uint8Array[]
  outputs: readonly Uint8Array[]
}

export function graph({ nodes, initializers = [], inputs, outputs }: GraphParts): Uint8Array {
  return joinBytes([
    ...nodes,
    bytesField(2, 'test'),
    ...initializers,
    ...inputs.map((input) => bytesField(11, input)),
    ...outputs.map((output) => bytesField(12, output)),
  ])
}

export function model(parts: GraphParts): Uint8Array {
  return joinBytes([numberField(1, 9), bytesField(7, graph(parts)), bytesField(8, bytesField(1, ''), numberField(2, 20))])
}

/** A graph without weights, as `openSession` takes it. */
export function plain(parts: GraphParts) {
  return { model: model(parts), externals: [], inline: [] }
}

/** `c = a · b` with free sizes. */
export const product = plain({
  nodes: [node('MatMul', ['a', 'b'], ['c'])],
  inputs: [value('a', 'float32', ['m', 'k']), value('b', 'float32', ['k', 'n'])],
  outputs: [value('c', 'float32', ['m', 'n'])],
})

export function float32(dims: readonly number[], data: readonly number[] | Float32Array) {
  return { dtype: 'float32' as const, dims, data: Float32Array.from(data) }
}
