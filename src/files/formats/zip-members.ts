/**
 * The members of a zip archive as streams of bytes: nothing is unpacked to disk, memory holds one piece, and no member
 * gives more than the directory declares.
 */
import { createReadStream } from 'node:fs'
import { crc32, createInflateRaw } from 'node:zlib'
import { Fault, fault } from '#core'
import { openByteFile } from './byte-file.ts'
import { entryOffset, readZip, type ZipEntry } from './zip.ts'

export interface ZipMember {
  /** Path inside the archive: relative, with `/`, never out of it. */
  readonly name: string
  /** Bytes when unpacked. */
  readonly size: number
  /** Throws `format.zip` when they are broken, too many, too few, or of another checksum. */
  readonly bytes: () => AsyncIterable<Uint8Array>
}

/**
 * Files of an archive, in its directory's order. Throws `format.zip`, `format.limit`, `file.missing`, and
 * `file.outside` for a name that would lead out of it.
 */
export async function zipMembers(path: string, place: string = path): Promise<ZipMember[]> {
  const file = await openByteFile(path, place)
  try {
    const members: ZipMember[] = []
    for (const entry of (await readZip(file)).values()) {
      if (entry.name.endsWith('/')) continue
      checkName(entry.name, place)
      const start = await entryOffset(file, entry)
      members.push({
        name: entry.name,
        size: entry.size,
        bytes: () => unpacked(file.realPath, start, entry, `${place}: ${entry.name}`),
      })
    }
    return members
  } finally {
    await file.close()
  }
}

function checkName(name: string, place: string): void {
  if (
    !name.startsWith('/') &&
    !/^[a-z]:/i.test(name) &&
    !name.includes('\\') &&
    !name.includes('\0') &&
    !name.split('/').includes('..')
  )
    return
  throw fault('file.outside', {
    place,
    what: 'a member leads out of the archive',
    seen: name,
    wanted: 'relative paths with /',
  })
}

async function* unpacked(
  path: string,
  start: number,
  { method, compressedSize, size, crc }: ZipEntry,
  place: string,
): AsyncGenerator<Uint8Array> {
  if (compressedSize === 0 && size === 0) return
  const source = createReadStream(path, { start, end: start + compressedSize - 1, highWaterMark: PIECE_BYTES })
  const inflated = method === 'stored' ? undefined : createInflateRaw({ chunkSize: PIECE_BYTES })
  if (inflated !== undefined) source.on('error', (error) => inflated.destroy(error)).pipe(inflated)
  let [sum, length] = [0, 0]
  try {
    for await (const piece of (inflated ?? source) as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > size) throw fault('format.zip', { place, what: 'member is longer than declared', wanted: size })
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (cause) {
    throw cause instanceof Fault ? cause : fault('format.zip', { place, what: 'compressed bytes are broken', cause })
  } finally {
    source.destroy()
    inflated?.destroy()
  }
  if (length !== size || sum !== crc)
    throw fault('format.zip', { place, what: 'member does not match its checksum or size', seen: length, wanted: size })
}

const PIECE_BYTES = 256 * 1024
