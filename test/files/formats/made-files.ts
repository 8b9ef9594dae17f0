/**
 * Files built byte by byte: zips, pickles, torch checkpoints of both kinds, npy, safetensors. What Python's own writers
 * make is in golden/numpy.json.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { Fault, type FaultCode, type TensorSource } from '#core'
import { openTensors } from '#files/formats'

/** A folder for one test file; remove it in `afterAll`. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'strata-formats-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

let counter = 0

/** Opens bytes as a file of the given extension, uses the source, closes it. */
export async function withFile<T>(
  folder: string,
  bytes: Uint8Array,
  extension: string,
  use: (source: TensorSource, path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, `${counter++}${extension}`)
  await writeFile(path, bytes)
  try {
    const source = await openTensors(path)
    try {
      return await use(source, path)
    } finally {
      await source.close()
    }
  } finally {
    await rm(path, { force: true })
  }
}

/** The code of the fault that work ends with; anything but a fault is thrown on. */
export async function codeOf(work: () => unknown): Promise<FaultCode | 'no fault'> {
  return (await faultOf(work))?.code ?? 'no fault'
}

/** The fault that work ends with, if it does; anything but a fault is thrown on. */
export async function faultOf(work: () => unknown): Promise<Fault | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

export interface ZipPart {
  name: string
  bytes: Uint8Array
  deflate?: boolean
  /** Bytes of an extra field in the local header, as torch uses to align data. */
  padding?: number
}

/** A zip archive; `large` writes zip64 records for everything. */
export function zip(parts: readonly ZipPart[], { large = false }: { large?: boolean } = {}): Buffer {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, bytes, deflate = false, padding = 0 } of parts) {
    const data = deflate ? deflateRawSync(bytes) : bytes
    const title = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(large ? 45 : 20, 0)
    common.writeUInt16LE(deflate ? 8 : 0, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(large ? 0xffffffff : data.length, 14)
    common.writeUInt32LE(large ? 0xffffffff : bytes.length, 18)
    common.writeUInt16LE(title.length, 22)
    const extra = Buffer.alloc(padding === 0 ? 0 : 4 + padding)
    extra.set(padding === 0 ? [] : [0x46, 0x42, padding, 0])
    const sizes = [bytes.length, data.length, offset]
    const zip64 = large ? Buffer.concat([Buffer.from([1, 0, 24, 0]), ...sizes.map(u64)]) : Buffer.alloc(0)
    const local = Buffer.from(common)
    local.writeUInt16LE(extra.length, 24)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    common.copy(central, 6)
    central.writeUInt16LE(zip64.length, 30)
    central.writeUInt32LE(large ? 0xffffffff : offset, 42)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), local, title, extra, data])
    locals.push(entry)
    directory.push(Buffer.concat([central, title, zip64]))
    offset += entry.length
  }
  const names = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(large ? 0xffff : parts.length, 8)
  end.writeUInt16LE(large ? 0xffff : parts.length, 10)
  end.writeUInt32LE(large ? 0xffffffff : names.length, 12)
  end.writeUInt32LE(large ? 0xffffffff : offset, 16)
  return Buffer.concat([...locals, names, ...(large ? [largeEnd(parts.length, names.length, offset)] : []), end])
}

