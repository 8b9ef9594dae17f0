/** ONNX messages as protobuf bytes: just what a graph of ours uses. Field numbers are those of onnx.proto3 (IR version 9). */
import protobuf from 'protobufjs/minimal.js'

/** Element types by ONNX's own numbers (`TensorProto.DataType`). */
export const elementTypes = { float32: 1, int32: 6, int64: 7, bool: 9, float16: 10, bfloat16: 16 } as const
export type ElementType = keyof typeof elementTypes

export type Attribute = number | string | readonly number[] | { readonly float: number } | { readonly graph: GraphMessage }

export interface NodeMessage {
  readonly op: string
  readonly domain: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes: Readonly<Record<string, Attribute>>
}

/** A constant: its bytes in the message, or a place in a file beside it. */
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
  /** Domain → version; the empty domain is ONNX itself. */
  readonly opsets: Readonly<Record<string, number>>
}

const irVersion = 9
const attributeTypes = { float: 1, int: 2, string: 3, graph: 5, ints: 7 } as const
const externalData = 1

type Writer = protobuf.Writer
type Write = (writer: Writer) => void

/** The bytes of a `ModelProto`. */
export function encodeModel(model: ModelMessage): Uint8Array {
  const writer = protobuf.Writer.create()
  int(writer, 1, irVersion)
  text(writer, 2, 'strata')
  message(writer, 7, (graph) => writeGraph(graph, model))
  for (const [domain, version] of Object.entries(model.opsets)) {
    message(writer, 8, (opset) => {
      text(opset, 1, domain)
      int(opset, 2, version)
    })
  }
  return writer.finish()
}

function writeGraph(writer: Writer, model: GraphMessage): void {
  for (const node of model.nodes) message(writer, 1, (w) => writeNode(w, node))
  text(writer, 2, model.name)
  for (const initializer of model.initializers) message(writer, 5, (w) => writeTensor(w, initializer))
  for (const input of model.inputs) message(writer, 11, (w) => writeValue(w, input))
  for (const output of model.outputs) message(writer, 12, (w) => writeValue(w, output))
}

function writeNode(writer: Writer, node: NodeMessage): void {
  for (const input of node.inputs) text(writer, 1, input)
  for (const output of node.outputs) text(writer, 2, output)
  text(writer, 3, node.outputs[0] ?? '')
  text(writer, 4, node.op)
  for (const [name, value] of Object.entries(node.attributes)) message(writer, 5, (w) => writeAttribute(w, name, value))
  text(writer, 7, node.domain)
}

function writeAttribute(writer: Writer, name: string, value: Attribute): void {
  text(writer, 1, name)
  if (typeof value === 'number') {
    int(writer, 3, value)
    int(writer, 20, attributeTypes.int)
  } else if (typeof value === 'string') {
    text(writer, 4, value)
    int(writer, 20, attributeTypes.string)
  } else if ('float' in value) {
    writer.uint32(key(2, 5)).float(value.float)
    int(writer, 20, attributeTypes.float)
  } else if ('graph' in value) {
    const { graph } = value
    message(writer, 6, (w) => writeGraph(w, graph))
    int(writer, 20, attributeTypes.graph)
  } else {
    for (const item of value) int(writer, 8, item)
    int(writer, 20, attributeTypes.ints)
  }
}

function writeTensor(writer: Writer, { name, type, dims, data }: InitializerMessage): void {
  for (const size of dims) int(writer, 1, size)
  int(writer, 2, elementTypes[type])
  text(writer, 8, name)
  if (data instanceof Uint8Array) {
    writer.uint32(key(9, 2)).bytes(data)
    return
  }
  for (const [field, value] of Object.entries({ location: data.location, offset: String(data.offset), length: String(data.byteLength) })) {
    message(writer, 13, (w) => {
      text(w, 1, field)
      text(w, 2, value)
    })
  }
  int(writer, 14, externalData)
}

function writeValue(writer: Writer, { name, type, dims }: ValueMessage): void {
  text(writer, 1, name)
  message(writer, 2, (valueType) => {
    message(valueType, 1, (tensor) => {
      int(tensor, 1, elementTypes[type])
      message(tensor, 2, (shape) => {
        for (const size of dims) {
          message(shape, 1, (dim) => {
            if (typeof size === 'number') int(dim, 1, size)
            else text(dim, 2, size)
          })
        }
      })
    })
  })
}

/** Field number and wire type: 0 varint, 2 length-delimited, 5 four bytes. */
function key(field: number, wire: 0 | 2 | 5): number {
  return (field << 3) | wire
}

function int(writer: Writer, field: number, value: number): void {
  writer.uint32(key(field, 0)).int64(value)
}

function text(writer: Writer, field: number, value: string): void {
  writer.uint32(key(field, 2)).string(value)
}

function message(writer: Writer, field: number, write: Write): void {
  writer.uint32(key(field, 2)).fork()
  write(writer)
  writer.ldelim()
}
