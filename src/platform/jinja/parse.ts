/**
 * Statements of a template. No template is read from elsewhere: `extends`, `include`, `import` and `block` are unknown
 * tags.
 */
import type { Dialect } from './dialect.ts'
import { tokenize } from './lex.ts'
import { type Call, type Expression, type Parameter, type Program, type Statement, type Target } from './nodes.ts'
import { expressionsOf } from './parse-expression.ts'
import { streamOf } from './token-stream.ts'
import { TemplateError } from './values.ts'

/** Throws `TemplateError`. */
export function parse(source: string, dialect: Dialect): Program {
  const stream = streamOf(tokenize(source, dialect))
  const { expect, isName, isOperator, peek, skipName, skipOperator, take, takeName, takeOperator } = stream
  const { expression, tuple, filters } = expressionsOf(stream)

  /** Up to a block that begins with one of `ends`, its name left for the caller. */
  const statements = (...ends: string[]): Statement[] => {
    const found: Statement[] = []
    for (;;) {
      const { type, value } = peek()
      if (type === 'end' && ends.length === 0) return found
      if (type === 'text') {
        take()
        found.push({ type: 'Text', text: value })
      } else if (type === 'open print') {
        take()
        found.push({ type: 'Print', value: tuple() })
        expect('close print')
      } else if (type === 'open block') {
        take()
        if (isName(...ends)) return found
        found.push(statement())
        expect('close block')
      } else throw stream.unexpected()
    }
  }

  /** What stands between a tag's end and the block `end`. */
  const body = (...ends: string[]): Statement[] => {
    skipOperator(':')
    expect('close block')
    return statements(...ends)
  }

  const bodyTo = (end: string): Statement[] => {
    const found = body(end)
    take()
    return found
  }

  const statement = (): Statement => {
    const name = takeName()
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined
    if (read === undefined) throw new TemplateError(`Encountered unknown tag '${name}'.`)
    return read()
  }

  const readIf = (): Statement => {
    const test = tuple(false)
    const then = body('elif', 'else', 'endif')
    if (skipName('elif')) return { type: 'If', test, body: then, otherwise: [readIf()] }
    if (skipName('else')) return { type: 'If', test, body: then, otherwise: bodyTo('endif') }
    take()
    return { type: 'If', test, body: then, otherwise: [] }
  }

  const readFor = (): Statement => {
    const target = targets(() => nameTarget())
    if (!skipName('in')) throw stream.unexpected()
    const iterable = tuple(false)
    const test = skipName('if') ? expression() : undefined
    if (isName('recursive')) throw new TemplateError('recursive loops are not known')
    const turns = body('endfor', 'else')
    return {
      type: 'For',
      target,
      iterable,
      test,
      body: turns,
      otherwise: take().value === 'else' ? bodyTo('endfor') : [],
    }
  }

  const readSet = (): Statement => {
    const target = targets(entryTarget)
    if (skipOperator('=')) return { type: 'Set', target, value: tuple() }
    return { type: 'SetBlock', target, filters: filters(false), body: bodyTo('endset') }
  }

  const readMacro = (): Statement => {
    const { name } = nameTarget()
    const begin = stream.position()
    const read = { parameters: parameters(), body: bodyTo('endmacro') }
    return {
      type: 'Macro',
      name,
      ...read,
      takesMore: { positional: stream.named('varargs', begin), named: stream.named('kwargs', begin) },
    }
  }

  const readCall = (): Statement => {
    const given = isOperator('(') ? parameters() : []
    const call = expression()
    if (call.type !== 'Call') throw new TemplateError('expected call')
    return { type: 'CallBlock', call: call satisfies Call, parameters: given, body: bodyTo('endcall') }
  }

  const readWith = (): Statement => {
    const entries: (readonly [Target, Expression])[] = []
    while (peek().type !== 'close block') {
      if (entries.length > 0) takeOperator(',')
      const target = targets(() => nameTarget(), true)
      takeOperator('=')
      entries.push([target, expression()])
    }
    return { type: 'With', entries, body: bodyTo('endwith') }
  }

  const readers: Readonly<Record<string, () => Statement>> = {
    if: readIf,
    for: readFor,
    set: readSet,
    macro: readMacro,
    call: readCall,
    filter: () => ({ type: 'FilterBlock', filters: filters(true), body: bodyTo('endfilter') }),
    with: readWith,
    ...(dialect === 'chat' && {
      break: () => ({ type: 'Break' }),
      continue: () => ({ type: 'Continue' }),
      // of transformers: what the model said, for masks of training
      generation: () => ({ type: 'With', entries: [], body: bodyTo('endgeneration') }),
    }),
  }

  const parameters = (): Parameter[] => {
    const found: Parameter[] = []
    takeOperator('(')
    while (!skipOperator(')')) {
      if (found.length > 0) takeOperator(',')
      const { name } = nameTarget()
      const fallback = skipOperator('=') ? expression() : undefined
      if (fallback === undefined && found.at(-1)?.fallback !== undefined)
        throw new TemplateError('non-default argument follows default argument')
      if (found.some((other) => other.name === name)) throw new TemplateError(`two arguments are named ${name}`)
      found.push({ name, fallback })
    }
    return found
  }

  /** One target, or several between commas, with or without parentheses. */
  const targets = (one: () => Target, single = false): Target => {
    const first = inParentheses(one)
    if (single || !isOperator(',')) return first
    const found = [first]
    while (skipOperator(',') && !stream.endsTuple()) found.push(inParentheses(one))
    return { type: 'Targets', targets: found }
  }

  const inParentheses = (one: () => Target): Target => {
    if (!skipOperator('(')) return one()
    const inside = targets(one)
    takeOperator(')')
    return inside
  }

  const nameTarget = (): Target & { type: 'Name' } => {
    const name = takeName()
    if (['true', 'True', 'false', 'False', 'none', 'None'].includes(name))
      throw new TemplateError(`can't assign to '${name}'`)
    return { type: 'Name', name }
  }

  const entryTarget = (): Target => {
    const { name } = nameTarget()
    return skipOperator('.') ? { type: 'Entry', holder: name, name: takeName() } : { type: 'Name', name }
  }

  return { body: statements() }
}
