/** The bytes of a pickle, read through a window: long payloads are passed over and stay in the file. */
import { fault } from '#core'
import type { ByteFile } from './byte-file.ts'
import { MAX_PICKLE_VALUES } from './limits.ts'
import type { Region } from './tensor-view.ts'
import { fileRegion } from './view-source.ts'

export interface PickleInput {
  /** File offset of the next byte. */
  readonly position: () => number
  /** Fetches on when few bytes are left, so that opcode and argument can be read without waiting. */
  readonly refill: () => Promise<void> | undefined
  readonly u8: () => number
  readonly u16: () => number
  readonly u32: () => number
  readonly i32: () => number
  readonly u64: () => bigint
  /** Big-endian, as pickle stores floats. */
  readonly f64: () => number
  /** A few bytes, copied. */
  readonly take: (length: number) => Promise<Uint8Array>
  /** Passes over bytes and says where they lie; checked against the end before anything is taken. */
  readonly skip: (length: number | bigint) => Region
  /** Text up to the next line feed. */
  readonly line: () => Promise<string>
  /** Counts a value, a mark or an entry of a memo made from these bytes; too many are `format.limit`. */
  readonly hold: () => void
  /** A fault at this place. */
  readonly fail: (what: string, seen?: unknown, wanted?: unknown, hint?: string) => Error
}

/** Bytes `start` to `end` of the file. Everything wrong is `format.pickle`, but too many values. */
export function pickleInput(file: ByteFile, start: number, end: number): PickleInput {
  let window: Uint8Array = new Uint8Array(0)
  let view = new DataView(window.buffer)
  let windowStart = start
  let at = 0
  let held = 0

  return {
    position: () => windowStart + at,
    refill: () => (window.length - at < MARGIN && windowStart + window.length < end ? fill(0) : undefined),
    u8: () => view.getUint8(advance(1)),
    u16: () => view.getUint16(advance(2), true),
    u32: () => view.getUint32(advance(4), true),
    i32: () => view.getInt32(advance(4), true),
    u64: () => view.getBigUint64(advance(8), true),
    f64: () => view.getFloat64(advance(8)),
    async take(length) {
      if (window.length - at < length) await fill(length)
      const from = advance(length)
      return window.slice(from, from + length)
    },
    skip(length) {
      const position = windowStart + at
      if (BigInt(length) > BigInt(end - position))
        throw fail('value runs past the end', length, `at most ${end - position} bytes`)
      const count = Number(length)
      if (at + count <= window.length) at += count
      else {
        window = new Uint8Array(0)
        view = new DataView(window.buffer)
        windowStart = position + count
        at = 0
      }
      return fileRegion(file, position, count)
    },
    async line() {
      if (window.length - at < LONGEST_LINE) await fill(0)
      const stop = window.subarray(at, at + LONGEST_LINE).indexOf(LINE_FEED)
      if (stop < 0) throw fail('line without an end')
      const from = advance(stop + 1)
      return Buffer.from(window.subarray(from, from + stop)).toString('latin1')
    },
    hold() {
      if (++held > MAX_PICKLE_VALUES)
        throw fault('format.limit', {
          place: place(),
          what: 'pickle makes too many values',
          wanted: `at most ${MAX_PICKLE_VALUES}`,
        })
    },
    fail,
  }

  async function fill(least: number): Promise<void> {
    const position = windowStart + at
    window = await file.read(position, Math.min(Math.max(WINDOW, least), end - position))
    view = new DataView(window.buffer)
    windowStart = position
    at = 0
  }

  function advance(length: number): number {
    if (at + length > window.length) throw fail('pickle ends inside a value')
    at += length
    return at - length
  }

  function place(): string {
    return `${file.path}: byte ${windowStart + at}`
  }

  function fail(what: string, seen?: unknown, wanted?: unknown, hint?: string): Error {
    return fault('format.pickle', { place: place(), what, seen, wanted, hint })
  }
}

const WINDOW = 65_536
/** The longest opcode with a fixed argument takes nine bytes. */
const MARGIN = 16
/** Names of modules and classes. */
const LONGEST_LINE = 1_024
const LINE_FEED = 10
