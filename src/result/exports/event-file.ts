/**
 * An event file of TensorBoard: records (length, its checksum, data, their checksum) of the protocol-buffer messages
 * `Event` and `Summary` (tensorflow, core/util/event.proto and core/framework/summary.proto), as far as scalars need.
 */
import { maskedCrc32c } from './crc32c.ts'

export interface Scalar {
  readonly tag: string
  readonly step: number
  /** Stored in float32. */
  readonly value: number
  /** Seconds since 1970. */
  readonly time: number
}

/** The whole file; its first record states the version. */
export function eventFile(scalars: readonly Scalar[], time: number): Uint8Array {
  const version = concat(fixed64(1, time), lengthDelimited(3, Buffer.from('brain.Event:2')))
  return concat(toRecord(version), ...scalars.map((scalar) => toRecord(scalarEvent(scalar))))
}

/** `Event`: wall_time 1, step 2, summary 5; `Summary`: value 1; its `Value`: tag 1, simple_value 2. */
function scalarEvent({ tag, step, value, time }: Scalar): Uint8Array {
  const simple = concat(lengthDelimited(1, Buffer.from(tag)), fixed32(2, value))
  const summary = lengthDelimited(1, simple)
  // a step of 0 is the default, which proto3 leaves out
  const counted = step === 0 ? new Uint8Array() : concat(varint(2 << 3), varint(step))
  return concat(fixed64(1, time), counted, lengthDelimited(5, summary))
}

function toRecord(data: Uint8Array): Uint8Array {
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(data.length))
  return concat(length, checksum(length), data, checksum(data))
}

function checksum(bytes: Uint8Array): Uint8Array {
  const text = Buffer.alloc(4)
  text.writeUInt32LE(maskedCrc32c(bytes))
  return text
}

// Wire types of protocol buffers: 0 varint, 1 eight bytes, 2 length-delimited, 5 four bytes.

function lengthDelimited(field: number, bytes: Uint8Array): Uint8Array {
  return concat(varint((field << 3) | 2), varint(bytes.length), bytes)
}

function fixed64(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return concat(varint((field << 3) | 1), bytes)
}

function fixed32(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return concat(varint((field << 3) | 5), bytes)
}

/** A whole number from 0 on, seven bits per byte, the lowest first. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest])
    bytes.push((rest % 128) | 128)
  }
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
