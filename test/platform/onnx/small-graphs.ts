/** Small ONNX graphs, with weights outside. */
import {
  encodeModel,
  type Attribute,
  type InitializerMessage,
  type NodeMessage,
  type ValueMessage,
} from '#platform/onnx'

export interface External {
  name: string
  dims: readonly number[]
  location: string
  offset?: number
  byteLength?: number
}

export function node(
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, Attribute>> = {},
): NodeMessage {
  return { op, inputs, outputs, attributes }
}

export function value(name: string, type: ValueMessage['type'], dims: ValueMessage['dims']): ValueMessage {
  return { name, type, dims }
}

/** A float32 initializer outside the graph. */
export function external({
  name,
  dims,
  location,
  offset = 0,
  byteLength = dims.reduce((product, size) => product * size, 4),
}: External): InitializerMessage {
  return { name, type: 'float32', dims, data: { location, offset, byteLength } }
}

export interface GraphParts {
  nodes: readonly NodeMessage[]
  initializers?: readonly InitializerMessage[]
  inputs: readonly ValueMessage[]
  outputs: readonly ValueMessage[]
}

/** A graph as an attribute: the body of a branch. */
export function body({ initializers = [], ...parts }: GraphParts) {
  return { graph: { name: 'body', initializers, ...parts } }
}

export function model({ initializers = [], ...parts }: GraphParts): Uint8Array {
  return encodeModel({ name: 'test', opsets: { '': 20 }, initializers, ...parts })
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

/** y = x·u + x·v with x [n × 2], u and v [2 × 1]. */
export function sum(
  u: Partial<External> & { location: string },
  v: Partial<External> & { location: string },
): Uint8Array {
  return model({
    nodes: [node('MatMul', ['x', 'u'], ['p']), node('MatMul', ['x', 'v'], ['q']), node('Add', ['p', 'q'], ['y'])],
    initializers: [external({ name: 'u', dims: [2, 1], ...u }), external({ name: 'v', dims: [2, 1], ...v })],
    inputs: [value('x', 'float32', ['n', 2])],
    outputs: [value('y', 'float32', ['n', 1])],
  })
}
