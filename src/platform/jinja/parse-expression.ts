/**
 * Expressions of a template, by the grammar and the precedences of Jinja2 (3.1): a function further down binds tighter.
 * Each function takes its part from the stream and throws `TemplateError`.
 */
import type { Argument, Call, Expression, Name, Named, Slice } from './nodes.ts'
import type { TokenStream } from './token-stream.ts'
import { float, fromInteger, TemplateError } from './values.ts'

type Reader = (stream: TokenStream) => Expression

const comparisons = ['==', '!=', '<', '<=', '>', '>=']
const constants: Readonly<Record<string, null | boolean>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
}
const none: Expression = { type: 'Constant', value: null }

/** An expression, or several between commas. Without `conditional` a following `if` is the caller's. */
export function tuple(stream: TokenStream, conditional = true): Expression {
  const items = [expression(stream, conditional)]
  if (!stream.isOperator(',')) return items[0] ?? none
  while (stream.skipOperator(',') && !stream.endsTuple()) items.push(expression(stream, conditional))
  return { type: 'Tuple', items }
}

export function expression(stream: TokenStream, conditional = true): Expression {
  let yes = or(stream)
  if (!conditional) return yes
  while (stream.skipName('if')) {
    const test = or(stream)
    yes = { type: 'Conditional', test, yes, no: stream.skipName('else') ? expression(stream) : undefined }
  }
  return yes
}

/** `|name(…)|other`, from its first bar or, with `bare`, its first name. */
export function filters(stream: TokenStream, bare: boolean): Named[] {
  const one = (): Named => ({ name: dotted(stream), args: stream.isOperator('(') ? args(stream) : [] })
  const found = bare ? [one()] : []
  while (stream.skipOperator('|')) found.push(one())
  return found
}

const or: Reader = (stream) => words(stream, 'or', and)
const and: Reader = (stream) => words(stream, 'and', not)
const not: Reader = (stream) =>
  stream.skipName('not') ? { type: 'Unary', operator: 'not', operand: not(stream) } : compare(stream)

function words(stream: TokenStream, operator: string, side: Reader): Expression {
  let left = side(stream)
  while (stream.skipName(operator)) left = { type: 'Binary', operator, left, right: side(stream) }
  return left
}

function compare(stream: TokenStream): Expression {
  const first = sum(stream)
  const others: { operator: string; value: Expression }[] = []
  for (let operator = comparison(stream); operator !== undefined; operator = comparison(stream))
    others.push({ operator, value: sum(stream) })
  return others.length === 0 ? first : { type: 'Compare', first, others }
}

function comparison(stream: TokenStream): string | undefined {
  if (stream.isOperator(...comparisons)) return stream.take().value
  if (stream.skipName('in')) return 'in'
  if (!stream.isName('not') || !stream.follows('name', 'in')) return undefined
  stream.take()
  stream.take()
  return 'not in'
}

const sum: Reader = (stream) => signs(stream, ['+', '-'], joined)
const joined: Reader = (stream) => signs(stream, ['~'], product)
const product: Reader = (stream) => signs(stream, ['*', '/', '//', '%'], power)
const power: Reader = (stream) => signs(stream, ['**'], filtered)
const filtered: Reader = (stream) => filtersAndTests(stream, unary(stream))

function signs(stream: TokenStream, operators: readonly string[], side: Reader): Expression {
  let left = side(stream)
  while (stream.isOperator(...operators))
    left = { type: 'Binary', operator: stream.take().value, left, right: side(stream) }
  return left
}

function unary(stream: TokenStream): Expression {
  if (!stream.isOperator('-', '+')) return postfix(stream, primary(stream))
  const operator = stream.take().value === '-' ? '-' : '+'
  return postfix(stream, { type: 'Unary', operator, operand: unary(stream) })
}

function primary(stream: TokenStream): Expression {
  const { type, value } = stream.peek()
  if (type === 'name') {
    stream.take()
    return Object.hasOwn(constants, value)
      ? { type: 'Constant', value: constants[value] ?? null }
      : ({ type: 'Name', name: value } satisfies Name)
  }
  if (type === 'string') {
    let text = ''
    while (stream.peek().type === 'string') text += stream.take().value
    return { type: 'Constant', value: text }
  }
  if (type === 'integer' || type === 'float') {
    stream.take()
    return { type: 'Constant', value: type === 'integer' ? fromInteger(BigInt(value)) : float(Number(value)) }
  }
  if (stream.skipOperator('(')) {
    const inside = stream.isOperator(')') ? ({ type: 'Tuple', items: [] } as const) : tuple(stream)
    stream.takeOperator(')')
    return inside
  }
  if (stream.skipOperator('[')) return { type: 'List', items: listed(stream, ']', () => expression(stream)) }
  if (stream.skipOperator('{')) return { type: 'Dict', entries: listed(stream, '}', () => entry(stream)) }
  throw stream.unexpected()
}

