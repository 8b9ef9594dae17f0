/**
 * Runs a parsed template with the behaviour of Jinja2, within a budget. A missing value is an error or empty, as the
 * budget says.
 */
import { argument, iterate } from './arguments.ts'
import type { Budget } from './budget.ts'
import { evaluate, filtered, inner, invoke, lookUp, readArguments, type Scope } from './evaluate.ts'
import type { CallBlock, Expression, For, Macro, Parameter, Program, Statement, Target } from './nodes.ts'
import { equal } from './operators.ts'
import { str } from './print.ts'
import { type Arguments, callable, dict, isKind, isTrue, TemplateError, tuple, type Value } from './values.ts'

type Flow = 'on' | 'break' | 'continue'

/** A turn of a loop makes a scope and the `loop` facts. */
const stepsPerTurn = 8

/** The template's text. Throws `TemplateError` with the template's own message or a description of its error. */
export function run(program: Program, variables: ReadonlyMap<string, Value>, budget: Budget): string {
  return render(program.body, { names: new Map(variables), parent: undefined, budget })
}

function render(statements: readonly Statement[], scope: Scope): string {
  const out: string[] = []
  execute(statements, scope, out)
  return out.join('')
}

function execute(statements: readonly Statement[], scope: Scope, out: string[]): Flow {
  for (const statement of statements) {
    scope.budget.spend(1)
    const flow = executeOne(statement, scope, out)
    if (flow !== 'on') return flow
  }
  return 'on'
}

function executeOne(statement: Statement, scope: Scope, out: string[]): Flow {
  const { budget } = scope
  switch (statement.type) {
    case 'Text':
      out.push(budget.text(statement.text))
      return 'on'
    case 'Print':
      out.push(budget.text(str(evaluate(statement.value, scope), budget)))
      return 'on'
    case 'If':
      return execute(isTrue(evaluate(statement.test, scope)) ? statement.body : statement.otherwise, scope, out)
    case 'For':
      return loop(statement, scope, out)
    case 'Set':
      assign(statement.target, evaluate(statement.value, scope), scope)
      return 'on'
    case 'SetBlock':
      assign(statement.target, filtered(statement.filters, render(statement.body, inner(scope)), scope), scope)
      return 'on'
    case 'Macro':
      scope.names.set(statement.name, macro(statement, scope))
      return 'on'
    case 'CallBlock':
      out.push(budget.text(str(callBlock(statement, scope), budget)))
      return 'on'
    case 'FilterBlock':
      out.push(budget.text(str(filtered(statement.filters, render(statement.body, inner(scope)), scope), budget)))
      return 'on'
    case 'With':
      return execute(statement.body, withNames(statement.entries, scope), out)
    case 'Break':
      return 'break'
    case 'Continue':
      return 'continue'
    default:
      return statement satisfies never
  }
}

function withNames(entries: readonly (readonly [Target, Expression])[], scope: Scope): Scope {
  const own = inner(scope)
  // no entry sees another
  for (const [target, value] of entries.map(([target, expression]) => [target, evaluate(expression, scope)] as const))
    assign(target, value, own)
  return own
}

/** Each turn has names of its own: a name set inside a loop ends with the turn. */
function loop({ target, iterable, test, body, otherwise }: For, scope: Scope, out: string[]): Flow {
  const source = iterate(evaluate(iterable, scope), scope.budget)
  const bound = (value: Value): Scope => {
    const turn = inner(scope)
    assign(target, value, turn)
    return turn
  }
  scope.budget.spend(source.length * stepsPerTurn)
  const items = test === undefined ? source : source.filter((value) => isTrue(evaluate(test, bound(value))))
  const changed = newChanged(scope.budget)
  for (const [index, value] of items.entries()) {
    const turn = bound(value)
    turn.names.set('loop', loopFacts(items, index, changed, scope.budget))
    if (execute(body, turn, out) === 'break') break
  }
  // A break or continue of the else block belongs to the loop outside.
  return items.length === 0 ? execute(otherwise, inner(scope), out) : 'on'
}

