/** Order and trimming of text as Python has them, where JavaScript differs. */

/** Order by code points – also the order of UTF-8 bytes – where `<` compares UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above all others, but lie below U+E000 … U+FFFF as units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** Order by UTF-16 units, as `<` and a plain `sort()` have it. */
export function compareUnits(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}

/** Python's `str.strip()`: unlike `trim` it takes U+001C … U+001F and U+0085, and leaves the byte order mark. */
export function stripText(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x1f)
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0
  return (
    unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || [0x2028, 0x2029, 0x202f, 0x205f, 0x3000].includes(unit)
  )
}
