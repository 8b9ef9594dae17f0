/**
 * Python literals as `samples.csv` holds them – tuples and lists of strings and numbers –, read without being
 * evaluated.
 */
import { fault } from '#core'

export type PythonLiteral = string | number | boolean | null | PythonLiteral[]

/** How deep tuples may lie in one another: those of Holmes lie two deep. */
const deepest = 16
const words: Readonly<Record<string, PythonLiteral>> = { None: null, True: true, False: false }
const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
}

/** Throws `table.read` for what is no such literal. */
export function parsePythonLiteral(text: string, place: string): PythonLiteral {
  let at = 0
  const refuse = (what: string): never => {
    throw fault('table.read', {
      place,
      what,
      seen: text.slice(at, at + 40),
      wanted: 'a Python tuple of strings and numbers',
    })
  }
  const space = (): void => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  const quoted = (raw: boolean): string => {
    const mark = text.startsWith(`${text[at]}${text[at]}${text[at]}`, at) ? text.slice(at, at + 3) : (text[at] ?? '')
    at += mark.length
    let value = ''
    while (!text.startsWith(mark, at)) {
      if (at >= text.length) refuse('a string has no end')
      if (text[at] === '\\' && !raw) value += escaped()
      else value += text[at++]
    }
    at += mark.length
    return value
  }
  const escaped = (): string => {
    const [whole, hex2, hex4, hex8, octal] =
      /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/.exec(text.slice(at, at + 10)) ?? []
    if (whole !== undefined) {
      at += whole.length
      const code = octal === undefined ? parseInt(hex2 ?? hex4 ?? hex8 ?? '', 16) : parseInt(octal, 8)
      if (code > 0x10ffff) refuse('no such character')
      return String.fromCodePoint(code)
    }
    const known = escapes[text[at + 1] ?? '']
    at += known === undefined ? 1 : 2
    return known ?? '\\' // as Python: an unknown escape stays as it is
  }
  const list = (end: string, depth: number): PythonLiteral => {
    at++
    const values: PythonLiteral[] = []
    let commas = 0
    for (space(); text[at] !== end; space()) {
      if (values.length > commas) refuse('a comma is missing')
      values.push(value(depth + 1))
      space()
      if (text[at] === ',') {
        at++
        commas++
      }
    }
    at++
    // (x) is x: only the comma makes a tuple
    return end === ')' && commas === 0 && values[0] !== undefined ? values[0] : values
  }
  const value = (depth: number): PythonLiteral => {
    if (depth > deepest) refuse('nested too deeply')
    space()
    const prefix = /^[uUrR]?(?=['"])/.exec(text.slice(at, at + 2))
    if (prefix !== null) {
      at += prefix[0].length
      let whole = quoted(/r/i.test(prefix[0]))
      // neighbours are one string
      for (space(); text[at] === "'" || text[at] === '"'; space()) whole += quoted(false)
      return whole
    }
    if (text[at] === '(') return list(')', depth)
    if (text[at] === '[') return list(']', depth)
    const [number] = /^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(text.slice(at)) ?? []
    if (number !== undefined) {
      at += number.length
      return Number(number.replaceAll('_', ''))
    }
    const [word = ''] = /^[A-Za-z]+/.exec(text.slice(at)) ?? []
    const known = words[word]
    if (known === undefined) return refuse('not a literal')
    at += word.length
    return known
  }
  const found = value(0)
  space()
  if (at < text.length) refuse('something follows the literal')
  return found
}
