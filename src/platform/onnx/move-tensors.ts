/**
 * The external tensors of an ONNX graph, moved: to another location, or into the graph. Everything else stays as it is,
 * byte for byte.
 */
import { fault } from '#core'
import { putExternal } from './encode-model.ts'
import { fields } from './messages.ts'
import { messageBytes, putLength, readFields } from './protobuf.ts'

/** An initializer that lies outside the graph. */
export interface ExternalTensor {
  readonly name: string
  readonly location: string
  readonly offset: number
  /** Undefined: to the end. */
  readonly byteLength: number | undefined
}

type Placement =
  | { readonly data: Uint8Array }
  | { readonly location: string; readonly offset?: number; readonly byteLength?: number }

/** Graphs within graphs (bodies of Scan, Loop, If). */
const depthLimit = 16

type Place = (tensor: ExternalTensor) => Placement
/**
 * New pieces of a message, or undefined: nothing in it changed. Pieces are joined once, at the very end, since they may
 * be large.
 */
type Rewrite = (payload: Uint8Array) => readonly Uint8Array[] | undefined

/**
 * Graphs inside attributes (bodies of Scan, Loop, If) included; throws `engine.load` on bytes that are no ONNX graph.
 */
export function moveTensors(model: Uint8Array, place: Place): Uint8Array {
  const graph =
    (depth: number): Rewrite =>
    (payload) => {
      if (depth > depthLimit)
        throw fault('engine.load', {
          place: 'model',
          what: 'graphs are nested too deeply',
          wanted: `at most ${depthLimit}`,
        })
      const inner = graph(depth + 1)
      const attribute: Rewrite = (bytes) =>
        rewriteFields(bytes, { [fields.attribute.graph]: inner, [fields.attribute.graphs]: inner })
      const node: Rewrite = (bytes) => rewriteFields(bytes, { [fields.node.attribute]: attribute })
      return rewriteFields(payload, {
        [fields.graph.node]: node,
        [fields.graph.initializer]: (tensor) => rewriteTensor(tensor, place),
      })
    }
  const pieces = rewriteFields(model, { [fields.model.graph]: graph(0) })
  return pieces === undefined ? model : joined(pieces)
}

/** The message with some of its fields replaced. */
function rewriteFields(
  message: Uint8Array,
  rewrites: Readonly<Record<number, Rewrite>>,
): readonly Uint8Array[] | undefined {
  const pieces: Uint8Array[] = []
  let changed = false
  for (const { number, payload, whole } of readFields(message)) {
    const rewritten = payload === undefined ? undefined : rewrites[number]?.(payload)
    if (rewritten === undefined) pieces.push(whole)
    else {
      changed = true
      pieces.push(...lengthened(number, rewritten))
    }
  }
  return changed ? pieces : undefined
}

function rewriteTensor(message: Uint8Array, place: Place): readonly Uint8Array[] | undefined {
  const kept: Uint8Array[] = []
  const entries: Record<string, string> = {}
  let name = ''
  for (const { number, payload, whole } of readFields(message)) {
    if (number === fields.tensor.external && payload !== undefined) {
      const [key, value] = readEntry(payload)
      entries[key] = value
    } else if (number !== fields.tensor.location) kept.push(whole)
    if (number === fields.tensor.name) name = text(payload)
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
  if ('data' in placement) return [...kept, ...lengthened(fields.tensor.raw, [placement.data])]
  return [...kept, messageBytes((writer) => putExternal(writer, { ...tensor, ...placement }))]
}

/** A payload in pieces as a field. */
function lengthened(field: number, pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  return [messageBytes((writer) => putLength(writer, field, total(pieces))), ...pieces]
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(total(pieces))
  let at = 0
  for (const piece of pieces) {
    out.set(piece, at)
    at += piece.length
  }
  return out
}

function total(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

function readEntry(message: Uint8Array): [string, string] {
  const parts: [string, string] = ['', '']
  for (const { number, payload } of readFields(message)) {
    if (number === fields.entry.key) parts[0] = text(payload)
    else if (number === fields.entry.value) parts[1] = text(payload)
  }
  return parts
}

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes)
}

function size(digits: string, name: string): number {
  const value = Number(digits)
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(value))
    throw fault('engine.load', { place: name, what: 'offset or length is not a byte count', seen: digits })
  return value
}
