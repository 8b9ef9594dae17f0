/**
 * Keys of texts, and the table that finds them: some 40 bytes per text, so that millions fit where a Map of strings
 * would not.
 */
import { hash } from 'node:crypto'

/** Bytes of a key on disk and in memory. */
export const keyBytes = 16
/** Words of a key. */
const words = 4

/**
 * Keys of texts, four words each: the first 16 bytes of SHA-256 over UTF-8.
 *
 * 128 bits: among 2²⁴ texts the chance of any accidental collision is below 2⁻⁸⁰. Lone surrogates are hashed as U+FFFD,
 * which is what a tokenizer sees of them too.
 */
export function textKeys(texts: readonly string[]): Uint32Array {
  const bytes = new Uint8Array(texts.length * keyBytes)
  texts.forEach((text, i) => bytes.set(hash('sha256', text, 'buffer').subarray(0, keyBytes), i * keyBytes))
  return new Uint32Array(bytes.buffer)
}

/** Texts to their keys. */
export type TextKeys = (texts: readonly string[]) => Uint32Array

/**
 * `textKeys` that hashes a text once, however often it is asked, as long as it is among the first `limit` texts (some
 * 120 bytes each).
 */
export function rememberedKeys({ limit = 1 << 17 }: { limit?: number } = {}): TextKeys {
  const places = new Map<string, number>()
  let known = new Uint32Array(words * 1024)
  return (texts) => {
    const unknown = texts.filter((text) => !places.has(text))
    const fresh = textKeys(unknown)
    const keys = new Uint32Array(texts.length * words)
    let next = 0
    texts.forEach((text, i) => {
      const place = places.get(text)
      if (place !== undefined && text !== unknown[next]) {
        keys.set(known.subarray(place, place + words), i * words)
        return
      }
      const key = fresh.subarray(next * words, (next + 1) * words)
      next++
      keys.set(key, i * words)
      if (places.has(text) || places.size >= limit) return
      const end = places.size * words
      if (end + words > known.length) {
        const larger = new Uint32Array(2 * known.length)
        larger.set(known)
        known = larger
      }
      known.set(key, end)
      places.set(text, end)
    })
    return keys
  }
}

/** Number of keys in an array of key words. */
export function keyCount(keys: Uint32Array): number {
  return keys.length / words
}

/** The keys at `rows`, copied. */
export function takeKeys(keys: Uint32Array, rows: ArrayLike<number>): Uint32Array {
  const out = new Uint32Array(rows.length * words)
  for (let i = 0; i < rows.length; i++) {
    const start = (rows[i] ?? 0) * words
    out.set(keys.subarray(start, start + words), i * words)
  }
  return out
}

/** Rows of an array of keys in ascending order of the keys. */
export function keyOrder(keys: Uint32Array): Uint32Array {
  const order = Uint32Array.from({ length: keyCount(keys) }, (_, row) => row)
  return order.sort((a, b) => compareKeys(keys, a, keys, b))
}

/** Negative, zero or positive, as `a`'s key at `rowA` comes before, with or after `b`'s at `rowB`. */
export function compareKeys(a: Uint32Array, rowA: number, b: Uint32Array, rowB: number): number {
  let word = 0
  while (word < words - 1 && a[rowA * words + word] === b[rowB * words + word]) word++
  return (a[rowA * words + word] ?? 0) - (b[rowB * words + word] ?? 0)
}

/** Position of a key: rows are numbered through all segments in the order in which they came. */
export interface KeyTable {
  /** Distinct keys. */
  readonly size: number
  /**
   * Adds keys without copying them; a key that is known keeps its first position. Returns the position of the first
   * row.
   */
  add(keys: Uint32Array): number
  /** First position of the key at `row` of `keys`, or -1. */
  find(keys: Uint32Array, row: number): number
  /** Segment and row of a position. */
  place(position: number): { segment: number; row: number }
}

/** Open addressing with linear probing over the first word of a key (they are uniform already); at most half full. */
export function keyTable(): KeyTable {
  const segments: Uint32Array[] = []
  const starts: number[] = []
  let rows = 0
  let size = 0
  let cells = new Uint32Array(64) // position + 1; 0 is free

  const segmentOf = (position: number): number => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((starts[middle] ?? 0) <= position) low = middle
      else high = middle - 1
    }
    return low
  }
  const place = (position: number): { segment: number; row: number } => {
    const segment = segmentOf(position)
    return { segment, row: position - (starts[segment] ?? 0) }
  }
  const holds = (position: number, keys: Uint32Array, at: number): boolean => {
    const segment = segmentOf(position)
    const known = segments[segment]
    const start = (position - (starts[segment] ?? 0)) * words
    if (known === undefined) return false
    for (let word = 0; word < words; word++) if (known[start + word] !== keys[at + word]) return false
    return true
  }
  /** Cell that holds the key, or the free cell where it belongs. */
  const cellOf = (keys: Uint32Array, at: number): number => {
    const mask = cells.length - 1
    let cell = (keys[at] ?? 0) & mask
    for (;;) {
      const entry = cells[cell] ?? 0
      if (entry === 0 || holds(entry - 1, keys, at)) return cell
      cell = (cell + 1) & mask
    }
  }
  const grow = (): void => {
    const old = cells
    cells = new Uint32Array(old.length * 2)
    const mask = cells.length - 1
    for (const entry of old) {
      if (entry === 0) continue
      const { segment, row } = place(entry - 1)
      let cell = (segments[segment]?.[row * words] ?? 0) & mask
      while (cells[cell] !== 0) cell = (cell + 1) & mask
      cells[cell] = entry
    }
  }

  return {
    get size() {
      return size
    },
    add(keys) {
      const start = rows
      segments.push(keys)
      starts.push(start)
      rows += keyCount(keys)
      for (let row = 0; row < keyCount(keys); row++) {
        if ((size + 1) * 2 > cells.length) grow()
        const cell = cellOf(keys, row * words)
        if (cells[cell] !== 0) continue
        cells[cell] = start + row + 1
        size++
      }
      return start
    },
    find(keys, row) {
      return (cells[cellOf(keys, row * words)] ?? 0) - 1
    },
    place,
  }
}
