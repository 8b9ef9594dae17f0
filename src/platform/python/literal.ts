/**
 * Python's literals as values: `ast.literal_eval`, for the lists and texts that task files and data sets write as
 * Python prints them.
 */

/** A text that is no literal of Python. */
export class PythonLiteralError extends Error {}

/** Lists, tuples and sets are arrays, dictionaries objects; integers that no number holds are bigints; a float that is whole is told from an integer. */
export type Literal =
  | string
  | number
  | bigint
  | boolean
  | null
  | { readonly kind: 'float'; readonly value: number }
  | readonly Literal[]
  | { readonly [key: string]: Literal }

/** Levels of brackets; Python gives up at about 200 of its own. */
const deepest = 200

/** Throws `PythonLiteralError` for anything that computes, names, or ends too early. */
export function literalEval(source: string): Literal {
  const reader: Reader = { source: source.replace(/^[ \t]+/, ''), at: 0, ahead: undefined }
  const value = values(reader)
  const { kind, text } = read(reader)
  if (kind !== 'end') throw new PythonLiteralError(`${JSON.stringify(text)} after the value`)
  return value
}

/** A text and how far it is read. */
interface Reader {
  readonly source: string
  at: number
  /** The token before `at`, when it was looked at and not yet taken. */
  ahead: Token | undefined
}

interface Token {
  readonly kind: 'text' | 'number' | 'word' | 'mark' | 'end'
  readonly text: string
}

const token =
  /(?:[ \t\f\r\n]|\\\r?\n|#[^\n]*)*(?:(?<text>[rRuU]?(?:"""(?:\\[^]|(?!""")[^\\])*"""|'''(?:\\[^]|(?!''')[^\\])*'''|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'))|(?<number>(?=\.?\d)(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:\d(?:_?\d)*)?\.?(?:\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?)(?![\w.]))|(?<word>True|False|None|set)(?!\w)|(?<mark>[[\](){},:+-]))/y

function scanned(reader: Reader): Token {
  token.lastIndex = reader.at
  const match = token.exec(reader.source)
  const { text, number, word, mark } = match?.groups ?? {}
  if (match === null || match[0].length === 0 || (number !== undefined && !/\d/.test(number))) {
    const rest = reader.source.slice(reader.at)
    if (/^(?:[ \t\f\r\n]|#[^\n]*)*$/.test(rest)) return { kind: 'end', text: '' }
    throw new PythonLiteralError(`no literal at ${JSON.stringify(rest.slice(0, 20))}`)
  }
  reader.at = token.lastIndex
  if (text !== undefined) return { kind: 'text', text }
  if (number !== undefined) return { kind: 'number', text: number }
  return word === undefined ? { kind: 'mark', text: mark ?? '' } : { kind: 'word', text: word }
}

function peek(reader: Reader): Token {
  return (reader.ahead ??= scanned(reader))
}

function read(reader: Reader): Token {
  const found = peek(reader)
  reader.ahead = undefined
  return found
}

/** Whether this mark comes next. */
function comes(reader: Reader, mark: string): boolean {
  const { kind, text } = peek(reader)
  return kind === 'mark' && text === mark
}

function skip(reader: Reader, mark: string): boolean {
  const found = comes(reader, mark)
  if (found) read(reader)
  return found
}

function commaWanted(reader: Reader): PythonLiteralError {
  return new PythonLiteralError(`${JSON.stringify(peek(reader).text)} where a comma is wanted`)
}

/** A value, or a tuple without its parentheses. */
function values(reader: Reader): Literal {
  const first = value(reader, 0)
  if (!comes(reader, ',')) return first
  const items = [first]
  while (skip(reader, ',')) {
    if (peek(reader).kind === 'end') break
    items.push(value(reader, 0))
  }
  return items
}

function value(reader: Reader, depth: number): Literal {
  if (depth > deepest) throw new PythonLiteralError('nests too deep')
  const found = read(reader)
  switch (found.kind) {
    case 'text': {
      // texts that stand side by side are one
      let text = textValue(found.text)
      while (peek(reader).kind === 'text') text += textValue(read(reader).text)
      return text
    }
    case 'number':
      return numberValue(found.text)
    case 'word':
      if (found.text === 'set') {
        if (read(reader).text !== '(' || read(reader).text !== ')') throw new PythonLiteralError('a call')
        return []
      }
      return found.text === 'None' ? null : found.text === 'True'
    case 'mark':
      return marked(reader, found.text, depth)
    case 'end':
      throw new PythonLiteralError('ends too early')
    default:
      return found.kind satisfies never
  }
}

function marked(reader: Reader, mark: string, depth: number): Literal {
  if (mark === '-' || mark === '+') {
    const next = value(reader, depth + 1)
    if (typeof next === 'number' || typeof next === 'bigint') return mark === '-' ? -next : next
    if (isFloat(next)) return mark === '-' ? wholeFloat(-next.value) : next
    throw new PythonLiteralError('a sign before no number')
  }
  if (mark === '[') return listed(reader, ']', depth).list
  if (mark === '(') {
    const { list, commas } = listed(reader, ')', depth)
    const [only] = list
    return list.length === 1 && commas === 0 && only !== undefined ? only : list
  }
  if (mark === '{') return braces(reader, depth)
  throw new PythonLiteralError(`${mark} where a value is wanted`)
}

function listed(reader: Reader, close: string, depth: number): { list: Literal[]; commas: number } {
  const list: Literal[] = []
  let commas = 0
  while (!comes(reader, close)) {
    list.push(value(reader, depth + 1))
    if (skip(reader, ',')) commas++
    else if (!comes(reader, close)) throw commaWanted(reader)
  }
  read(reader)
  return { list, commas }
}

function braces(reader: Reader, depth: number): Literal {
  const entries: [string, Literal][] = []
  const members: Literal[] = []
  while (!comes(reader, '}')) {
    const key = value(reader, depth + 1)
    if (skip(reader, ':')) entries.push([typeof key === 'string' ? key : JSON.stringify(key), value(reader, depth + 1)])
    else members.push(key)
    if (!skip(reader, ',') && !comes(reader, '}')) throw commaWanted(reader)
  }
  read(reader)
  if (entries.length > 0 && members.length > 0) throw new PythonLiteralError('a set and a dictionary at once')
  return members.length > 0 ? members : Object.fromEntries(entries)
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
  if (!/^0[xXoObB]/.test(text) && /[.eE]/.test(text)) return wholeFloat(value)
  return Number.isSafeInteger(value) ? value : BigInt(text)
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
 * The text between quotes, with its escapes read (`unicode-escape`); an escape that Python does not know stays. Throws
 * `PythonLiteralError`.
 */
export function unescaped(body: string): string {
  return body.replace(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(x|u|U|N)|([^]))/g,
    (whole, ...groups: (string | undefined)[]) => {
      const [octal, byte, unit, long, broken, one] = groups
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
