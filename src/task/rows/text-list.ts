/** Texts that need not all be in memory: a list by number, and what collects them and goes to disk when it grows. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fault } from '#core'
import { openScratchSpool, type ScratchSpool, systemCode, writeFault } from '#platform/disk'

/** Texts by their number, on disk. Lone surrogates come back as U+FFFD, which is what tokenizers see of them. */
export interface TextList {
  readonly length: number
  /** The texts at `indexes`, in that order. */
  at(indexes: ArrayLike<number>): readonly string[]
  /** Frees the disk; the list is not used any more. */
  close(): void
}

export type Texts = readonly string[] | TextList

/** The texts at `indexes`, in that order. */
export function textsAt(texts: Texts, indexes: ArrayLike<number>): readonly string[] {
  return isList(texts) ? texts.at(indexes) : Array.from(indexes, (index) => texts[index] ?? '')
}

/** All texts in order, `size` at a time. */
export function* textBlocks(texts: Texts, size: number = 10_000): Generator<readonly string[]> {
  if (!isList(texts) && texts.length <= size) yield texts
  else
    for (let start = 0; start < texts.length; start += size) {
      const rows = Math.min(size, texts.length - start)
      yield isList(texts)
        ? texts.at(Array.from({ length: rows }, (_, i) => start + i))
        : texts.slice(start, start + rows)
    }
}

export function isList(texts: Texts): texts is TextList {
  return !Array.isArray(texts)
}

/** A view of the texts in another order. */
export function reordered(texts: Texts, order: ArrayLike<number>): Texts {
  if (!isList(texts)) return textsAt(texts, order)
  return {
    length: order.length,
    at: (indexes: ArrayLike<number>) => texts.at(Array.from(indexes, (index) => order[index] ?? 0)),
    close: () => texts.close(),
  }
}

export interface TextSpool {
  add(texts: readonly string[]): void
  finish(): Texts
  /** Frees the disk when `finish` will not be called. */
  drop(): void
}

/** Characters that are held in memory before everything goes to disk: at most 128 MB of strings. */
const heldLetters = 2 ** 26
/** Maximum gap between texts that are read in one piece, and maximum size of a piece, in bytes. */
const gapBytes = 4096
const pieceBytes = 8 * 2 ** 20

/**
 * Collects texts in order. The file in `folder` has no name while it is open, where the system allows that: a killed
 * process leaves nothing.
 */
export function textSpool({
  folder = tmpdir(),
  held = heldLetters,
}: { folder?: string; held?: number } = {}): TextSpool {
  let memory: string[] = []
  let letters = 0
  let disk: DiskTexts | undefined
  return {
    add(texts) {
      for (const text of texts) {
        memory.push(text)
        letters += text.length
      }
      if (disk === undefined && letters <= held) return
      disk ??= diskTexts(folder)
      disk.append(memory)
      memory = []
    },
    finish: () => disk?.list() ?? memory,
    drop: () => disk?.close(),
  }
}

interface DiskTexts {
  append(texts: readonly string[]): void
  list(): TextList
  close(): void
}

function diskTexts(folder: string): DiskTexts {
  const spool = openScratchSpool(join(folder, 'strata-texts'))
  let ends = new Float64Array(2 ** 16) // ends[i]: first byte after text i
  let count = 0
  let bytes = 0
  let open = true

  const close = (): void => {
    if (!open) return
    open = false
    spool.close()
  }
  const startOf = (index: number): number => (index === 0 ? 0 : (ends[index - 1] ?? 0))

  const at = (indexes: ArrayLike<number>): string[] => {
    if (!open) throw fault('internal', { place: spool.path, what: 'texts are read after they were closed' })
    const found: string[] = []
    for (let i = 0; i < indexes.length;) {
      const from = startOf(indexes[i] ?? 0)
      let end = i
      let to = from
      do to = Math.max(to, ends[indexes[end++] ?? 0] ?? 0)
      while (end < indexes.length && near(startOf(indexes[end] ?? 0), from, to))
      const bytes = spool.read(from, to - from)
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      for (; i < end; i++) {
        const index = indexes[i] ?? 0
        found.push(piece.toString('utf8', startOf(index) - from, (ends[index] ?? 0) - from))
      }
    }
    return found
  }

  return {
    append(texts) {
      if (count + texts.length > ends.length) {
        const larger = new Float64Array(Math.max(2 * ends.length, count + texts.length))
        larger.set(ends)
        ends = larger
      }
      const pieces = texts.map((text) => {
        const piece = Buffer.from(text, 'utf8')
        bytes += piece.length
        ends[count++] = bytes
        return piece
      })
      appended(spool, Buffer.concat(pieces))
    },
    list: () => ({ length: count, at, close }),
    close,
  }
}

function near(start: number, from: number, to: number): boolean {
  return start >= from && start <= to + gapBytes && start - from < pieceBytes
}

function appended(spool: ScratchSpool, bytes: Uint8Array): void {
  try {
    spool.append(bytes)
  } catch (error) {
    const words = {
      what: 'the disk is full',
      hint: 'a large corpus is stored there; choose another disk with --cache-dir',
    }
    throw systemCode(error) === 'ENOSPC' ? writeFault(error, spool.path, words) : error
  }
}
