/**
 * An event file of TensorBoard: records (length, its checksum, data, their checksum) of the protocol-buffer messages
 * `Event` and `Summary` (tensorflow, core/util/event.proto and core/framework/summary.proto), as far as scalars and the
 * data of a plugin need.
 */
import { maskedCrc32c } from './crc32c.ts'
import { concat, fixed32, fixed64, lengthDelimited, varint } from './wire.ts'

export interface Scalar {
  readonly tag: string
  readonly step: number
  /** Stored in float32. */
  readonly value: number
  /** Seconds since 1970. */
  readonly time: number
}

/** What a plugin of TensorBoard reads under a tag of its own. */
export interface PluginData {
  readonly tag: string
  readonly plugin: string
  readonly content: Uint8Array
}

/** The whole file; its first record states the version. */
export function eventFile(scalars: readonly Scalar[], time: number, data: readonly PluginData[] = []): Uint8Array {
  const version = concat(fixed64(1, time), lengthDelimited(3, Buffer.from('brain.Event:2')))
  const events = [...data.map((one) => pluginEvent(one, time)), ...scalars.map(scalarEvent)]
  return concat(toRecord(version), ...events.map(toRecord))
}

/** An empty tensor of one float: TensorFlow wants one in every value (tensorboard, hparams/metadata.py). */
const noTensor = Buffer.from('080112021200', 'hex')

/**
 * `Value`: tag 1, tensor 8, metadata 9; `SummaryMetadata`: plugin_data 1; its `PluginData`: plugin_name 1, content 2.
 */
function pluginEvent({ tag, plugin, content }: PluginData, time: number): Uint8Array {
  const own = concat(lengthDelimited(1, Buffer.from(plugin)), lengthDelimited(2, content))
  const value = concat(
    lengthDelimited(1, Buffer.from(tag)),
    lengthDelimited(8, noTensor),
    lengthDelimited(9, lengthDelimited(1, own)),
  )
  return concat(fixed64(1, time), lengthDelimited(5, lengthDelimited(1, value)))
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
