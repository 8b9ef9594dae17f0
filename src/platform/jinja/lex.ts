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

/** A template's text, how far it is read, and the tokens found. */
interface Lexer {
  readonly text: string
  /** `trim_blocks` and `lstrip_blocks`; without them `keep_trailing_newline`. */
  readonly trimmed: boolean
  readonly ends: Ends
  readonly tokens: Token[]
  at: number
}

/** What ends a tag, by its kind. */
type Ends = Readonly<Record<'block' | 'print' | 'comment' | 'raw', RegExp>>

/** Throws `TemplateError`. */
export function tokenize(source: string, dialect: Dialect): Token[] {
  const trimmed = dialect === 'chat'
  const lines = source.replace(/\r\n?/g, '\n')
  const text = trimmed && lines.endsWith('\n') ? lines.slice(0, -1) : lines
  const lexer: Lexer = { text, trimmed, ends: endsOf(trimmed), tokens: [], at: 0 }
  while (lexer.at < text.length) readPart(lexer)
  return lexer.tokens
}

function endsOf(trimmed: boolean): Ends {
  // a line break that goes with the tag before it
  const dropped = trimmed ? '\\n?' : ''
  return {
    block: new RegExp(`\\+%\\}|-%\\}[${spaceClass}]*|%\\}${dropped}`, 'y'),
    print: new RegExp(`-\\}\\}[${spaceClass}]*|\\}\\}`, 'y'),
    comment: new RegExp(`\\+#\\}|-#\\}[${spaceClass}]*|#\\}${dropped}`, 'g'),
    raw: new RegExp(
      `\\{%([-+]?)[${spaceClass}]*endraw[${spaceClass}]*(?:\\+%\\}|-%\\}[${spaceClass}]*|%\\}${dropped})`,
      'g',
    ),
  }
}

/** The text up to the next tag, and that tag. */
function readPart(lexer: Lexer): void {
  const { text, tokens, ends } = lexer
  const tag = nextTag(text, lexer.at)
  const kind = text[tag + 1] ?? ''
  const sign = /[-+]/.exec(text[tag + 2] ?? '')?.[0] ?? ''
  pushText(lexer, tag, tag === text.length ? '+' : sign, kind === '{')
  lexer.at = tag
  if (tag === text.length) return
  if (matched(lexer, rawOpen) !== undefined) {
    readRaw(lexer)
    return
  }
  lexer.at += 2 + sign.length
  if (kind === '#') skipComment(lexer)
  else if (kind === '{') {
    tokens.push({ type: 'open print', value: '' })
    readTag(lexer, ends.print, 'close print')
  } else {
    tokens.push({ type: 'open block', value: '' })
    readTag(lexer, ends.block, 'close block')
  }
}

function matched(lexer: Lexer, pattern: RegExp): string | undefined {
  pattern.lastIndex = lexer.at
  const found = pattern.exec(lexer.text)?.[0]
  if (found !== undefined) lexer.at += found.length
  return found
}

/** Text up to `end`, where a tag with `sign` stands. */
function pushText({ text, trimmed, tokens, at }: Lexer, end: number, sign: string, isPrint: boolean): void {
  let kept = text.slice(at, end)
  if (sign === '-') kept = withoutEnd(kept)
  else if (trimmed && sign !== '+' && !isPrint) {
    const line = kept.lastIndexOf('\n') + 1
    const startsLine = line > 0 || at === 0 || text[at - 1] === '\n'
    if (startsLine && withoutEnd(kept.slice(line)) === '') kept = kept.slice(0, line)
  }
  if (kept !== '') tokens.push({ type: 'text', value: kept })
}

function readRaw(lexer: Lexer): void {
  const { raw } = lexer.ends
  raw.lastIndex = lexer.at
  const end = raw.exec(lexer.text)
  if (end === null) throw new TemplateError('Missing end of raw directive')
  pushText(lexer, end.index, end[1] ?? '', false)
  lexer.at = end.index + end[0].length
}

function skipComment(lexer: Lexer): void {
  const { comment } = lexer.ends
  comment.lastIndex = lexer.at
  const end = comment.exec(lexer.text)
  if (end === null) throw new TemplateError('Missing end of comment tag')
  lexer.at = end.index + end[0].length
}

/** Up to the tag's end, which inside of brackets is none. */
function readTag(lexer: Lexer, end: RegExp, close: TokenType): void {
  const open: string[] = []
  while (lexer.at < lexer.text.length) {
    if (open.length === 0) {
      const ended = matched(lexer, end)
      if (ended !== undefined) {
        lexer.tokens.push({ type: close, value: ended })
        return
      }
    }
    if (matched(lexer, spaces) === undefined) lexer.tokens.push(readToken(lexer, open))
  }
  throw new TemplateError('unexpected end of template: a tag is not closed')
}

function readToken(lexer: Lexer, open: string[]): Token {
  const read = matched(lexer, float)
  if (read !== undefined) return { type: 'float', value: read.replaceAll('_', '') }
  const whole = matched(lexer, integer)
  if (whole !== undefined) return { type: 'integer', value: whole.replaceAll('_', '') }
  const word = matched(lexer, name)
  if (word !== undefined) {
    if (!identifier.test(word)) throw new TemplateError('Invalid character in identifier')
    return { type: 'name', value: word }
  }
  const quoted = matched(lexer, string)
  if (quoted !== undefined) return { type: 'string', value: textOf(quoted.slice(1, -1)) }
  const { text, at } = lexer
  const sign = matched(lexer, operator)
  if (sign === undefined)
    throw new TemplateError(`unexpected char '${String.fromCodePoint(text.codePointAt(at) ?? 0)}' at ${at}`)
  if (closing[sign] !== undefined) open.push(closing[sign])
  else if ([')', ']', '}'].includes(sign) && open.pop() !== sign) throw new TemplateError(`unexpected '${sign}'`)
  return { type: 'operator', value: sign }
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
