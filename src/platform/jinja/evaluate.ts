/**
 * Runs a parsed chat template with the behaviour of Jinja2's sandbox as transformers sets it up. @huggingface/jinja's own interpreter prints
 * lists as JSON, ignores arguments of strip and keeps loop variables, and has no limit on steps; its parser is used, and this instead.
 */
import { argument, iterate, noArguments } from './arguments.ts'
import type { Budget } from './budget.ts'
import { applyFilter, runTest } from './filters.ts'
import { attribute, item } from './members.ts'
import type { Argument, Call, CallBlock, Expression, For, Identifier, Macro, Member, Parameter, Program, SetStatement, Slice, Statement } from './nodes.ts'
import { binary } from './operators.ts'
import { str } from './print.ts'
import { sliceIndexes } from './strings.ts'
import {
  type Arguments,
  callable,
  dict,
  float,
  isKind,
  isList,
  isTrue,
  keyOf,
  list,
  numberOf,
  points,
  refuseUndefined,
  TemplateError,
  tuple,
  typeName,
  undefinedValue,
  type Value,
} from './values.ts'

interface Scope {
  readonly names: Map<string, Value>
  readonly parent: Scope | undefined
}

type Flow = 'on' | 'break' | 'continue'

/** A turn of a loop makes a scope and the `loop` facts. */
const stepsPerTurn = 8

export interface RunOptions {
  /** What is not defined is an error wherever it is used, but in a test for it or with a default (Jinja2's `StrictUndefined`). */
  readonly strict?: boolean
}

/** The template's text. Throws `TemplateError` with the template's own message or what is wrong with it. */
export function run(program: Program, variables: ReadonlyMap<string, Value>, budget: Budget, { strict = false }: RunOptions = {}): string {
  const evaluator = newEvaluator(budget, strict)
  return evaluator.render(program.body, { names: new Map(variables), parent: undefined })
}

