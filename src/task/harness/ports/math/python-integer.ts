/** What Python's `int` makes of a text: white space around, a sign, digits with single underscores between them. */
import { stripText } from '#core'

export function pythonInteger(text: string): bigint | undefined {
  const digits = stripText(text)
  return /^[+-]?\d+(?:_\d+)*$/.test(digits) ? BigInt(digits.replaceAll('_', '').replace('+', '')) : undefined
}
