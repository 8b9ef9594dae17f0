/**
 * Zip archives by their central directory (PKWARE APPNOTE 6.3), zip64 included. Names are only keys: nothing is ever
 * unpacked to disk.
 */
import { fault } from '#core'
import type { ByteFile } from './byte-file.ts'
import { MAX_ZIP_ENTRIES } from './limits.ts'

export interface ZipEntry {
  readonly name: string
  readonly method: 'stored' | 'deflated'
  readonly compressedSize: number
  readonly size: number
  readonly crc: number
  readonly headerOffset: number
  /** Where the next entry or the directory begins: this one's data must end before. */
  readonly limit: number
}

/**
 * The entries by name. Faults: `format.zip` (no or false directory, overlapping or duplicate entries, encryption),
 * `format.limit`.
 */
export async function readZip(file: ByteFile): Promise<ReadonlyMap<string, ZipEntry>> {
  const directory = await findDirectory(file)
  const { offset, size, count } = directory
  if (count > MAX_ZIP_ENTRIES)
    throw fault('format.limit', {
      place: file.path,
      what: 'too many entries',
      seen: count,
      wanted: `at most ${MAX_ZIP_ENTRIES}`,
    })
  if (offset + size > directory.end || count * ENTRY_BYTES > size) {
    throw fault('format.zip', {
      place: file.path,
      what: 'end record does not fit the file',
      seen: { count, size, offset },
      hint: 'the file may be cut: fetch it again',
    })
  }
  const bytes = await file.read(offset, size)
  const view = new DataView(bytes.buffer)
  const found: Omit<ZipEntry, 'limit'>[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > size || view.getUint32(at, true) !== ENTRY_MARK)
      throw fault('format.zip', { place: file.path, what: `directory entry ${i} of ${count} is not there` })
    const length =
      ENTRY_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (at + length > size)
      throw fault('format.zip', { place: file.path, what: 'directory entry runs past the directory' })
    found.push(readEntry(bytes.subarray(at, at + length), file.path))
    at += length
  }
  return withLimits(found, offset, file.path)
}

/**
 * File offset of a stored or deflated entry's bytes, from its local header: the name and extra fields there have
 * lengths of their own.
 */
export async function entryOffset(
  file: ByteFile,
  { name, headerOffset, compressedSize, limit }: ZipEntry,
): Promise<number> {
  const place = `${file.path}: ${name}`
  const expected = Buffer.from(name)
  if (headerOffset + LOCAL_BYTES + expected.length > limit)
    throw fault('format.zip', { place, what: 'entry runs past the file' })
  const header = await file.read(headerOffset, LOCAL_BYTES + expected.length)
  const view = new DataView(header.buffer)
  if (view.getUint32(0, true) !== LOCAL_MARK)
    throw fault('format.zip', { place, what: 'no local header where the directory says' })
  const [nameLength, extraLength] = [view.getUint16(26, true), view.getUint16(28, true)]
  if (nameLength !== expected.length || !expected.equals(header.subarray(LOCAL_BYTES)))
    throw fault('format.zip', { place, what: 'local header has another name' })
  const offset = headerOffset + LOCAL_BYTES + nameLength + extraLength
  if (offset + compressedSize > limit)
    throw fault('format.zip', {
      place,
      what: 'entry runs past the file or into the next',
      seen: compressedSize,
      wanted: `at most ${limit - offset} bytes`,
    })
  return offset
}

interface Directory {
  offset: number
  size: number
  count: number
  /** The directory must end before. */
  end: number
}

async function findDirectory(file: ByteFile): Promise<Directory> {
  const tailStart = Math.max(0, file.size - END_BYTES - LONGEST_COMMENT)
  const tail = await file.read(tailStart, file.size - tailStart)
  const view = new DataView(tail.buffer)
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    // The comment must reach the end exactly: a signature inside a comment is not taken for the record.
    if (view.getUint32(at, true) !== END_MARK || at + END_BYTES + view.getUint16(at + 20, true) !== tail.length)
      continue
    const end = tailStart + at
    const locator =
      end >= LOCATOR_BYTES ? await file.read(end - LOCATOR_BYTES, LOCATOR_BYTES) : new Uint8Array(LOCATOR_BYTES)
    if (new DataView(locator.buffer).getUint32(0, true) === LOCATOR_MARK)
      return findLargeDirectory(file, new DataView(locator.buffer), end)
    const [disk, startDisk, here, count] = [4, 6, 8, 10].map((field) => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
      number,
    ]
    if (disk !== 0 || startDisk !== 0 || here !== count)
      throw fault('format.zip', {
        place: file.path,
        what: 'end record of an archive in several parts',
        seen: { disk, here, count },
      })
    return { count, size: view.getUint32(at + 12, true), offset: view.getUint32(at + 16, true), end }
  }
  throw fault('format.zip', { place: file.path, what: 'no central directory', hint: 'the file is cut: fetch it again' })
}

