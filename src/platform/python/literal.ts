/**
 * Python's literals as values: `ast.literal_eval`, for the lists and texts that task files and data sets write as
 * Python prints them.
 */

/** A text that is no literal of Python. */
export class PythonLiteralError extends Error {}

/** Lists, tuples and sets are arrays, dictionaries objects; a float that is whole is told from an integer. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | { readonly kind: 'float'; readonly value: number }
  | readonly Literal[]
  | { readonly [key: string]: Literal }

/** Levels of brackets; Python gives up at about 200 of its own. */
const deepest = 200

/** Throws `PythonLiteralError` for anything that computes, names, or ends too early. */
export function literalEval(source: string): Literal {
  const reader = newReader(source.replace(/^[ \t]+/, ''))
  const value = reader.value(0, true)
  reader.end()
  return value
}

interface Reader {
  value(depth: number, open: boolean): Literal
  end(): void
}

const token =
  /(?:[ \t\f\r\n]|\\\r?\n|#[^\n]*)*(?:(?<text>[rRuU]?(?:"""(?:\\[^]|(?!""")[^\\])*"""|'''(?:\\[^]|(?!''')[^\\])*'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'))|(?<number>(?=\.?\d)(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.?(?:\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?)(?![\w.]))|(?<word>True|False|None|set)(?!\w)|(?<mark>[[\](){},:+-]))/y

function newReader(source: string): Reader {
  let at = 0
  interface Found {
    readonly kind: 'text' | 'number' | 'word' | 'mark' | 'end'
    readonly text: string
  }
  const read = (): Found => {
    token.lastIndex = at
    const match = token.exec(source)
    const { text, number, word, mark } = match?.groups ?? {}
    if (match === null || match[0].length === 0 || (number !== undefined && !/\d/.test(number))) {
      if (/^(?:[ \t\f\r\n]|#[^\n]*)*$/.test(source.slice(at))) return { kind: 'end', text: '' }
      throw new PythonLiteralError(`no literal at ${JSON.stringify(source.slice(at, at + 20))}`)
    }
    at = token.lastIndex
    if (text !== undefined) return { kind: 'text', text }
    if (number !== undefined) return { kind: 'number', text: number }
    return word === undefined ? { kind: 'mark', text: mark ?? '' } : { kind: 'word', text: word }
  }
  const peek = (): Found => {
    const before = at
    const found = read()
    at = before
    return found
  }

  function value(depth: number, open: boolean): Literal {
    const first = one(depth)
    if (!open || peek().text !== ',' || peek().kind !== 'mark') return first
    const items = [first]
    while (peek().text === ',') {
      read()
      if (peek().kind === 'end') break
      items.push(one(depth))
    }
    return items
  }

  function one(depth: number): Literal {
    if (depth > deepest) throw new PythonLiteralError('nests too deep')
    const found = read()
    switch (found.kind) {
      case 'text': {
        // texts that stand side by side are one
        let text = textValue(found.text)
        while (peek().kind === 'text') text += textValue(read().text)
        return text
      }
      case 'number':
        return numberValue(found.text)
      case 'word':
        if (found.text === 'set') {
          if (read().text !== '(' || read().text !== ')') throw new PythonLiteralError('a call')
          return []
        }
        return found.text === 'None' ? null : found.text === 'True'
      case 'mark':
        return marked(found.text, depth)
      case 'end':
        throw new PythonLiteralError('ends too early')
      default:
        return found.kind satisfies never
    }
  }

  function marked(mark: string, depth: number): Literal {
    if (mark === '-' || mark === '+') {
      const next = one(depth + 1)
      if (typeof next === 'number') return mark === '-' ? -next : next
      if (isFloat(next)) return mark === '-' ? wholeFloat(-next.value) : next
      throw new PythonLiteralError('a sign before no number')
    }
    if (mark === '[') return items(']', depth).list
    if (mark === '(') {
      const { list, commas } = items(')', depth)
      const [only] = list
      return list.length === 1 && commas === 0 && only !== undefined ? only : list
    }
    if (mark === '{') return braces(depth)
    throw new PythonLiteralError(`${mark} where a value is wanted`)
  }

  function items(close: string, depth: number): { list: Literal[]; commas: number } {
    const list: Literal[] = []
    let commas = 0
    while (peek().text !== close || peek().kind !== 'mark') {
      list.push(one(depth + 1))
      if (peek().text === ',' && peek().kind === 'mark') {
        read()
        commas++
      } else if (peek().text !== close || peek().kind !== 'mark')
        throw new PythonLiteralError(`${JSON.stringify(peek().text)} where a comma is wanted`)
    }
    read()
    return { list, commas }
  }

  function braces(depth: number): Literal {
    const entries: [string, Literal][] = []
    const members: Literal[] = []
    while (peek().text !== '}' || peek().kind !== 'mark') {
      const key = one(depth + 1)
      if (peek().text === ':' && peek().kind === 'mark') {
        read()
        entries.push([typeof key === 'string' ? key : JSON.stringify(key), one(depth + 1)])
      } else members.push(key)
      if (peek().text === ',' && peek().kind === 'mark') read()
      else if (peek().text !== '}')
        throw new PythonLiteralError(`${JSON.stringify(peek().text)} where a comma is wanted`)
    }
    read()
    if (entries.length > 0 && members.length > 0) throw new PythonLiteralError('a set and a dictionary at once')
    return members.length > 0 ? members : Object.fromEntries(entries)
  }

  return {
    value,
    end() {
      const { kind, text } = read()
      if (kind !== 'end') throw new PythonLiteralError(`${JSON.stringify(text)} after the value`)
    },
  }
}

function isFloat(value: Literal): value is { readonly kind: 'float'; readonly value: number } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && value['kind' as never] === 'float'
}

function wholeFloat(value: number): Literal {
  return Number.isInteger(value) ? { kind: 'float', value } : value
}

function numberValue(written: string): Literal {
  const text = written.replaceAll('_', '')
  if (/^0\d/.test(text) && !/[.eE]/.test(text) && !/^0+$/.test(text))
    throw new PythonLiteralError('leading zeros in decimal integer literals are not permitted')
  const value = Number(text)
  return /^0[xXoObB]/.test(text) || !/[.eE]/.test(text) ? value : wholeFloat(value)
}

const short: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
}

function textValue(written: string): string {
  const [, prefix = '', quotes = ''] = /^([a-zA-Z]?)("""|'''|"|')/.exec(written) ?? []
  const body = written.slice(prefix.length + quotes.length, -quotes.length).replace(/\r\n?/g, '\n')
  return /r/i.test(prefix) ? body : unescaped(body)
}

/**
 * What stands between the marks of a text, its escapes read (`unicode-escape`); one that Python does not know stays.
 * Throws `PythonLiteralError`.
 */
export function unescaped(body: string): string {
  return body.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(x|u|U|N)|([^]))/g,
    (whole, octal?: string, byte?: string, unit?: string, long?: string, broken?: string, one?: string) => {
      if (broken !== undefined) throw new PythonLiteralError(`an escape that is cut off, or a name: ${whole}`)
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      const code = byte ?? unit ?? long
      if (code === undefined) return short[one ?? ''] ?? whole
      const point = Number.parseInt(code, 16)
      if (point > 0x10ffff) throw new PythonLiteralError(`no such character: ${whole}`)
      return String.fromCodePoint(point)
    },
  )
}
