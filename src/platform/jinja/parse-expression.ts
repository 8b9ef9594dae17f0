/**
 * Expressions of a template, by the grammar and the precedences of Jinja2 (3.1): what stands lower here binds tighter.
 */
import type { Argument, Call, Expression, Name, Named, Slice } from './nodes.ts'
import type { TokenStream } from './token-stream.ts'
import { float, TemplateError } from './values.ts'

export interface Expressions {
  expression: () => Expression
  /** An expression, or several between commas. Without `conditional` a following `if` is the caller's. */
  tuple: (conditional?: boolean) => Expression
  /** `|name(…)|other`, from its first bar or, with `bare`, its first name. */
  filters: (bare: boolean) => Named[]
}

const comparisons = ['==', '!=', '<', '<=', '>', '>=']
const constants: Readonly<Record<string, null | boolean>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
}

/** Throws `TemplateError`. */
export function expressionsOf(stream: TokenStream): Expressions {
  const { isName, isOperator, take, takeName, takeOperator, skipName, skipOperator } = stream

  const expression = (conditional = true): Expression => {
    let yes = or()
    if (!conditional) return yes
    while (skipName('if')) {
      const test = or()
      yes = { type: 'Conditional', test, yes, no: skipName('else') ? expression() : undefined }
    }
    return yes
  }

  const or = (): Expression => words('or', and)
  const and = (): Expression => words('and', not)
  const not = (): Expression => (skipName('not') ? { type: 'Unary', operator: 'not', operand: not() } : compare())

  const words = (operator: string, side: () => Expression): Expression => {
    let left = side()
    while (skipName(operator)) left = { type: 'Binary', operator, left, right: side() }
    return left
  }

  const compare = (): Expression => {
    const first = sum()
    const others: { operator: string; value: Expression }[] = []
    for (let operator = comparison(); operator !== undefined; operator = comparison())
      others.push({ operator, value: sum() })
    return others.length === 0 ? first : { type: 'Compare', first, others }
  }

  const comparison = (): string | undefined => {
    if (isOperator(...comparisons)) return take().value
    if (skipName('in')) return 'in'
    if (!isName('not') || !stream.follows('name', 'in')) return undefined
    take()
    take()
    return 'not in'
  }

  const signs = (operators: readonly string[], side: () => Expression): Expression => {
    let left = side()
    while (isOperator(...operators)) left = { type: 'Binary', operator: take().value, left, right: side() }
    return left
  }
  const sum = (): Expression => signs(['+', '-'], joined)
  const joined = (): Expression => signs(['~'], product)
  const product = (): Expression => signs(['*', '/', '//', '%'], power)
  const power = (): Expression => signs(['**'], () => unary(true))

  const unary = (filtered: boolean): Expression => {
    const signed = isOperator('-', '+')
    const plain: Expression = signed
      ? { type: 'Unary', operator: take().value === '-' ? '-' : '+', operand: unary(false) }
      : primary()
    const whole = postfix(plain)
    return filtered ? filtersAndTests(whole) : whole
  }

  const primary = (): Expression => {
    const { type, value } = stream.peek()
    if (type === 'name') {
      take()
      return Object.hasOwn(constants, value)
        ? { type: 'Constant', value: constants[value] ?? null }
        : ({ type: 'Name', name: value } satisfies Name)
    }
    if (type === 'string') {
      let text = ''
      while (stream.peek().type === 'string') text += take().value
      return { type: 'Constant', value: text }
    }
    if (type === 'integer' || type === 'float') {
      take()
      return { type: 'Constant', value: type === 'integer' ? Number(value) : float(Number(value)) }
    }
    if (skipOperator('(')) {
      const inside = isOperator(')') ? ({ type: 'Tuple', items: [] } as const) : tuple()
      takeOperator(')')
      return inside
    }
    if (skipOperator('[')) return { type: 'List', items: listed(']', () => expression()) }
    if (skipOperator('{')) return { type: 'Dict', entries: listed('}', entry) }
    throw stream.unexpected()
  }

  const entry = (): readonly [Expression, Expression] => {
    const key = expression()
    takeOperator(':')
    return [key, expression()]
  }

  /** Between commas up to `close`; a comma at the end is allowed. */
  const listed = <Item>(close: string, item: () => Item): Item[] => {
    const items: Item[] = []
    while (!skipOperator(close)) {
      if (items.length > 0) {
        takeOperator(',')
        if (skipOperator(close)) break
      }
      items.push(item())
    }
    return items
  }

  const tuple = (conditional = true): Expression => {
    const items = [expression(conditional)]
    if (!isOperator(',')) return items[0] ?? none
    while (skipOperator(',') && !stream.endsTuple()) items.push(expression(conditional))
    return { type: 'Tuple', items }
  }

  const postfix = (start: Expression): Expression => {
    let node = start
    for (;;) {
      if (skipOperator('.')) node = attribute(node)
      else if (skipOperator('[')) node = subscript(node)
      else if (isOperator('(')) node = call(node)
      else return node
    }
  }

  const attribute = (object: Expression): Expression => {
    const { type, value } = take()
    if (type === 'name') return { type: 'Attribute', object, name: value }
    if (type === 'integer') return { type: 'Item', object, key: { type: 'Constant', value: Number(value) } }
    throw new TemplateError('expected name or number')
  }

  const subscript = (object: Expression): Expression => {
    const parts = listed(']', () => subscribed(object))
    const [only] = parts
    if (only !== undefined && parts.length === 1)
      return only.type === 'slice' ? only.slice : { type: 'Item', object, key: only.key }
    const keys = parts.map((part) => {
      if (part.type === 'slice') throw new TemplateError('a slice among several subscripts')
      return part.key
    })
    return { type: 'Item', object, key: { type: 'Tuple', items: keys } }
  }

  const subscribed = (object: Expression): { type: 'key'; key: Expression } | { type: 'slice'; slice: Slice } => {
    const bound = (): Expression | undefined => (isOperator(':', ']', ',') ? undefined : expression())
    const start = bound()
    if (!skipOperator(':')) {
      if (start === undefined) throw stream.unexpected()
      return { type: 'key', key: start }
    }
    const stop = bound()
    return {
      type: 'slice',
      slice: { type: 'Slice', object, start, stop, step: skipOperator(':') ? bound() : undefined },
    }
  }

  const call = (callee: Expression): Call => ({ type: 'Call', callee, args: args() })

  const args = (): Argument[] => {
    takeOperator('(')
    const given: Argument[] = []
    const has = (...kinds: Argument['kind'][]): boolean => given.some(({ kind }) => kinds.includes(kind))
    const refuse = (wrong: boolean): void => {
      if (wrong) throw new TemplateError('invalid syntax for function call expression')
    }
    return listed(')', () => {
      const one = oneArgument(has, refuse)
      given.push(one)
      return one
    })
  }

  const oneArgument = (has: (...kinds: Argument['kind'][]) => boolean, refuse: (wrong: boolean) => void): Argument => {
    if (skipOperator('*')) {
      refuse(has('spread', 'keyword spread'))
      return { kind: 'spread', value: expression() }
    }
    if (skipOperator('**')) {
      refuse(has('keyword spread'))
      return { kind: 'keyword spread', value: expression() }
    }
    if (stream.peek().type === 'name' && stream.follows('operator', '=')) {
      refuse(has('keyword spread'))
      const name = takeName()
      take()
      return { kind: 'keyword', name, value: expression() }
    }
    refuse(has('spread', 'keyword spread', 'keyword'))
    return { kind: 'positional', value: expression() }
  }

  const filtersAndTests = (start: Expression): Expression => {
    let node = start
    for (;;) {
      if (isOperator('|')) for (const filter of filters(false)) node = { type: 'Filter', operand: node, filter }
      else if (skipName('is')) node = testOf(node)
      // a call goes with what is filtered or tested
      else if (isOperator('(')) node = call(node)
      else return node
    }
  }

  const filters = (bare: boolean): Named[] => {
    const one = (): Named => ({ name: dotted(), args: isOperator('(') ? args() : [] })
    const found = bare ? [one()] : []
    while (skipOperator('|')) found.push(one())
    return found
  }

  const testOf = (operand: Expression): Expression => {
    const negate = skipName('not')
    const name = dotted()
    return { type: 'Test', operand, negate, test: { name, args: isOperator('(') ? args() : bareArgument() } }
  }

  /** What a test may be given without parentheses: `is divisibleby 3`. */
  const bareArgument = (): Argument[] => {
    const { type } = stream.peek()
    const begins = ['name', 'string', 'integer', 'float'].includes(type) || isOperator('(', '[', '{')
    if (!begins || isName('else', 'or', 'and')) return []
    if (isName('is')) throw new TemplateError('You cannot chain multiple tests with is')
    return [{ kind: 'positional', value: postfix(primary()) }]
  }

  const dotted = (): string => {
    let name = takeName()
    while (skipOperator('.')) name += `.${takeName()}`
    return name
  }

  return { expression: () => expression(), tuple, filters }
}

const none: Expression = { type: 'Constant', value: null }