/** zip64: the locator before the end record points to a larger one. */
async function findLargeDirectory(file: ByteFile, locator: DataView, end: number): Promise<Directory> {
  const offset = Number(locator.getBigUint64(8, true))
  if (offset + LARGE_END_BYTES > end - LOCATOR_BYTES)
    throw fault('format.zip', { place: file.path, what: 'zip64 end record lies past the file', seen: offset })
  const record = new DataView((await file.read(offset, LARGE_END_BYTES)).buffer)
  if (record.getUint32(0, true) !== LARGE_END_MARK)
    throw fault('format.zip', { place: file.path, what: 'no zip64 end record where its locator says' })
  if (record.getUint32(16, true) !== 0 || record.getUint32(20, true) !== 0)
    throw fault('format.zip', { place: file.path, what: 'archive in several parts' })
  const [count, size, start] = [32, 40, 48].map((field) => Number(record.getBigUint64(field, true))) as [
    number,
    number,
    number,
  ]
  return { count, size, offset: start, end: offset }
}

function readEntry(bytes: Uint8Array, file: string): Omit<ZipEntry, 'limit'> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [flags, method, nameLength, extraLength] = [8, 10, 28, 30].map((field) => view.getUint16(field, true)) as [
    number,
    number,
    number,
    number,
  ]
  const name = Buffer.from(bytes.subarray(ENTRY_BYTES, ENTRY_BYTES + nameLength)).toString()
  const place = `${file}: ${name}`
  if ((flags & ENCRYPTED) !== 0) throw fault('format.zip', { place, what: 'entry is encrypted' })
  if (method !== 0 && method !== 8)
    throw fault('format.zip', { place, what: 'unknown compression method', seen: method, wanted: 'stored or deflated' })
  const [crc, compressed, plain, header] = [16, 20, 24, 42].map((field) => view.getUint32(field, true)) as [
    number,
    number,
    number,
    number,
  ]
  const extra = bytes.subarray(ENTRY_BYTES + nameLength, ENTRY_BYTES + nameLength + extraLength)
  // In this order, and only those that do not fit 32 bits.
  const [size, compressedSize, headerOffset] = largeFields([plain, compressed, header], extra, place)
  if (method === 0 && size !== compressedSize)
    throw fault('format.zip', { place, what: 'stored entry with two sizes', seen: [size, compressedSize] })
  return { name, method: method === 0 ? 'stored' : 'deflated', crc, size, compressedSize, headerOffset }
}

function largeFields(
  fields: readonly [number, number, number],
  extra: Uint8Array,
  place: string,
): [number, number, number] {
  if (!fields.includes(MAX_U32)) return [...fields]
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength)
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== LARGE_FIELDS) continue
    let next = at + 4
    const end = Math.min(extra.length, next + view.getUint16(at + 2, true))
    return fields.map((field) => {
      if (field !== MAX_U32) return field
      if (next + 8 > end) throw fault('format.zip', { place, what: 'zip64 sizes are missing' })
      next += 8
      return Number(view.getBigUint64(next - 8, true))
    }) as [number, number, number]
  }
  throw fault('format.zip', { place, what: 'zip64 sizes are missing' })
}

/**
 * Checks that every entry ends where the next begins, at the latest: entries that share bytes make bombs and double
 * meanings.
 */
function withLimits(
  found: readonly Omit<ZipEntry, 'limit'>[],
  directoryOffset: number,
  place: string,
): ReadonlyMap<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>()
  const sorted = [...found].sort((a, b) => a.headerOffset - b.headerOffset)
  for (const [i, entry] of sorted.entries()) {
    const limit = sorted[i + 1]?.headerOffset ?? directoryOffset
    if (!(entry.headerOffset + LOCAL_BYTES + entry.compressedSize <= limit && limit <= directoryOffset)) {
      throw fault('format.zip', {
        place: `${place}: ${entry.name}`,
        what: 'entry runs past the file or into the next',
        seen: { offset: entry.headerOffset, size: entry.compressedSize },
        wanted: `end before ${Math.min(limit, directoryOffset)}`,
      })
    }
    if (entries.has(entry.name))
      throw fault('format.zip', { place: `${place}: ${entry.name}`, what: 'two entries have this name' })
    entries.set(entry.name, { ...entry, limit })
  }
  return entries
}

const [END_MARK, ENTRY_MARK, LOCAL_MARK, LARGE_END_MARK, LOCATOR_MARK] = [
  0x06054b50, 0x02014b50, 0x04034b50, 0x06064b50, 0x07064b50,
] as const
const [END_BYTES, ENTRY_BYTES, LOCAL_BYTES, LARGE_END_BYTES, LOCATOR_BYTES] = [22, 46, 30, 56, 20] as const
const LONGEST_COMMENT = 65_535
const MAX_U32 = 0xffffffff
/** Id of the extra field with 64-bit sizes. */
const LARGE_FIELDS = 1
const ENCRYPTED = 1
