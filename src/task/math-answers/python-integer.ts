/** What Python's `int` makes of a text: white space around, a sign, digits with single underscores between them. */
import { stripText } from '#core'

export function pythonInteger(text: string): bigint | undefined {
  const digits = asciiDigits(stripText(text))
  return /^[+-]?\d+(?:_\d+)*$/.test(digits) ? BigInt(digits.replaceAll('_', '').replace('+', '')) : undefined
}

/** Digits of all scripts as those of ASCII. */
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    // mathematical digits stand in five rows without a gap
    if (code >= 0x1d7ce && code <= 0x1d7ff) return `${(code - 0x1d7ce) % 10}`
    let value = 0
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
    return `${value}`
  })
}
