/** The external tensors of an ONNX graph, moved: to another location, or into the graph. Everything else stays as it is, byte for byte. */
import { fault } from '#core'
import { bytesField, joinBytes, lengthTag, numberField, readFields } from './wire.ts'

/** An initializer that lies outside the graph. */
export interface ExternalTensor {
  readonly name: string
  readonly location: string
  readonly offset: number
  /** Undefined: to the end. */
  readonly byteLength: number | undefined
}

export type Placement = { readonly data: Uint8Array } | { readonly location: string; readonly offset?: number }

// Field numbers of onnx.proto3.
const modelGraph = 7
const graphNode = 1
const graphInitializer = 5
const nodeAttribute = 5
const attributeGraph = 6
const attributeGraphs = 11
const tensorName = 8
const tensorRaw = 9
const tensorExternal = 13
const tensorLocation = 14
const entryKey = 1
const entryValue = 2
/** Graphs within graphs (bodies of Scan, Loop, If). */
const depthLimit = 16

type Place = (tensor: ExternalTensor) => Placement
/** New pieces of a message, or undefined: nothing in it changed. Pieces are joined once, at the very end, since they may be large. */
type Rewrite = (payload: Uint8Array) => readonly Uint8Array[] | undefined

/** Graphs inside attributes (bodies of Scan, Loop, If) included; throws `engine.load` on bytes that are no ONNX graph. */
export function moveTensors(model: Uint8Array, place: Place): Uint8Array {
  const graph =
    (depth: number): Rewrite =>
    (payload) => {
      if (depth > depthLimit) throw fault('engine.load', { place: 'model', what: 'graphs are nested too deeply', wanted: `at most ${depthLimit}` })
      const inner = graph(depth + 1)
      const attribute: Rewrite = (bytes) => rewriteFields(bytes, { [attributeGraph]: inner, [attributeGraphs]: inner })
      const node: Rewrite = (bytes) => rewriteFields(bytes, { [nodeAttribute]: attribute })
      return rewriteFields(payload, { [graphNode]: node, [graphInitializer]: (tensor) => rewriteTensor(tensor, place) })
    }
  const pieces = rewriteFields(model, { [modelGraph]: graph(0) })
  return pieces === undefined ? model : joinBytes(pieces)
}

/** The message with some of its fields replaced. */
function rewriteFields(message: Uint8Array, rewrites: Readonly<Record<number, Rewrite>>): readonly Uint8Array[] | undefined {
  const pieces: Uint8Array[] = []
  let changed = false
  for (const { number, wire, payload, whole } of readFields(message)) {
    const rewritten = wire === 2 ? rewrites[number]?.(payload) : undefined
    if (rewritten === undefined) pieces.push(whole)
    else {
      changed = true
      pieces.push(lengthTag(number, rewritten), ...rewritten)
    }
  }
  return changed ? pieces : undefined
}

function rewriteTensor(message: Uint8Array, place: Place): readonly Uint8Array[] | undefined {
  const kept: Uint8Array[] = []
  const entries: Record<string, string> = {}
  let name = ''
  for (const { number, wire, payload, whole } of readFields(message)) {
    if (number === tensorExternal && wire === 2) {
      const [key, value] = readEntry(payload)
      entries[key] = value
    } else if (number !== tensorLocation) kept.push(whole)
    if (number === tensorName) name = text(payload)
  }
  const { location } = entries
  if (location === undefined) return undefined
  const tensor = {
    name,
    location,
    offset: size(entries['offset'] ?? '0', name),
    byteLength: entries['length'] === undefined ? undefined : size(entries['length'], name),
  }
  const placement = place(tensor)
  if ('data' in placement) return [...kept, lengthTag(tensorRaw, [placement.data]), placement.data]
  const { location: to, offset = tensor.offset } = placement
  const entry = (key: string, value: string): Uint8Array => bytesField(tensorExternal, bytesField(entryKey, key), bytesField(entryValue, value))
  const length = tensor.byteLength === undefined ? [] : [entry('length', String(tensor.byteLength))]
  return [...kept, entry('location', to), entry('offset', String(offset)), ...length, numberField(tensorLocation, 1)]
}

function readEntry(message: Uint8Array): [string, string] {
  const parts: [string, string] = ['', '']
  for (const { number, payload } of readFields(message)) {
    if (number === entryKey) parts[0] = text(payload)
    else if (number === entryValue) parts[1] = text(payload)
  }
  return parts
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function size(digits: string, name: string): number {
  const value = Number(digits)
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(value))
    throw fault('engine.load', { place: name, what: 'offset or length is not a byte count', seen: digits })
  return value
}
