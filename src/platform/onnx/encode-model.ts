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
import { messageBytes, putBytes, putFloat, putInt, putMessage, putText, type Writer } from './protobuf.ts'

const irVersion = 9
/** `AttributeProto.AttributeType`. */
const attributeTypes = { float: 1, int: 2, string: 3, graph: 5, ints: 7 } as const

/** The bytes of a `ModelProto`. */
export function encodeModel(model: ModelMessage): Uint8Array {
  return messageBytes((writer) => {
    putInt(writer, fields.model.irVersion, irVersion)
    if (model.producer !== undefined) putText(writer, fields.model.producer, model.producer)
    putMessage(writer, fields.model.graph, (graph) => putGraph(graph, model))
    for (const [domain, version] of Object.entries(model.opsets)) {
      putMessage(writer, fields.model.opset, (opset) => {
        putText(opset, fields.opset.domain, domain)
        putInt(opset, fields.opset.version, version)
      })
    }
  })
}

function putGraph(writer: Writer, graph: GraphMessage): void {
  for (const node of graph.nodes) putMessage(writer, fields.graph.node, (w) => putNode(w, node))
  putText(writer, fields.graph.name, graph.name)
  for (const initializer of graph.initializers) putMessage(writer, fields.graph.initializer, (w) => putTensor(w, initializer))
  for (const input of graph.inputs) putMessage(writer, fields.graph.input, (w) => putValue(w, input))
  for (const output of graph.outputs) putMessage(writer, fields.graph.output, (w) => putValue(w, output))
}

function putNode(writer: Writer, { name, op, domain, inputs, outputs, attributes }: NodeMessage): void {
  for (const input of inputs) putText(writer, fields.node.input, input)
  for (const output of outputs) putText(writer, fields.node.output, output)
  if (name !== undefined) putText(writer, fields.node.name, name)
  putText(writer, fields.node.op, op)
  for (const [key, value] of Object.entries(attributes)) putMessage(writer, fields.node.attribute, (w) => putAttribute(w, key, value))
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

function putTensor(writer: Writer, { name, type, dims, data }: InitializerMessage): void {
  for (const size of dims) putInt(writer, fields.tensor.dims, size)
  putInt(writer, fields.tensor.type, elementTypes[type])
  putText(writer, fields.tensor.name, name)
  if (data instanceof Uint8Array) putBytes(writer, fields.tensor.raw, data)
  else putExternal(writer, data)
}

/** Where a tensor outside the message lies. Without a length it reaches to the end. */
export function putExternal(writer: Writer, { location, offset, byteLength }: { location: string; offset: number; byteLength: number | undefined }): void {
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
