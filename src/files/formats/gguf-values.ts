/** The key-value part of a GGUF file, read from its beginning piece by piece. */
import { fault } from '#core'
import type { ByteFile } from './byte-file.ts'
import { MAX_GGUF_HEADER, MAX_GGUF_VALUES } from './limits.ts'

export type GgufScalar = number | bigint | boolean | string
export type GgufValue = GgufScalar | readonly GgufScalar[]

/** Little-endian fields, one after the other. Every read past the file, or past the longest header, is a fault. */
export interface HeaderReader {
  readonly place: string
  /** Bytes read so far. */
  readonly at: () => number
  /** Bytes of the file that are left. */
  readonly left: () => number
  u32(): Promise<number>
  /** A count that the rest of the file could hold, `least` bytes for each of what it counts. */
  count(what: string, least: number): Promise<number>
  offset(): Promise<bigint>
  text(): Promise<string>
  scalar(type: number): Promise<GgufScalar>
  skip(bytes: number): Promise<Uint8Array>
}

const pieceBytes = 2 ** 20
/** One for all texts: a vocabulary has hundreds of thousands. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function headerReader(file: ByteFile): HeaderReader {
  const place = file.path
  let piece: Uint8Array = new Uint8Array(0)
  let [start, at] = [0, 0]
  let view = new DataView(piece.buffer)
  /** Offset in the piece of that number of bytes, which are now in it. */
  const take = async (bytes: number): Promise<number> => {
    if (at + bytes > file.size) throw cut(place, at + bytes, file.size)
    if (at + bytes > MAX_GGUF_HEADER)
      throw fault('format.limit', { place, what: 'header is too long', wanted: `at most ${MAX_GGUF_HEADER} bytes` })
    if (at + bytes > start + piece.length) {
      start = at
      piece = await file.read(start, Math.min(Math.max(bytes, pieceBytes), file.size - start))
      view = new DataView(piece.buffer, piece.byteOffset)
    }
    at += bytes
    return at - bytes - start
  }
  const u64 = async (): Promise<bigint> => {
    const from = await take(8)
    return view.getBigUint64(from, true)
  }
  const skip = async (bytes: number): Promise<Uint8Array> => {
    const from = await take(bytes)
    return piece.subarray(from, from + bytes)
  }
  const reader: HeaderReader = {
    place,
    at: () => at,
    left: () => file.size - at,
    async u32() {
      const from = await take(4)
      return view.getUint32(from, true)
    },
    async count(what, least) {
      const count = await u64()
      if (count * BigInt(least) > BigInt(file.size - at))
        throw fault('format.gguf', { place, what: `more ${what} than the file can hold`, seen: count })
      return Number(count)
    },
    offset: u64,
    async text() {
      const length = await reader.count('bytes of a text', 1)
      const bytes = await skip(length)
      try {
        return utf8.decode(bytes)
      } catch (cause) {
        throw fault('format.gguf', { place, what: `text at byte ${at - length} is not UTF-8`, cause })
      }
    },
    async scalar(type) {
      if (type === TEXT) return reader.text()
      const kind = scalars.get(type)
      if (kind === undefined) throw fault('format.gguf', { place, what: 'a value of an unknown type', seen: type })
      const from = await take(kind.bytes)
      return kind.read(view, from)
    },
    skip,
  }
  return reader
}

function cut(place: string, wanted: number, size: number): Error {
  return fault('format.gguf', {
    place,
    what: 'header runs past the end of the file',
    seen: `${size} bytes`,
    wanted: `at least ${wanted}`,
    hint: 'the file may be cut: fetch it again',
  })
}

const TEXT = 8
const LIST = 9

const scalars = new Map<number, { bytes: number; read: (view: DataView, at: number) => GgufScalar }>([
  [0, { bytes: 1, read: (view, at) => view.getUint8(at) }],
  [1, { bytes: 1, read: (view, at) => view.getInt8(at) }],
  [2, { bytes: 2, read: (view, at) => view.getUint16(at, true) }],
  [3, { bytes: 2, read: (view, at) => view.getInt16(at, true) }],
  [4, { bytes: 4, read: (view, at) => view.getUint32(at, true) }],
  [5, { bytes: 4, read: (view, at) => view.getInt32(at, true) }],
  [6, { bytes: 4, read: (view, at) => view.getFloat32(at, true) }],
  [7, { bytes: 1, read: (view, at) => view.getUint8(at) !== 0 }],
  [10, { bytes: 8, read: (view, at) => plain(view.getBigUint64(at, true)) }],
  [11, { bytes: 8, read: (view, at) => plain(view.getBigInt64(at, true)) }],
  [12, { bytes: 8, read: (view, at) => view.getFloat64(at, true) }],
])

function plain(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

/** All pairs. Throws `format.gguf` for keys that stand twice and types that do not exist, `format.limit`. */
export async function readPairs(reader: HeaderReader, count: number): Promise<ReadonlyMap<string, GgufValue>> {
  const pairs = new Map<string, GgufValue>()
  let values = 0
  for (let i = 0; i < count; i++) {
    const key = await reader.text()
    if (pairs.has(key)) throw fault('format.gguf', { place: reader.place, what: `key ${key} occurs twice` })
    const type = await reader.u32()
    if (type !== LIST) {
      pairs.set(key, await reader.scalar(type))
      continue
    }
    const element = await reader.u32()
    if (element === LIST)
      throw fault('format.gguf', { place: `${reader.place}: ${key}`, what: 'lists of lists are not read' })
    const length = await reader.count(`values of ${key}`, element === TEXT ? 8 : (scalars.get(element)?.bytes ?? 1))
    values += length
    if (values > MAX_GGUF_VALUES)
      throw fault('format.limit', {
        place: reader.place,
        what: 'too many values',
        wanted: `at most ${MAX_GGUF_VALUES}`,
      })
    const list: GgufScalar[] = []
    for (let j = 0; j < length; j++) list.push(await reader.scalar(element))
    pairs.set(key, list)
  }
  return pairs
}