function largeEnd(count: number, size: number, offset: number): Buffer {
  const record = Buffer.concat([
    Buffer.from('PK\x06\x06', 'latin1'),
    u64(44),
    Buffer.alloc(12),
    u64(count),
    u64(count),
    u64(size),
    u64(offset),
  ])
  const locator = Buffer.concat([Buffer.from('PK\x06\x07', 'latin1'), u32(0), u64(offset + size), u32(1)])
  return Buffer.concat([record, locator])
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** Pieces of pickle code; joined by `pickle`. */
export type Code = Uint8Array

export const op = {
  none: Buffer.from('N'),
  false: Buffer.from([0x89]),
  int: (value: number): Code => {
    const bytes = Buffer.alloc(5, 'J')
    bytes.writeInt32LE(value, 1)
    return bytes
  },
  text: (value: string): Code => Buffer.concat([Buffer.from('X'), u32(Buffer.byteLength(value)), Buffer.from(value)]),
  oldText: (value: string): Code =>
    Buffer.concat([Buffer.from('U'), Buffer.from([value.length]), Buffer.from(value, 'latin1')]),
  tuple: (...items: Code[]): Code => Buffer.concat([Buffer.from('('), ...items, Buffer.from('t')]),
  list: (...items: Code[]): Code => Buffer.concat([Buffer.from(']('), ...items, Buffer.from('e')]),
  dict: (entries: Readonly<Record<string, Code>>): Code =>
    Buffer.concat([
      Buffer.from('}('),
      ...Object.entries(entries).flatMap(([key, value]) => [op.text(key), value]),
      Buffer.from('u'),
    ]),
  global: (module: string, name: string): Code => Buffer.from(`c${module}\n${name}\n`),
  call: (target: Code, ...args: Code[]): Code => Buffer.concat([target, op.tuple(...args), Buffer.from('R')]),
  raw: (...bytes: number[]): Code => Buffer.from(bytes),
}

export function pickle(...code: Code[]): Buffer {
  return Buffer.concat([Buffer.from([0x80, 2]), ...code, Buffer.from('.')])
}

export interface TensorCode {
  key?: string
  storage?: Code
  count: number
  start?: number
  size: readonly number[]
  stride: readonly number[]
  /** For `_rebuild_tensor_v3`. */
  dtype?: Code
  /** The sixth field of old persistent ids. */
  view?: Code
}

export function tensorCode({
  key = '0',
  storage = op.global('torch', 'FloatStorage'),
  count,
  start = 0,
  size,
  stride,
  dtype,
  view,
}: TensorCode): Code {
  const id = op.tuple(op.text('storage'), storage, op.text(key), op.text('cpu'), op.int(count), ...(view ? [view] : []))
  const args = [
    Buffer.concat([id, Buffer.from('Q')]),
    op.int(start),
    op.tuple(...size.map(op.int)),
    op.tuple(...stride.map(op.int)),
    op.false,
    op.call(op.global('collections', 'OrderedDict')),
  ]
  return op.call(
    op.global('torch._utils', dtype ? '_rebuild_tensor_v3' : '_rebuild_tensor_v2'),
    ...args,
    ...(dtype ? [dtype] : []),
  )
}

/** A checkpoint as torch ≥ 1.6 saves it. */
export function torchZip(
  root: Code,
  storages: Readonly<Record<string, Uint8Array>>,
  extra: readonly ZipPart[] = [],
): Buffer {
  const data = Object.entries(storages).map(([key, bytes]) => ({ name: `archive/data/${key}`, bytes, padding: 13 }))
  return zip([
    { name: 'archive/data.pkl', bytes: pickle(root) },
    ...extra,
    ...data,
    { name: 'archive/version', bytes: Buffer.from('3\n') },
  ])
}

/** A checkpoint as torch < 1.6 saved it; `system` stands beside what it says of the machine. */
export function torchStream(
  root: Code,
  storages: Readonly<Record<string, { count: number; bytes: Uint8Array }>>,
  system: Readonly<Record<string, Code>> = {},
): Buffer {
  const magic = Buffer.concat([Buffer.from([0x8a, 10]), Buffer.from('6cfc9c46f9206aa85019', 'hex')])
  const machine = op.dict({ protocol_version: op.int(1001), little_endian: op.raw(0x88), ...system })
  return Buffer.concat([
    pickle(magic),
    pickle(op.int(1001)),
    pickle(machine),
    pickle(root),
    pickle(op.list(...Object.keys(storages).map(op.text))),
    ...Object.values(storages).flatMap(({ count, bytes }) => [u64(count), bytes]),
  ])
}

/** An npy file with any header literal. */
export function npy(literal: string, data: Uint8Array, version = 1): Buffer {
  const text = Buffer.from(`${literal}\n`)
  const length = version === 1 ? Buffer.from(u32(text.length).subarray(0, 2)) : u32(text.length)
  return Buffer.concat([Buffer.from('\x93NUMPY', 'latin1'), Buffer.from([version, 0]), length, text, data])
}

/** A safetensors file with any header. */
export function safetensors(header: unknown, data: Uint8Array): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  return Buffer.concat([u64(text.length), text, data])
}

export function floats(...values: number[]): Buffer {
  return Buffer.from(Float32Array.from(values).buffer)
}
