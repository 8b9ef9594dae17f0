/**
 * Protobuf as much of it as ONNX needs: fields out of bytes, and fields into bytes.
 * https://protobuf.dev/programming-guides/encoding
 */
import { createRequire } from 'node:module'
import type * as Protobuf from 'protobufjs/minimal.js'
import { fault } from '#core'

export type Writer = Protobuf.Writer

const require = createRequire(import.meta.url)
/** Loaded with the first message: programs that run no graph do without it. */
const protobuf = (): typeof Protobuf => require('protobufjs/minimal.js') as typeof Protobuf

/** How a field's payload is laid out. */
const [varint, fixed64, bytes, fixed32] = [0, 1, 2, 5] as const

/** One field of a message. Both views show the message's own memory. */
export interface Field {
  readonly number: number
  /** Bytes of a string, bytes or nested message; undefined for numbers. */
  readonly payload: Uint8Array | undefined
  /** Value of an integer. */
  readonly value: number | undefined
  /** The field as it stands, tag included. */
  readonly whole: Uint8Array
}

/** Fields of one message in order; throws `engine.load` on bytes that are not protobuf. */
export function* readFields(message: Uint8Array): Generator<Field> {
  const reader = protobuf().Reader.create(message)
  while (reader.pos < message.length) {
    const start = reader.pos
    const field = readField(reader)
    yield { ...field, whole: message.subarray(start, reader.pos) }
  }
}

function readField(reader: Protobuf.Reader): Omit<Field, 'whole'> {
  try {
    const tag = reader.uint32()
    const [number, type] = [tag >>> 3, tag & 7]
    if (type === bytes) return { number, payload: reader.bytes(), value: undefined }
    if (type === varint) return { number, payload: undefined, value: Number(reader.int64()) }
    // Groups, which ONNX has none of, may nest.
    if (type !== fixed64 && type !== fixed32) throw new Error(`wire type ${type}`)
    reader.skipType(type)
    return { number, payload: undefined, value: undefined }
  } catch (error) {
    throw fault('engine.load', {
      place: 'model',
      what: `not an ONNX graph: ${error instanceof Error ? error.message : String(error)}`,
      cause: error,
    })
  }
}

/** The bytes of a message. */
export function messageBytes(write: (writer: Writer) => void): Uint8Array {
  const writer = protobuf().Writer.create()
  write(writer)
  return writer.finish()
}

export function putInt(writer: Writer, field: number, value: number): void {
  writer.uint32(tag(field, varint)).int64(value)
}

export function putFloat(writer: Writer, field: number, value: number): void {
  writer.uint32(tag(field, fixed32)).float(value)
}

export function putText(writer: Writer, field: number, value: string): void {
  writer.uint32(tag(field, bytes)).string(value)
}

export function putBytes(writer: Writer, field: number, value: Uint8Array): void {
  writer.uint32(tag(field, bytes)).bytes(value)
}

export function putMessage(writer: Writer, field: number, write: (writer: Writer) => void): void {
  writer.uint32(tag(field, bytes)).fork()
  write(writer)
  writer.ldelim()
}

/** Writes the tag and length before a payload of `byteLength`. */
export function putLength(writer: Writer, field: number, byteLength: number): void {
  writer.uint32(tag(field, bytes)).uint32(byteLength)
}

function tag(field: number, type: number): number {
  return (field << 3) | type
}