function entry(stream: TokenStream): readonly [Expression, Expression] {
  const key = expression(stream)
  stream.takeOperator(':')
  return [key, expression(stream)]
}

/** Between commas up to `close`; a comma at the end is allowed. */
function listed<Item>(stream: TokenStream, close: string, item: () => Item): Item[] {
  const items: Item[] = []
  while (!stream.skipOperator(close)) {
    if (items.length > 0) {
      stream.takeOperator(',')
      if (stream.skipOperator(close)) break
    }
    items.push(item())
  }
  return items
}

function postfix(stream: TokenStream, start: Expression): Expression {
  let node = start
  for (;;) {
    if (stream.skipOperator('.')) node = attribute(stream, node)
    else if (stream.skipOperator('[')) node = subscript(stream, node)
    else if (stream.isOperator('(')) node = call(stream, node)
    else return node
  }
}

function attribute(stream: TokenStream, object: Expression): Expression {
  const { type, value } = stream.take()
  if (type === 'name') return { type: 'Attribute', object, name: value }
  if (type === 'integer') return { type: 'Item', object, key: { type: 'Constant', value: Number(value) } }
  throw new TemplateError('expected name or number')
}

function subscript(stream: TokenStream, object: Expression): Expression {
  const parts = listed(stream, ']', () => subscribed(stream, object))
  const [only] = parts
  if (only !== undefined && parts.length === 1)
    return only.type === 'slice' ? only.slice : { type: 'Item', object, key: only.key }
  const keys = parts.map((part) => {
    if (part.type === 'slice') throw new TemplateError('a slice among several subscripts')
    return part.key
  })
  return { type: 'Item', object, key: { type: 'Tuple', items: keys } }
}

function subscribed(
  stream: TokenStream,
  object: Expression,
): { type: 'key'; key: Expression } | { type: 'slice'; slice: Slice } {
  const bound = (): Expression | undefined => (stream.isOperator(':', ']', ',') ? undefined : expression(stream))
  const start = bound()
  if (!stream.skipOperator(':')) {
    if (start === undefined) throw stream.unexpected()
    return { type: 'key', key: start }
  }
  const stop = bound()
  const step = stream.skipOperator(':') ? bound() : undefined
  return { type: 'slice', slice: { type: 'Slice', object, start, stop, step } }
}

function call(stream: TokenStream, callee: Expression): Call {
  return { type: 'Call', callee, args: args(stream) }
}

function args(stream: TokenStream): Argument[] {
  stream.takeOperator('(')
  const given: Argument['kind'][] = []
  return listed(stream, ')', () => {
    const one = oneArgument(stream, given)
    given.push(one.kind)
    return one
  })
}

/** One argument after those of the kinds that were given. */
function oneArgument(stream: TokenStream, given: readonly Argument['kind'][]): Argument {
  const refuseAfter = (...kinds: Argument['kind'][]): void => {
    if (given.some((kind) => kinds.includes(kind)))
      throw new TemplateError('invalid syntax for function call expression')
  }
  if (stream.skipOperator('*')) {
    refuseAfter('spread', 'keyword spread')
    return { kind: 'spread', value: expression(stream) }
  }
  if (stream.skipOperator('**')) {
    refuseAfter('keyword spread')
    return { kind: 'keyword spread', value: expression(stream) }
  }
  if (stream.peek().type === 'name' && stream.follows('operator', '=')) {
    refuseAfter('keyword spread')
    const name = stream.takeName()
    stream.take()
    return { kind: 'keyword', name, value: expression(stream) }
  }
  refuseAfter('spread', 'keyword spread', 'keyword')
  return { kind: 'positional', value: expression(stream) }
}

function filtersAndTests(stream: TokenStream, start: Expression): Expression {
  let node = start
  for (;;) {
    if (stream.isOperator('|'))
      for (const filter of filters(stream, false)) node = { type: 'Filter', operand: node, filter }
    else if (stream.skipName('is')) node = testOf(stream, node)
    // a call belongs to the value that is filtered or tested
    else if (stream.isOperator('(')) node = call(stream, node)
    else return node
  }
}

function testOf(stream: TokenStream, operand: Expression): Expression {
  const negate = stream.skipName('not')
  const name = dotted(stream)
  const given = stream.isOperator('(') ? args(stream) : bareArgument(stream)
  return { type: 'Test', operand, negate, test: { name, args: given } }
}

/** What a test may be given without parentheses: `is divisibleby 3`. */
function bareArgument(stream: TokenStream): Argument[] {
  const { type } = stream.peek()
  const begins = ['name', 'string', 'integer', 'float'].includes(type) || stream.isOperator('(', '[', '{')
  if (!begins || stream.isName('else', 'or', 'and')) return []
  if (stream.isName('is')) throw new TemplateError('You cannot chain multiple tests with is')
  return [{ kind: 'positional', value: postfix(stream, primary(stream)) }]
}

function dotted(stream: TokenStream): string {
  let name = stream.takeName()
  while (stream.skipOperator('.')) name += `.${stream.takeName()}`
  return name
}
