/** An ONNX model as protobuf bytes. Fields stand in the order of onnx.proto3, so that equal models are equal bytes. */
import {
  elementTypes,
  externalData,
  fields,
  type Attribute,
  type GraphMessage,
  type InitializerMessage,
  type ModelMessage,
  type NodeMessage,
  type ValueMessage,
} from './messages.ts'
import { messageBytes, putBytes, putFloat, putInt, putLength, putMessage, putText, type Writer } from './protobuf.ts'

const irVersion = 9
/** `AttributeProto.AttributeType`. */
const attributeTypes = { float: 1, int: 2, string: 3, graph: 5, ints: 7 } as const

/** The bytes of a `ModelProto`. */
export function encodeModel(model: ModelMessage): Uint8Array {
  return messageBytes((writer) => {
    putModelHead(writer, model)
    putMessage(writer, fields.model.graph, (graph) => putGraph(graph, model))
    putOpsets(writer, model)
  })
}

/** Bytes of a file in order, and where those of a tensor belong. */
export type ModelPiece = Uint8Array | { readonly tensor: string; readonly byteLength: number }

/**
 * The same for models whose tensors are not all in memory: `within` has the length of each that will be written between
 * the pieces. They stand last in the graph.
 */
export function modelPieces(
  model: ModelMessage,
  within: ReadonlyMap<string, number>,
): { byteLength: number; pieces: readonly ModelPiece[] } {
  const outside = model.initializers.filter(({ name }) => !within.has(name))
  const graph = messageBytes((writer) => putGraph(writer, { ...model, initializers: outside }))
  const tensors = model.initializers.flatMap((initializer): ModelPiece[] => {
    const byteLength = within.get(initializer.name)
    if (byteLength === undefined) return []
    const head = messageBytes((writer) => {
      putTensorHead(writer, initializer)
      putLength(writer, fields.tensor.raw, byteLength)
    })
    const before = messageBytes((writer) => putLength(writer, fields.graph.initializer, head.length + byteLength))
    return [before, head, { tensor: initializer.name, byteLength }]
  })
  const inGraph = [graph, ...tensors]
  const head = messageBytes((writer) => {
    putModelHead(writer, model)
    putLength(writer, fields.model.graph, total(inGraph))
  })
  const pieces = [head, ...inGraph, messageBytes((writer) => putOpsets(writer, model))]
  return { byteLength: total(pieces), pieces }
}

function total(pieces: readonly ModelPiece[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

function putModelHead(writer: Writer, { producer }: ModelMessage): void {
  putInt(writer, fields.model.irVersion, irVersion)
  if (producer !== undefined) putText(writer, fields.model.producer, producer)
}

function putOpsets(writer: Writer, { opsets }: ModelMessage): void {
  for (const [domain, version] of Object.entries(opsets)) {
    putMessage(writer, fields.model.opset, (opset) => {
      putText(opset, fields.opset.domain, domain)
      putInt(opset, fields.opset.version, version)
    })
  }
}

function putGraph(writer: Writer, graph: GraphMessage): void {
  for (const node of graph.nodes) putMessage(writer, fields.graph.node, (w) => putNode(w, node))
  putText(writer, fields.graph.name, graph.name)
  for (const initializer of graph.initializers)
    putMessage(writer, fields.graph.initializer, (w) => putTensor(w, initializer))
  for (const input of graph.inputs) putMessage(writer, fields.graph.input, (w) => putValue(w, input))
  for (const output of graph.outputs) putMessage(writer, fields.graph.output, (w) => putValue(w, output))
}

function putNode(writer: Writer, { name, op, domain, inputs, outputs, attributes }: NodeMessage): void {
  for (const input of inputs) putText(writer, fields.node.input, input)
  for (const output of outputs) putText(writer, fields.node.output, output)
  if (name !== undefined) putText(writer, fields.node.name, name)
  putText(writer, fields.node.op, op)
  for (const [key, value] of Object.entries(attributes))
    putMessage(writer, fields.node.attribute, (w) => putAttribute(w, key, value))
  if (domain !== undefined) putText(writer, fields.node.domain, domain)
}

function putAttribute(writer: Writer, name: string, value: Attribute): void {
  const { attribute } = fields
  putText(writer, attribute.name, name)
  if (typeof value === 'number') {
    putInt(writer, attribute.int, value)
    putInt(writer, attribute.type, attributeTypes.int)
  } else if (typeof value === 'string') {
    putText(writer, attribute.string, value)
    putInt(writer, attribute.type, attributeTypes.string)
  } else if ('float' in value) {
    putFloat(writer, attribute.float, value.float)
    putInt(writer, attribute.type, attributeTypes.float)
  } else if ('graph' in value) {
    putMessage(writer, attribute.graph, (w) => putGraph(w, value.graph))
    putInt(writer, attribute.type, attributeTypes.graph)
  } else {
    for (const item of value) putInt(writer, attribute.ints, item)
    putInt(writer, attribute.type, attributeTypes.ints)
  }
}

function putTensor(writer: Writer, tensor: InitializerMessage): void {
  const { data } = tensor
  putTensorHead(writer, tensor)
  if (data instanceof Uint8Array) putBytes(writer, fields.tensor.raw, data)
  else putExternal(writer, data)
}

function putTensorHead(writer: Writer, { name, type, dims }: InitializerMessage): void {
  for (const size of dims) putInt(writer, fields.tensor.dims, size)
  putInt(writer, fields.tensor.type, elementTypes[type])
  putText(writer, fields.tensor.name, name)
}

/** Where a tensor outside the message lies. Without a length it reaches to the end. */
export function putExternal(
  writer: Writer,
  { location, offset, byteLength }: { location: string; offset: number; byteLength: number | undefined },
): void {
  const entry = (key: string, value: string): void =>
    putMessage(writer, fields.tensor.external, (w) => {
      putText(w, fields.entry.key, key)
      putText(w, fields.entry.value, value)
    })
  entry('location', location)
  entry('offset', String(offset))
  if (byteLength !== undefined) entry('length', String(byteLength))
  putInt(writer, fields.tensor.location, externalData)
}

function putValue(writer: Writer, { name, type, dims }: ValueMessage): void {
  putText(writer, fields.value.name, name)
  putMessage(writer, fields.value.type, (valueType) => {
    putMessage(valueType, fields.valueType.tensor, (tensor) => {
      putInt(tensor, fields.tensorType.element, elementTypes[type])
      putMessage(tensor, fields.tensorType.shape, (shape) => {
        for (const size of dims) {
          putMessage(shape, fields.shape.dim, (dim) => {
            if (typeof size === 'number') putInt(dim, fields.dim.size, size)
            else putText(dim, fields.dim.name, size)
          })
        }
      })
    })
  })
}
