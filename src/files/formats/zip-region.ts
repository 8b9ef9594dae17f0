/**
 * The bytes of a zip entry as a region: in place when stored, inflated on demand otherwise – bounded by what the
 * directory declares and by the ratio.
 */
import { promisify } from 'node:util'
import { constants, crc32, inflateRaw, inflateRawSync } from 'node:zlib'
import { fault } from '#core'
import type { ByteFile } from './byte-file.ts'
import { MAX_INFLATE_FLOOR, MAX_INFLATE_RATIO } from './limits.ts'
import type { Region } from './tensor-view.ts'
import { fileRegion } from './view-source.ts'
import { entryOffset, type ZipEntry } from './zip.ts'

/** Faults: `format.zip`, `format.limit` for an entry that would grow beyond reason. */
export async function entryRegion(file: ByteFile, entry: ZipEntry): Promise<Region> {
  const offset = await entryOffset(file, entry)
  if (entry.method === 'stored') return fileRegion(file, offset, entry.size)
  const place = `${file.path}: ${entry.name}`
  const limit = Math.max(MAX_INFLATE_FLOOR, entry.compressedSize * MAX_INFLATE_RATIO)
  if (entry.size > limit)
    throw fault('format.limit', {
      place,
      what: 'entry grows too much when inflated',
      seen: entry.size,
      wanted: `at most ${limit} bytes`,
    })
  return {
    byteLength: entry.size,
    offset: undefined,
    async load(start, end) {
      const bytes =
        end <= HEAD_OUT ? await inflateHead(file, entry, offset, end) : await inflateAll(file, entry, offset)
      if (bytes.length < end)
        throw fault('format.zip', { place, what: 'entry is shorter than declared', seen: bytes.length, wanted: end })
      return new Uint8Array(bytes.subarray(start, end))
    },
  }
}

/** The beginning of an entry, from as few compressed bytes: enough for a header, whatever follows. */
async function inflateHead(file: ByteFile, entry: ZipEntry, offset: number, wanted: number): Promise<Uint8Array> {
  for (let length = HEAD_IN; ; length *= 2) {
    const part = await file.read(offset, Math.min(length, entry.compressedSize))
    const head = guard(file, entry, () => inflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH }))
    if (head.length >= wanted || length >= entry.compressedSize) return head
  }
}

async function inflateAll(file: ByteFile, entry: ZipEntry, offset: number): Promise<Uint8Array> {
  const packed = await file.read(offset, entry.compressedSize)
  const bytes = await inflate(packed, { maxOutputLength: entry.size }).catch((error: unknown) =>
    guard(file, entry, () => {
      throw error
    }),
  )
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc)
    throw fault('format.zip', {
      place: `${file.path}: ${entry.name}`,
      what: 'entry does not match its checksum or size',
    })
  return bytes
}

const inflate = promisify(inflateRaw)

function guard<T>(file: ByteFile, entry: ZipEntry, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw fault('format.zip', { place: `${file.path}: ${entry.name}`, what: 'compressed bytes are broken', cause })
  }
}

/** 4 KiB hold at least an npy header however they are packed, and grow to 4 MiB at most. */
const HEAD_IN = 4_096
const HEAD_OUT = 65_536 + 16
