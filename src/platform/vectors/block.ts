/**
 * A block: some rows of one space, every slot of them, in one file that never changes once it has its name.
 *
 *     magic(8) · rows u32 · slots u32 · header bytes u32 · 0 u32 · space(32) · widths u32[slots] · keys 16 B[rows] ·
 *     crc32(header) u32
 *     then per slot:  float32[rows × width] · crc32 u32[rows]
 *
 * Little-endian. A slot is one contiguous range, so a layer is read without touching another. A row's check covers its
 * bytes, its key and its slot: a row under the wrong text or layer fails as a flipped bit does. Rows stand in the order
 * of their keys and the file is named by a hash of them: blocks of the same texts have the same name and the same
 * layout, whoever wrote them.
 */
import { crc32 } from 'node:zlib'
import { sha256 } from '#core'
import { compareKeys, keyBytes, keyCount } from './keys.ts'

export interface Slot {
  readonly name: string
  /** Features of a row. */
  readonly width: number
}

/** Rows of a block at most: its keys are held in memory. */
export const maxRows = 1 << 20

const magic = Buffer.from('STRATAV1')
const fixedBytes = 56

interface BlockLayout {
  readonly headerBytes: number
  readonly bytes: number
  /** Offsets of a slot's values and of its row checks. */
  readonly slots: readonly { readonly values: number; readonly checks: number }[]
}

export function blockLayout(rows: number, slots: readonly Slot[]): BlockLayout {
  const headerBytes = fixedBytes + slots.length * 4 + rows * keyBytes + 4
  let bytes = headerBytes
  const offsets = slots.map(({ width }) => {
    const values = bytes
    const checks = values + rows * width * 4
    bytes = checks + rows * 4
    return { values, checks }
  })
  return { headerBytes, bytes, slots: offsets }
}

/** Rows that a block of this many bytes holds, or undefined if no block has that size. */
export function rowsOfSize(bytes: number, slots: readonly Slot[]): number | undefined {
  const empty = blockLayout(0, slots).bytes
  const rows = (bytes - empty) / (blockLayout(1, slots).bytes - empty)
  return Number.isInteger(rows) && rows >= 1 && rows <= maxRows ? rows : undefined
}

export function encodeHeader(space: string, slots: readonly Slot[], keys: Uint32Array): Buffer {
  const header = Buffer.alloc(blockLayout(keyCount(keys), slots).headerBytes)
  magic.copy(header)
  header.writeUInt32LE(keyCount(keys), 8)
  header.writeUInt32LE(slots.length, 12)
  header.writeUInt32LE(header.length, 16)
  header.write(space, 24, 32, 'hex')
  slots.forEach(({ width }, slot) => header.writeUInt32LE(width, fixedBytes + slot * 4))
  bytesOf(keys).copy(header, fixedBytes + slots.length * 4)
  header.writeUInt32LE(crc32(header.subarray(0, -4)), header.length - 4)
  return header
}

/**
 * The keys of a header, ascending; undefined unless it is a whole, unspoilt header of exactly this space, these slots
 * and this many rows.
 */
export function decodeHeader(
  header: Buffer,
  space: string,
  slots: readonly Slot[],
  rows: number,
): Uint32Array | undefined {
  if (
    header.length !== blockLayout(rows, slots).headerBytes ||
    header.readUInt32LE(header.length - 4) !== crc32(header.subarray(0, -4))
  )
    return undefined
  const start = fixedBytes + slots.length * 4
  const keys = new Uint32Array(rows * (keyBytes / 4))
  header.copy(bytesOf(keys), 0, start, start + rows * keyBytes)
  for (let row = 1; row < rows; row++) if (compareKeys(keys, row - 1, keys, row) >= 0) return undefined
  // The checksum has verified the bytes; this comparison verifies whose they are.
  return encodeHeader(space, slots, keys).equals(header) ? keys : undefined
}

/** Check of one row: crc32 of its bytes, started from its key and slot. */
export function rowCheck(values: Uint8Array, keys: Uint32Array, row: number, slot: number): number {
  return crc32(values, ((keys[row * (keyBytes / 4)] ?? 0) ^ Math.imul(slot + 1, 0x9e37_79b1)) >>> 0)
}

/** File name of a block with these keys. */
export function blockName(space: string, keys: Uint32Array): string {
  return `${sha256(Buffer.concat([Buffer.from(space, 'hex'), bytesOf(keys)])).slice(0, 32)}.block`
}

/** The bytes under a typed array, no copy. */
export function bytesOf(array: Uint32Array | Float32Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength)
}
