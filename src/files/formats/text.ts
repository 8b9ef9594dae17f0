/** Text from bytes, and places in it. */
import { fault, type FaultCode } from '#core'

/** Strict UTF-8; `code` when the bytes are something else. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array, code: FaultCode, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw fault(code, { place, what: 'not UTF-8 text', cause: error })
  }
}

/** `place:line:column`, both from 1, of an index into the text, which begins at `start`. */
export function lineAndColumn(
  place: string,
  text: string,
  index: number,
  start: { readonly line: number; readonly column: number } = { line: 1, column: 1 },
): string {
  let { line } = start
  let first = 1 - start.column
  for (let next = text.indexOf('\n'); next >= 0 && next < index; next = text.indexOf('\n', first)) {
    line++
    first = next + 1
  }
  return `${place}:${line}:${index - first + 1}`
}
