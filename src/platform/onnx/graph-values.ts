/** What a graph takes and gives, read from a model's bytes: names, types and sizes as they stand there. */
import { elementTypes, fields } from './messages.ts'
import { readFields } from './protobuf.ts'

export interface GraphValue {
  readonly name: string
  /** A name of `elementTypes`, or ONNX's number for any other. */
  readonly type: string
  /** A free dimension has a name instead of a size (the empty name when the graph gives none). */
  readonly dims: readonly (number | string)[]
}

/**
 * In the order of the graph; inputs that only name an initializer are left out. Throws `engine.load` on bytes that are
 * no ONNX graph.
 */
export function graphValues(model: Uint8Array): { inputs: GraphValue[]; outputs: GraphValue[] } {
  const [inputs, outputs, constants]: [GraphValue[], GraphValue[], Set<string>] = [[], [], new Set()]
  for (const graph of within(model, fields.model.graph)) {
    for (const input of within(graph, fields.graph.input)) inputs.push(readValue(input))
    for (const output of within(graph, fields.graph.output)) outputs.push(readValue(output))
    for (const tensor of within(graph, fields.graph.initializer)) constants.add(firstText(tensor, fields.tensor.name))
  }
  return { inputs: inputs.filter(({ name }) => !constants.has(name)), outputs }
}

function readValue(message: Uint8Array): GraphValue {
  let type = 'no tensor'
  const dims: (number | string)[] = []
  for (const valueType of within(message, fields.value.type)) {
    for (const tensor of within(valueType, fields.valueType.tensor)) {
      for (const { number, value } of readFields(tensor))
        if (number === fields.tensorType.element) type = typeName(value ?? 0)
      for (const shape of within(tensor, fields.tensorType.shape))
        for (const dim of within(shape, fields.shape.dim)) dims.push(readDim(dim))
    }
  }
  return { name: firstText(message, fields.value.name), type, dims }
}

function readDim(message: Uint8Array): number | string {
  for (const { number, value } of readFields(message))
    if (number === fields.dim.size && value !== undefined) return value
  return firstText(message, fields.dim.name)
}

function typeName(number: number): string {
  return Object.entries(elementTypes).find(([, known]) => known === number)?.[0] ?? `type ${number}`
}

/** Payloads of one field. */
function* within(message: Uint8Array, field: number): Generator<Uint8Array> {
  for (const { number, payload } of readFields(message)) if (number === field && payload !== undefined) yield payload
}

function firstText(message: Uint8Array, field: number): string {
  for (const payload of within(message, field)) return new TextDecoder().decode(payload)
  return ''
}
