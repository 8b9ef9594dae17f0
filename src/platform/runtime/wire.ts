/** The protobuf wire format, as much of it as ONNX needs: fields out of bytes, and fields into bytes. https://protobuf.dev/programming-guides/encoding */
import { fault } from '#core'

/** One field of a message: a number (wire types 0, 1 and 5 as their raw value) or bytes (wire type 2). */
export interface WireField {
  readonly number: number
  readonly wire: 0 | 1 | 2 | 5
  /** Value of wire type 0; 0 for the others. */
  readonly value: number
  /** Payload of wire type 2; empty for the others. */
  readonly payload: Uint8Array
  /** The field as it stands, tag included. */
  readonly whole: Uint8Array
}

/** Fields of one message in order; throws `engine.load` on bytes that are not protobuf. Payloads are views. */
export function* readFields(message: Uint8Array): Generator<WireField> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++]
      if (byte === undefined) throw broken('ends inside a number')
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    throw broken('number is too long')
  }
  const skip = (byteLength: number): Uint8Array => {
    if (byteLength > message.length - at) throw broken('field reaches beyond the end')
    at += byteLength
    return message.subarray(at - byteLength, at)
  }
  while (at < message.length) {
    const start = at
    const tag = varint()
    const number = Math.floor(tag / 8)
    const wire = tag % 8
    let value = 0
    let payload = message.subarray(0, 0)
    if (wire === 0) value = varint()
    else if (wire === 2) payload = skip(varint())
    else if (wire === 1) skip(8)
    else if (wire === 5) skip(4)
    else throw broken(`wire type ${wire}`)
    yield { number, wire, value, payload, whole: message.subarray(start, at) }
  }
}

/** A varint field. */
export function numberField(number: number, value: number): Uint8Array {
  return Uint8Array.from([...varintBytes(number * 8), ...varintBytes(value)])
}

/** A length-delimited field: a string, or the concatenation of `parts`. */
export function bytesField(number: number, ...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const bytes = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part))
  return joinBytes([lengthTag(number, bytes), ...bytes])
}

/** What stands before the payload of a length-delimited field. */
export function lengthTag(number: number, payload: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from([...varintBytes(number * 8 + 2), ...varintBytes(payload.reduce((sum, piece) => sum + piece.length, 0))])
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

function varintBytes(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return [...bytes, rest]
}

function broken(what: string) {
  return fault('engine.load', { place: 'model', what: `not an ONNX graph: ${what}` })
}
