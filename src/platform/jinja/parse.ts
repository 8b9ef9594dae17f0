/**
 * Statements of a template. No template is read from elsewhere: `extends`, `include`, `import` and `block` are unknown
 * tags.
 */
import type { Dialect } from './dialect.ts'
import { tokenize } from './lex.ts'
import type { Expression, Parameter, Program, Statement, Target } from './nodes.ts'
import { expression, filters, tuple } from './parse-expression.ts'
import { streamOf, type TokenStream } from './token-stream.ts'
import { TemplateError } from './values.ts'

/** Throws `TemplateError`. */
export function parse(source: string, dialect: Dialect): Program {
  const stream = streamOf(tokenize(source, dialect))
  return { body: statements({ stream, readers: dialect === 'chat' ? chatReaders : rowReaders }) }
}

interface Parser {
  readonly stream: TokenStream
  /** What follows the name of a tag, by that name. */
  readonly readers: Readonly<Record<string, (parser: Parser) => Statement>>
}

const rowReaders: Parser['readers'] = {
  if: readIf,
  for: readFor,
  set: readSet,
  macro: readMacro,
  call: readCall,
  filter: (parser) => ({
    type: 'FilterBlock',
    filters: filters(parser.stream, true),
    body: bodyTo(parser, 'endfilter'),
  }),
  with: readWith,
}

const chatReaders: Parser['readers'] = {
  ...rowReaders,
  break: () => ({ type: 'Break' }),
  continue: () => ({ type: 'Continue' }),
  // of transformers: what the model said, for masks of training
  generation: (parser) => ({ type: 'With', entries: [], body: bodyTo(parser, 'endgeneration') }),
}

/** Up to a block that begins with one of `ends`, its name left for the caller. */
function statements(parser: Parser, ...ends: string[]): Statement[] {
  const { stream } = parser
  const found: Statement[] = []
  for (;;) {
    const { type, value } = stream.peek()
    if (type === 'end' && ends.length === 0) return found
    if (type === 'text') {
      stream.take()
      found.push({ type: 'Text', text: value })
    } else if (type === 'open print') {
      stream.take()
      found.push({ type: 'Print', value: tuple(stream) })
      stream.expect('close print')
    } else if (type === 'open block') {
      stream.take()
      if (stream.isName(...ends)) return found
      found.push(statement(parser))
      stream.expect('close block')
    } else throw stream.unexpected()
  }
}

/** The statements between a tag's end and the block `end`. */
function body(parser: Parser, ...ends: string[]): Statement[] {
  parser.stream.skipOperator(':')
  parser.stream.expect('close block')
  return statements(parser, ...ends)
}

function bodyTo(parser: Parser, end: string): Statement[] {
  const found = body(parser, end)
  parser.stream.take()
  return found
}

function statement(parser: Parser): Statement {
  const name = parser.stream.takeName()
  const read = Object.hasOwn(parser.readers, name) ? parser.readers[name] : undefined
  if (read === undefined) throw new TemplateError(`Encountered unknown tag '${name}'.`)
  return read(parser)
}

function readIf(parser: Parser): Statement {
  const { stream } = parser
  const test = tuple(stream, false)
  const then = body(parser, 'elif', 'else', 'endif')
  if (stream.skipName('elif')) return { type: 'If', test, body: then, otherwise: [readIf(parser)] }
  if (stream.skipName('else')) return { type: 'If', test, body: then, otherwise: bodyTo(parser, 'endif') }
  stream.take()
  return { type: 'If', test, body: then, otherwise: [] }
}

function readFor(parser: Parser): Statement {
  const { stream } = parser
  const target = targets(stream, nameTarget)
  if (!stream.skipName('in')) throw stream.unexpected()
  const iterable = tuple(stream, false)
  const test = stream.skipName('if') ? expression(stream) : undefined
  if (stream.isName('recursive')) throw new TemplateError('recursive loops are not known')
  const turns = body(parser, 'endfor', 'else')
  const otherwise = stream.take().value === 'else' ? bodyTo(parser, 'endfor') : []
  return { type: 'For', target, iterable, test, body: turns, otherwise }
}

function readSet(parser: Parser): Statement {
  const { stream } = parser
  const target = targets(stream, entryTarget)
  if (stream.skipOperator('=')) return { type: 'Set', target, value: tuple(stream) }
  return { type: 'SetBlock', target, filters: filters(stream, false), body: bodyTo(parser, 'endset') }
}

function readMacro(parser: Parser): Statement {
  const { stream } = parser
  const { name } = nameTarget(stream)
  const begin = stream.position()
  const read = { parameters: parameters(stream), body: bodyTo(parser, 'endmacro') }
  const takesMore = { positional: stream.named('varargs', begin), named: stream.named('kwargs', begin) }
  return { type: 'Macro', name, ...read, takesMore }
}

function readCall(parser: Parser): Statement {
  const { stream } = parser
  const given = stream.isOperator('(') ? parameters(stream) : []
  const call = expression(stream)
  if (call.type !== 'Call') throw new TemplateError('expected call')
  return { type: 'CallBlock', call, parameters: given, body: bodyTo(parser, 'endcall') }
}

function readWith(parser: Parser): Statement {
  const { stream } = parser
  const entries: (readonly [Target, Expression])[] = []
  while (stream.peek().type !== 'close block') {
    if (entries.length > 0) stream.takeOperator(',')
    const target = targets(stream, nameTarget, true)
    stream.takeOperator('=')
    entries.push([target, expression(stream)])
  }
  return { type: 'With', entries, body: bodyTo(parser, 'endwith') }
}

function parameters(stream: TokenStream): Parameter[] {
  const found: Parameter[] = []
  stream.takeOperator('(')
  while (!stream.skipOperator(')')) {
    if (found.length > 0) stream.takeOperator(',')
    const { name } = nameTarget(stream)
    const fallback = stream.skipOperator('=') ? expression(stream) : undefined
    if (fallback === undefined && found.at(-1)?.fallback !== undefined)
      throw new TemplateError('non-default argument follows default argument')
    if (found.some((other) => other.name === name)) throw new TemplateError(`two arguments are named ${name}`)
    found.push({ name, fallback })
  }
  return found
}

type ReadTarget = (stream: TokenStream) => Target

/** One target, or several between commas, with or without parentheses. */
function targets(stream: TokenStream, one: ReadTarget, single = false): Target {
  const first = inParentheses(stream, one)
  if (single || !stream.isOperator(',')) return first
  const found = [first]
  while (stream.skipOperator(',') && !stream.endsTuple()) found.push(inParentheses(stream, one))
  return { type: 'Targets', targets: found }
}

function inParentheses(stream: TokenStream, one: ReadTarget): Target {
  if (!stream.skipOperator('(')) return one(stream)
  const inside = targets(stream, one)
  stream.takeOperator(')')
  return inside
}

function nameTarget(stream: TokenStream): Target & { type: 'Name' } {
  const name = stream.takeName()
  if (['true', 'True', 'false', 'False', 'none', 'None'].includes(name))
    throw new TemplateError(`can't assign to '${name}'`)
  return { type: 'Name', name }
}

function entryTarget(stream: TokenStream): Target {
  const { name } = nameTarget(stream)
  return stream.skipOperator('.') ? { type: 'Entry', holder: name, name: stream.takeName() } : { type: 'Name', name }
}
