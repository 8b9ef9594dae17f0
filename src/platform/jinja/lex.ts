/** A template's text cut into tokens, by the rules of Jinja2's lexer (3.1). */
import { PythonLiteralError, unescaped } from '#platform/python'
import type { Dialect } from './dialect.ts'
import { spaceClass } from './strings.ts'
import { TemplateError } from './values.ts'

export type TokenType =
  | 'text'
  | 'open print'
  | 'close print'
  | 'open block'
  | 'close block'
  | 'name'
  | 'string'
  | 'integer'
  | 'float'
  | 'operator'
  | 'end'

export interface Token {
  readonly type: TokenType
  readonly value: string
}

const spaces = new RegExp(`[${spaceClass}]+`, 'y')
const rawOpen = new RegExp(`\\{%[-+]?[${spaceClass}]*raw[${spaceClass}]*(?:-%\\}[${spaceClass}]*|%\\})`, 'y')
const float = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy
const integer = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy
const name = /[\p{L}\p{N}\p{M}\p{Pc}·]+/uy
const identifier = /^[\p{ID_Start}_]\p{ID_Continue}*$/u
const string = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y
const operator = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}<>=.:|,;]/y
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Throws `TemplateError`. */
export function tokenize(source: string, dialect: Dialect): Token[] {
  // `trim_blocks` and `lstrip_blocks`; else `keep_trailing_newline`
  const trimmed = dialect === 'chat'
  const lines = source.replace(/\r\n?/g, '\n')
  const text = trimmed && lines.endsWith('\n') ? lines.slice(0, -1) : lines
  // a line break that goes with the tag before it
  const dropped = trimmed ? '\\n?' : ''
  const blockEnd = new RegExp(`\\+%\\}|-%\\}[${spaceClass}]*|%\\}${dropped}`, 'y')
  const printEnd = new RegExp(`-\\}\\}[${spaceClass}]*|\\}\\}`, 'y')
  const commentEnd = new RegExp(`\\+#\\}|-#\\}[${spaceClass}]*|#\\}${dropped}`, 'g')
  const rawEnd = new RegExp(
    `\\{%([-+]?)[${spaceClass}]*endraw[${spaceClass}]*(?:\\+%\\}|-%\\}[${spaceClass}]*|%\\}${dropped})`,
    'g',
  )
  const tokens: Token[] = []
  let at = 0

  const matched = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }

  /** Text from `begin` to `end`, where a tag with `sign` stands. */
  const pushText = (begin: number, end: number, sign: string, isPrint: boolean): void => {
    let kept = text.slice(begin, end)
    if (sign === '-') kept = withoutEnd(kept)
    else if (trimmed && sign !== '+' && !isPrint) {
      const line = kept.lastIndexOf('\n') + 1
      const startsLine = line > 0 || begin === 0 || text[begin - 1] === '\n'
      if (startsLine && withoutEnd(kept.slice(line)) === '') kept = kept.slice(0, line)
    }
    if (kept !== '') tokens.push({ type: 'text', value: kept })
  }

  const readRaw = (): void => {
    const begin = at
    rawEnd.lastIndex = at
    const end = rawEnd.exec(text)
    if (end === null) throw new TemplateError('Missing end of raw directive')
    pushText(begin, end.index, end[1] ?? '', false)
    at = end.index + end[0].length
  }

  const skipComment = (): void => {
    commentEnd.lastIndex = at
    const end = commentEnd.exec(text)
    if (end === null) throw new TemplateError('Missing end of comment tag')
    at = end.index + end[0].length
  }

  /** Up to the tag's end, which inside of brackets is none. */
  const readTag = (end: RegExp, close: TokenType): void => {
    const open: string[] = []
    while (at < text.length) {
      if (open.length === 0) {
        const ended = matched(end)
        if (ended !== undefined) {
          tokens.push({ type: close, value: ended })
          return
        }
      }
      if (matched(spaces) === undefined) tokens.push(readToken(open))
    }
    throw new TemplateError('unexpected end of template: a tag is not closed')
  }

  const readToken = (open: string[]): Token => {
    const read = matched(float)
    if (read !== undefined) return { type: 'float', value: read.replaceAll('_', '') }
    const whole = matched(integer)
    if (whole !== undefined) return { type: 'integer', value: whole.replaceAll('_', '') }
    const word = matched(name)
    if (word !== undefined) {
      if (!identifier.test(word)) throw new TemplateError('Invalid character in identifier')
      return { type: 'name', value: word }
    }
    const quoted = matched(string)
    if (quoted !== undefined) return { type: 'string', value: textOf(quoted.slice(1, -1)) }
    const sign = matched(operator)
    if (sign === undefined)
      throw new TemplateError(`unexpected char '${String.fromCodePoint(text.codePointAt(at) ?? 0)}' at ${at}`)
    if (closing[sign] !== undefined) open.push(closing[sign])
    else if ([')', ']', '}'].includes(sign) && open.pop() !== sign) throw new TemplateError(`unexpected '${sign}'`)
    return { type: 'operator', value: sign }
  }

  while (at < text.length) {
    const begin = at
    const tag = nextTag(text, begin)
    const kind = text[tag + 1] ?? ''
    const sign = /[-+]/.exec(text[tag + 2] ?? '')?.[0] ?? ''
    pushText(begin, tag, tag === text.length ? '+' : sign, kind === '{')
    at = tag
    if (tag === text.length) break
    if (matched(rawOpen) !== undefined) {
      readRaw()
      continue
    }
    at += 2 + sign.length
    if (kind === '#') skipComment()
    else {
      tokens.push({ type: kind === '{' ? 'open print' : 'open block', value: '' })
      if (kind === '{') readTag(printEnd, 'close print')
      else readTag(blockEnd, 'close block')
    }
  }
  return tokens
}

/** Where the next `{{`, `{%` or `{#` stands; the text's length without one. */
function nextTag(text: string, from: number): number {
  for (let at = text.indexOf('{', from); at >= 0; at = text.indexOf('{', at + 1))
    if (['{', '%', '#'].includes(text[at + 1] ?? '')) return at
  return text.length
}

const space = new RegExp(`[${spaceClass}]`)

function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && space.test(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}

function textOf(body: string): string {
  try {
    return unescaped(body)
  } catch (error) {
    if (error instanceof PythonLiteralError) throw new TemplateError(error.message)
    throw error
  }
}