function newEvaluator(budget: Budget, strict: boolean) {
  function render(statements: readonly Statement[], scope: Scope): string {
    const out: string[] = []
    execute(statements, scope, out)
    return out.join('')
  }

  function execute(statements: readonly Statement[], scope: Scope, out: string[]): Flow {
    for (const statement of statements) {
      budget.spend(1)
      const flow = executeOne(statement, scope, out)
      if (flow !== 'on') return flow
    }
    return 'on'
  }

  function executeOne(statement: Statement, scope: Scope, out: string[]): Flow {
    if (isExpression(statement)) {
      out.push(budget.text(str(evaluate(statement, scope), budget)))
      return 'on'
    }
    switch (statement.type) {
      case 'If':
        return execute(isTrue(evaluate(statement.test, scope)) ? statement.body : statement.alternate, scope, out)
      case 'For':
        return loop(statement, scope, out)
      case 'Set':
        assign(statement, scope)
        return 'on'
      case 'Macro':
        scope.names.set(statement.name.value, macro(statement, scope))
        return 'on'
      case 'CallStatement':
        out.push(budget.text(str(callBlock(statement, scope), budget)))
        return 'on'
      case 'FilterStatement':
        out.push(budget.text(str(filtered(statement.filter, render(statement.body, inner(scope)), scope), budget)))
        return 'on'
      case 'Break':
        return 'break'
      case 'Continue':
        return 'continue'
      case 'Comment':
        return 'on'
      default:
        return statement satisfies never
    }
  }

  /** Each turn has names of its own: what is set inside a loop ends with the turn. */
  function loop({ loopvar, iterable, body, defaultBlock }: For, scope: Scope, out: string[]): Flow {
    const source = iterate(evaluate(iterable.type === 'SelectExpression' ? iterable.lhs : iterable, scope), budget)
    const bound = (value: Value): Scope => {
      const turn = inner(scope)
      unpack(loopvar, value, turn)
      return turn
    }
    budget.spend(source.length * stepsPerTurn)
    const items = iterable.type === 'SelectExpression' ? source.filter((value) => isTrue(evaluate(iterable.test, bound(value)))) : source
    for (const [index, value] of items.entries()) {
      const turn = bound(value)
      turn.names.set('loop', loopFacts(items, index))
      if (execute(body, turn, out) === 'break') break
    }
    // A break or continue of the else block belongs to the loop outside.
    return items.length === 0 ? execute(defaultBlock, inner(scope), out) : 'on'
  }

  function loopFacts(items: readonly Value[], index: number): Value {
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
      ['previtem', index === 0 ? undefinedValue('there is no previous item') : (items[index - 1] ?? null)],
      ['nextitem', index === items.length - 1 ? undefinedValue('there is no next item') : (items[index + 1] ?? null)],
      ['cycle', callable('cycle', ({ positional }) => positional[index % Math.max(1, positional.length)] ?? null)],
    ]
    return { kind: 'namespace', entries: new Map(facts) }
  }

  function assign({ assignee, value, body }: SetStatement, scope: Scope): void {
    const assigned = value === null ? render(body, inner(scope)) : evaluate(value, scope)
    unpack(assignee, assigned, scope)
  }

  function unpack(target: Expression, value: Value, scope: Scope): void {
    if (target.type === 'Identifier') {
      scope.names.set(target.value, value)
    } else if (target.type === 'TupleLiteral') {
      const values = iterate(value, budget)
      const [wanted, got] = [target.value.length, values.length]
      if (got < wanted) throw new TemplateError(`not enough values to unpack (expected ${wanted}, got ${got})`)
      if (got > wanted) throw new TemplateError(`too many values to unpack (expected ${wanted})`)
      target.value.forEach((name, index) => unpack(name, values[index] ?? null, scope))
    } else if (target.type === 'MemberExpression' && target.property.type === 'Identifier' && !target.computed) {
      const holder = evaluate(target.object, scope)
      if (!isKind(holder, 'namespace')) throw new TemplateError('cannot assign attribute on non-namespace object')
      holder.entries.set(target.property.value, value)
    } else throw new TemplateError('cannot assign to that')
  }

  function macro({ name, args, body }: Macro, scope: Scope): Value {
    return callable(name.value, (given) => {
      const own = inner(scope)
      bindParameters(args, given, own)
      return render(body, own)
    })
  }

  function bindParameters(parameters: readonly Parameter[], given: Arguments, scope: Scope): void {
    const names = parameters.map((parameter) => (parameter.type === 'Identifier' ? parameter.value : parameter.key.value))
    parameters.forEach((parameter, index) => {
      const name = names[index] ?? ''
      const passed = argument(given, index, name)
      if (passed !== undefined) scope.names.set(name, passed)
      else scope.names.set(name, parameter.type === 'Identifier' ? undefinedValue(`parameter '${name}' was not provided`) : evaluate(parameter.value, scope))
    })
    budget.spend(parameters.length + given.positional.length + given.named.size)
    const known = new Set(names)
    const others = [...given.named].filter(([name]) => !known.has(name))
    scope.names.set('varargs', tuple(given.positional.slice(parameters.length)))
    scope.names.set('kwargs', dict(others.filter(([name]) => name !== 'caller')))
    scope.names.set('caller', given.named.get('caller') ?? undefinedValue("'caller' is undefined"))
  }

  function callBlock({ call, callerArgs, body }: CallBlock, scope: Scope): Value {
    const caller = callable('caller', (given) => {
      const own = inner(scope)
      bindParameters(callerArgs ?? [], given, own)
      return render(body, own)
    })
    const { positional, named } = readArguments(call.args, scope)
    return invoke(evaluate(call.callee, scope), { positional, named: new Map([...named, ['caller', caller]]) })
  }

  /** The value, for use. */
  function evaluate(node: Expression, scope: Scope): Value {
    const value = evaluateAny(node, scope)
    if (strict) refuseUndefined(value)
    return value
  }

  /** The value, or that there is none. */
  function evaluateAny(node: Expression, scope: Scope): Value {
    budget.spend(1)
    switch (node.type) {
      case 'IntegerLiteral':
        return node.value
      case 'FloatLiteral':
        return float(node.value)
      case 'StringLiteral':
        return node.value
      case 'ArrayLiteral':
        return list(node.value.map((entry) => evaluate(entry, scope)))
      case 'TupleLiteral':
        return tuple(node.value.map((entry) => evaluate(entry, scope)))
      case 'ObjectLiteral':
        return dict([...node.value].map(([key, value]) => [keyOf(evaluate(key, scope)), evaluate(value, scope)] as const))
      case 'Identifier':
        return lookUp(node.value, scope)
      case 'MemberExpression':
        return member(node, scope)
      case 'CallExpression':
        return invoke(evaluate(node.callee, scope), readArguments(node.args, scope))
      case 'UnaryExpression':
        return unary(node.operator.value, evaluate(node.argument, scope))
      case 'BinaryExpression': {
        const { value: operator } = node.operator
        const left = evaluate(node.left, scope)
        if (operator === 'and') return isTrue(left) ? evaluate(node.right, scope) : left
        if (operator === 'or') return isTrue(left) ? left : evaluate(node.right, scope)
        return binary(operator, left, evaluate(node.right, scope), budget)
      }
      case 'FilterExpression':
        return filtered(node.filter, isDefault(node.filter) ? evaluateAny(node.operand, scope) : evaluate(node.operand, scope), scope)
      case 'TestExpression':
        return runTest(node.test.value, evaluateAny(node.operand, scope), noArguments, budget) !== node.negate
      case 'SelectExpression':
        return isTrue(evaluate(node.test, scope))
          ? evaluate(node.lhs, scope)
          : undefinedValue('the inline if-expression evaluated to false and no else section was defined.')
      case 'Ternary':
        return evaluate(isTrue(evaluate(node.condition, scope)) ? node.trueExpr : node.falseExpr, scope)
      default:
        return node satisfies never
    }
  }

  function lookUp(name: string, scope: Scope): Value {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const value = at.names.get(name)
      if (value !== undefined) return value
    }
    return undefinedValue(`'${name}' is undefined`)
  }

  function member({ object, property, computed }: Member, scope: Scope): Value {
    const holder = evaluate(object, scope)
    if (property.type === 'SliceExpression') return sliced(holder, property, scope)
    if (computed) return item(holder, evaluate(property, scope), budget)
    return property.type === 'Identifier' ? attribute(holder, property.value, budget) : item(holder, evaluate(property, scope), budget)
  }

  function sliced(holder: Value, { start, stop, step }: Slice, scope: Scope): Value {
    const bound = (node: Expression | undefined): number | undefined => {
      const value = node === undefined ? null : evaluate(node, scope)
      if (value !== null && typeof value !== 'number') throw new TemplateError('slice indices must be integers or None')
      return value ?? undefined
    }
    const pace = bound(step) ?? 1
    if (pace === 0) throw new TemplateError('slice step cannot be zero')
    if (typeof holder !== 'string' && !isList(holder)) throw new TemplateError(`'${typeName(holder)}' object is not subscriptable`)
    const { length } = typeof holder === 'string' ? points(holder) : holder.items
    budget.characters(length)
    const indexes = sliceIndexes(length, bound(start), bound(stop), pace)
    if (typeof holder === 'string') {
      budget.characters(indexes.length)
      const all = Array.from(holder)
      return indexes.map((index) => all[index]).join('')
    }
    return budget.made({ kind: holder.kind, items: indexes.map((index) => holder.items[index] ?? null) })
  }

  function unary(operator: string, value: Value): Value {
    if (operator === 'not') return !isTrue(value)
    const number = numberOf(value)
    if (number === undefined) throw new TemplateError(`bad operand type for unary ${operator}: '${typeName(value)}'`)
    const signed = operator === '-' ? -number : number
    return isKind(value, 'float') ? float(signed) : signed
  }

  function filtered(filter: Identifier | Call, value: Value, scope: Scope): Value {
    if (filter.type === 'Identifier') return applyFilter(filter.value, value, noArguments, budget)
    if (filter.callee.type !== 'Identifier') throw new TemplateError('not a filter')
    return applyFilter(filter.callee.value, value, readArguments(filter.args, scope), budget)
  }

  function readArguments(args: readonly Argument[], scope: Scope): Arguments {
    const positional: Value[] = []
    const named = new Map<string, Value>()
    for (const given of args) {
      if (given.type === 'KeywordArgumentExpression') named.set(given.key.value, evaluate(given.value, scope))
      else if (given.type === 'SpreadExpression') {
        for (const value of iterate(evaluate(given.argument, scope), budget)) positional.push(value)
      } else if (given.type === 'KeywordSpreadExpression') {
        const spread = budget.made(evaluate(given.argument, scope))
        if (isKind(spread, 'dict')) for (const [key, value] of spread.entries) named.set(String(key), value)
      } else positional.push(evaluate(given, scope))
    }
    return { positional, named }
  }

  function invoke(callee: Value, args: Arguments): Value {
    budget.spend(1)
    if (isKind(callee, 'undefined')) throw new TemplateError(callee.what)
    if (!isKind(callee, 'callable')) throw new TemplateError(`'${typeName(callee)}' object is not callable`)
    return budget.made(callee.call(args))
  }

  return { render }
}

function isDefault(filter: Identifier | Call): boolean {
  const name = filter.type === 'Identifier' ? filter : filter.callee
  return name.type === 'Identifier' && ['default', 'd'].includes(name.value)
}

const blocks: ReadonlySet<string> = new Set(['If', 'For', 'Set', 'Macro', 'CallStatement', 'FilterStatement', 'Break', 'Continue', 'Comment'])

/** What prints itself: `{{ … }}`, and text between tags. */
function isExpression(statement: Statement): statement is Expression {
  return !blocks.has(statement.type)
}

function inner(scope: Scope): Scope {
  return { names: new Map(), parent: scope }
}