/** `loop.changed(…)`: whether it was given something else the last time. */
function newChanged(budget: Budget): Value {
  let last: Value | undefined
  return callable('changed', ({ positional }) => {
    const given = tuple(positional)
    const isNew = last === undefined || !equal(last, given, budget)
    last = given
    return isNew
  })
}

function loopFacts(items: readonly Value[], index: number, changed: Value, budget: Budget): Value {
  const facts: readonly (readonly [string, Value])[] = [
    ['index', index + 1],
    ['index0', index],
    ['revindex', items.length - index],
    ['revindex0', items.length - index - 1],
    ['first', index === 0],
    ['last', index === items.length - 1],
    ['length', items.length],
    ['depth', 1],
    ['depth0', 0],
    ['previtem', index === 0 ? budget.missing('there is no previous item') : (items[index - 1] ?? null)],
    ['nextitem', index === items.length - 1 ? budget.missing('there is no next item') : (items[index + 1] ?? null)],
    ['changed', changed],
    ['cycle', callable('cycle', ({ positional }) => positional[index % Math.max(1, positional.length)] ?? null)],
  ]
  return { kind: 'namespace', entries: new Map(facts) }
}

function assign(target: Target, value: Value, scope: Scope): void {
  if (target.type === 'Name') {
    scope.names.set(target.name, value)
  } else if (target.type === 'Targets') {
    const values = iterate(value, scope.budget)
    const [wanted, got] = [target.targets.length, values.length]
    if (got < wanted) throw new TemplateError(`not enough values to unpack (expected ${wanted}, got ${got})`)
    if (got > wanted) throw new TemplateError(`too many values to unpack (expected ${wanted})`)
    target.targets.forEach((one, index) => assign(one, values[index] ?? null, scope))
  } else {
    const holder = lookUp(target.holder, scope)
    if (!isKind(holder, 'namespace')) throw new TemplateError('cannot assign attribute on non-namespace object')
    holder.entries.set(target.name, value)
  }
}

function macro({ name, parameters, body, takesMore }: Macro, scope: Scope): Value {
  return callable(name, (given) => {
    const unknown = [...given.named.keys()].find(
      (key) => key !== 'caller' && !parameters.some((parameter) => parameter.name === key),
    )
    if (unknown !== undefined && !takesMore.named)
      throw new TemplateError(`macro '${name}' takes no keyword argument '${unknown}'`)
    if (given.positional.length > parameters.length && !takesMore.positional)
      throw new TemplateError(`macro '${name}' takes not more than ${parameters.length} argument(s)`)
    const own = inner(scope)
    bindParameters(parameters, given, own)
    return render(body, own)
  })
}

function bindParameters(parameters: readonly Parameter[], given: Arguments, scope: Scope): void {
  parameters.forEach(({ name, fallback }, index) => {
    const passed = argument(given, index, name)
    if (passed !== undefined) scope.names.set(name, passed)
    else
      scope.names.set(
        name,
        fallback === undefined
          ? scope.budget.missing(`parameter '${name}' was not provided`)
          : evaluate(fallback, scope),
      )
  })
  scope.budget.spend(parameters.length + given.positional.length + given.named.size)
  const known = new Set(parameters.map(({ name }) => name))
  const others = [...given.named].filter(([name]) => !known.has(name))
  scope.names.set('varargs', tuple(given.positional.slice(parameters.length)))
  scope.names.set('kwargs', dict(others.filter(([name]) => name !== 'caller')))
  scope.names.set('caller', given.named.get('caller') ?? scope.budget.missing("'caller' is undefined"))
}

function callBlock({ call, parameters, body }: CallBlock, scope: Scope): Value {
  const caller = callable('caller', (given) => {
    const own = inner(scope)
    bindParameters(parameters, given, own)
    return render(body, own)
  })
  const { positional, named } = readArguments(call.args, scope)
  return invoke(
    evaluate(call.callee, scope),
    { positional, named: new Map([...named, ['caller', caller]]) },
    scope.budget,
  )
}
