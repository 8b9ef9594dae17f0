/** Places in JSON texts that were read before. */
import { lineAndColumn } from './text.ts'

/**
 * Where the value at a path stands, `place:line:column` – of the nearest value around it if it is not there. `ofKey`
 * names the key itself. One walk over the text, which must be JSON.
 */
export function locateJson(text: string, place: string, path: readonly PropertyKey[], ofKey = false): string {
  let at = afterSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0)
  let shown = at
  for (const [depth, key] of path.entries()) {
    const found = memberOf(text, at, key)
    if (found === undefined) break
    shown = ofKey && depth === path.length - 1 ? found.key : found.value
    at = found.value
  }
  return lineAndColumn(place, text, shown)
}

/** The last one of a key that occurs twice: it is the one that counts. */
function memberOf(text: string, from: number, key: PropertyKey): { key: number; value: number } | undefined {
  const open = text[from]
  if (open !== '{' && open !== '[') return undefined
  let found: { key: number; value: number } | undefined
  let at = afterSpace(text, from + 1)
  for (let index = 0; at < text.length && text[at] !== '}' && text[at] !== ']'; index++) {
    const start = at
    let name: PropertyKey = index
    if (open === '{') {
      const end = afterString(text, at)
      name = JSON.parse(text.slice(at, end)) as string
      at = afterSpace(text, afterSpace(text, end) + 1)
    }
    if (name === key) found = { key: start, value: at }
    if (open === '[' && index === key) return found
    at = afterSpace(text, afterValue(text, at))
    if (text[at] === ',') at = afterSpace(text, at + 1)
  }
  return found
}

function afterValue(text: string, from: number): number {
  let at = from
  let depth = 0
  do {
    const letter = text[at]
    if (letter === '"') at = afterString(text, at)
    else {
      if (letter === '{' || letter === '[') depth++
      else if (letter === '}' || letter === ']') depth--
      at++
    }
  } while (depth > 0 && at < text.length)
  // the rest of a number or a word
  while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++
  return at
}

function afterString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] ?? '')) at++
  return at
}
