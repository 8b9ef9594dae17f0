/**
 * A file as decoded text, piece by piece: plain, gzip or zstandard, UTF-8 with or without a byte order mark.
 *
 * Text formats are read here rather than by DuckDB, which (1.5) refuses lone surrogates and byte order marks in JSON,
 * turns strings into dates and uuids, takes a gzip file that was cut for a whole one, folds column names by case, and
 * reserves 14 times the longest line it shall accept.
 */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'
import { Fault, fault } from '#core'
import { checkFile, pointer, readFault } from './check-file.ts'
import type { TableFile } from './table-format.ts'
import { unpackedLines } from './zst-lines.ts'

const pieceBytes = 256 * 1024
/** Characters of one line or field. Longer ones are not text, and strings end at 2^29 characters. */
export const maxTextLength = 64 * 1024 * 1024

/** Text of a file in pieces of about 256 KiB; throws `table.read`, or `format.lfs` for a pointer left by git. */
export async function* textOf(file: TableFile): AsyncGenerator<string> {
  if (file.bytes === undefined) await checkFile(file)
  if (file.packing === 'zst') {
    if (file.bytes !== undefined)
      throw fault('table.read', { place: file.place, what: 'zstandard within an archive', hint: 'unpack the archive' })
    yield* unpackedLines(file)
    return
  }
  const source: Readable =
    file.bytes === undefined ? createReadStream(file.path, { highWaterMark: pieceBytes }) : Readable.from(file.bytes())
  const gunzip = file.packing === 'gz' ? createGunzip({ chunkSize: pieceBytes }) : undefined
  if (gunzip !== undefined) source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  try {
    yield* decode(gunzip ?? source, file.place)
  } finally {
    source.destroy()
    gunzip?.destroy()
  }
}

/** Strict UTF-8 decoding of any stream of bytes; the byte order mark is dropped. */
export async function* decode(bytes: AsyncIterable<Uint8Array | string>, place: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lines = 1
  let first = true
  try {
    for await (const piece of bytes) {
      const chunk = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
      const text = decodePiece(decoder, chunk, place, lines)
      if (first && text.startsWith('version https://git-lfs.github.com/spec/')) throw pointer(place)
      if (text === '') continue
      first = false
      lines += countLines(text)
      yield text
    }
    decodePiece(decoder, undefined, place, lines)
  } catch (error) {
    throw error instanceof Fault ? error : readFault(error, place)
  }
}

function decodePiece(decoder: TextDecoder, chunk: Uint8Array | undefined, place: string, line: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch (cause) {
    const lossy = new TextDecoder().decode(chunk)
    const bad = Math.max(0, lossy.indexOf('\ufffd'))
    throw fault('table.read', {
      place,
      what: `not UTF-8, at line ${line + countLines(lossy.slice(0, bad))}`,
      hint: 'convert the file, e.g. iconv -f latin1 -t utf-8',
      cause,
    })
  }
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
