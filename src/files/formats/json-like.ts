/** A JSON text that keeps another one's floats: Python tells `0.0` from `0`, and strict config classes ask for it. */
import { isObject } from './json-fields.ts'
import { parsePythonJson } from './json.ts'

/** Strings, or numbers outside of strings. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const mark = '\u0000float '
const marked = /"\\u0000float ([^"]*)"/g

/**
 * `value` as JSON, two spaces a level and a line feed at its end. A whole number stands as a float (`7.0`) where the text
 * `original` has one in its place.
 */
export function jsonLike(value: unknown, original: string, place: string): string {
  const floats = wholeFloats(original, place)
  const kept = floats.size === 0 ? value : withMarks(value, '', floats)
  return `${JSON.stringify(kept, undefined, 2).replaceAll(marked, '$1.0')}\n`
}

/** Paths of numbers that are whole and written as floats. */
function wholeFloats(text: string, place: string): ReadonlySet<string> {
  const written = text.replaceAll(tokens, (token) =>
    !token.startsWith('"') && /[.eE]/.test(token) && Number.isSafeInteger(Number(token))
      ? JSON.stringify(mark + token)
      : token,
  )
  const paths = new Set<string>()
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string' && value.startsWith(mark)) paths.add(path)
    else if (Array.isArray(value)) value.forEach((one, index) => walk(one, `${path}\n${index}`))
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) walk(one, `${path}\n${key}`)
  }
  walk(parsePythonJson(written, place), '')
  return paths
}

function withMarks(value: unknown, path: string, floats: ReadonlySet<string>): unknown {
  if (Number.isSafeInteger(value) && floats.has(path)) return `${mark}${String(value)}`
  if (Array.isArray(value)) return value.map((one, index) => withMarks(one, `${path}\n${index}`, floats))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withMarks(one, `${path}\n${key}`, floats)]))
}
