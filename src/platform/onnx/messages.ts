/** ONNX messages as values: just what graphs of ours use. Names follow onnx.proto3 (IR version 9). */

/** Element types by ONNX's own numbers (`TensorProto.DataType`). */
export const elementTypes = {
  float32: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  float64: 11,
  bfloat16: 16,
} as const
export type ElementType = keyof typeof elementTypes

export type Attribute =
  | number
  | string
  | readonly number[]
  | { readonly float: number }
  | { readonly graph: GraphMessage }

export interface NodeMessage {
  readonly name?: string
  readonly op: string
  /** Left out: ONNX's own operators. */
  readonly domain?: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes: Readonly<Record<string, Attribute>>
}

/** A constant: its bytes in the message, or a place in a file next to it. */
export interface InitializerMessage {
  readonly name: string
  readonly type: ElementType
  readonly dims: readonly number[]
  readonly data: Uint8Array | { readonly location: string; readonly offset: number; readonly byteLength: number }
}

/** A graph input or output; a string is a symbolic size. */
export interface ValueMessage {
  readonly name: string
  readonly type: ElementType
  readonly dims: readonly (number | string)[]
}

/** A graph of its own, or the body of an operator that repeats one; a body may use the values around it. */
export interface GraphMessage {
  readonly name: string
  readonly nodes: readonly NodeMessage[]
  readonly initializers: readonly InitializerMessage[]
  readonly inputs: readonly ValueMessage[]
  readonly outputs: readonly ValueMessage[]
}

export interface ModelMessage extends GraphMessage {
  readonly producer?: string
  /** Domain → version; the empty domain is ONNX itself. */
  readonly opsets: Readonly<Record<string, number>>
}

/** Field numbers of onnx.proto3, message by message. */
export const fields = {
  model: { irVersion: 1, producer: 2, graph: 7, opset: 8 },
  opset: { domain: 1, version: 2 },
  graph: { node: 1, name: 2, initializer: 5, input: 11, output: 12 },
  node: { input: 1, output: 2, name: 3, op: 4, attribute: 5, domain: 7 },
  attribute: { name: 1, float: 2, int: 3, string: 4, graph: 6, ints: 8, graphs: 11, type: 20 },
  tensor: { dims: 1, type: 2, name: 8, raw: 9, external: 13, location: 14 },
  entry: { key: 1, value: 2 },
  value: { name: 1, type: 2 },
  valueType: { tensor: 1 },
  tensorType: { element: 1, shape: 2 },
  shape: { dim: 1 },
  dim: { size: 1, name: 2 },
} as const

/** `TensorProto.DataLocation`: outside the message. */
export const externalData = 1
