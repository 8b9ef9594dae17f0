/**
 * Runs a parsed template with the behaviour of Jinja2, within a budget. What is missing is an error or nothing, as the
 * budget says.
 */
import { argument, iterate } from './arguments.ts'
import type { Budget } from './budget.ts'
import { applyFilter, runTest } from './filters.ts'
import { attribute, item } from './members.ts'
import type {
  Argument,
  CallBlock,
  Compare,
  Expression,
  For,
  Macro,
  Named,
  Parameter,
  Program,
  Slice,
  Statement,
  Target,
} from './nodes.ts'
import { binary, equal } from './operators.ts'
import { str } from './print.ts'
import { sliceIndexes } from './strings.ts'
import {
  type Arguments,
  callable,
  type Dict,
  dict,
  float,
  isKind,
  isList,
  isTrue,
  keyOf,
  list,
  numberOf,
  points,
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

/** The template's text. Throws `TemplateError` with the template's own message or what is wrong with it. */
export function run(program: Program, variables: ReadonlyMap<string, Value>, budget: Budget): string {
  return newEvaluator(budget).render(program.body, { names: new Map(variables), parent: undefined })
}

function newEvaluator(budget: Budget) {
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

  /** Each turn has names of its own: what is set inside a loop ends with the turn. */
  function loop({ target, iterable, test, body, otherwise }: For, scope: Scope, out: string[]): Flow {
    const source = iterate(evaluate(iterable, scope), budget)
    const bound = (value: Value): Scope => {
      const turn = inner(scope)
      assign(target, value, turn)
      return turn
    }
    budget.spend(source.length * stepsPerTurn)
    const items = test === undefined ? source : source.filter((value) => isTrue(evaluate(test, bound(value))))
    const changed = newChanged()
    for (const [index, value] of items.entries()) {
      const turn = bound(value)
      turn.names.set('loop', loopFacts(items, index, changed))
      if (execute(body, turn, out) === 'break') break
    }
    // A break or continue of the else block belongs to the loop outside.
    return items.length === 0 ? execute(otherwise, inner(scope), out) : 'on'
  }

  /** `loop.changed(…)`: whether it was given something else the last time. */
  function newChanged(): Value {
    let last: Value | undefined
    return callable('changed', ({ positional }) => {
      const given = tuple(positional)
      const isNew = last === undefined || !equal(last, given, budget)
      last = given
      return isNew
    })
  }

  function loopFacts(items: readonly Value[], index: number, changed: Value): Value {
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
      const values = iterate(value, budget)
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
          fallback === undefined ? budget.missing(`parameter '${name}' was not provided`) : evaluate(fallback, scope),
        )
    })
    budget.spend(parameters.length + given.positional.length + given.named.size)
    const known = new Set(parameters.map(({ name }) => name))
    const others = [...given.named].filter(([name]) => !known.has(name))
    scope.names.set('varargs', tuple(given.positional.slice(parameters.length)))
    scope.names.set('kwargs', dict(others.filter(([name]) => name !== 'caller')))
    scope.names.set('caller', given.named.get('caller') ?? budget.missing("'caller' is undefined"))
  }

  function callBlock({ call, parameters, body }: CallBlock, scope: Scope): Value {
    const caller = callable('caller', (given) => {
      const own = inner(scope)
      bindParameters(parameters, given, own)
      return render(body, own)
    })
    const { positional, named } = readArguments(call.args, scope)
    return invoke(evaluate(call.callee, scope), { positional, named: new Map([...named, ['caller', caller]]) })
  }

  function evaluate(node: Expression, scope: Scope): Value {
    budget.spend(1)
    switch (node.type) {
      case 'Constant':
        return node.value
      case 'List':
        return list(node.items.map((entry) => evaluate(entry, scope)))
      case 'Tuple':
        return tuple(node.items.map((entry) => evaluate(entry, scope)))
      case 'Dict':
        return dict(node.entries.map(([key, value]) => [keyOf(evaluate(key, scope)), evaluate(value, scope)] as const))
      case 'Name':
        return lookUp(node.name, scope)
      case 'Attribute':
        return attribute(evaluate(node.object, scope), node.name, budget)
      case 'Item':
        return item(evaluate(node.object, scope), evaluate(node.key, scope), budget)
      case 'Slice':
        return sliced(node, scope)
      case 'Call':
        return invoke(evaluate(node.callee, scope), readArguments(node.args, scope))
      case 'Unary':
        return unary(node.operator, evaluate(node.operand, scope))
      case 'Binary': {
        const left = evaluate(node.left, scope)
        if (node.operator === 'and') return isTrue(left) ? evaluate(node.right, scope) : left
        if (node.operator === 'or') return isTrue(left) ? left : evaluate(node.right, scope)
        return binary(node.operator, left, evaluate(node.right, scope), budget)
      }
      case 'Compare':
        return compared(node, scope)
      case 'Filter':
        return filtered([node.filter], evaluate(node.operand, scope), scope)
      case 'Test':
        return (
          runTest(node.test.name, evaluate(node.operand, scope), readArguments(node.test.args, scope), budget) !==
          node.negate
        )
      case 'Conditional':
        if (isTrue(evaluate(node.test, scope))) return evaluate(node.yes, scope)
        // prints as nothing even where what is missing is an error
        return node.no === undefined
          ? undefinedValue('the inline if-expression evaluated to false and no else section was defined.')
          : evaluate(node.no, scope)
      default:
        return node satisfies never
    }
  }

  function compared({ first, others }: Compare, scope: Scope): Value {
    let left = evaluate(first, scope)
    for (const { operator, value } of others) {
      const right = evaluate(value, scope)
      if (!isTrue(binary(operator, left, right, budget))) return false
      left = right
    }
    return true
  }

  function lookUp(name: string, scope: Scope): Value {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const value = at.names.get(name)
      if (value !== undefined) return value
    }
    return budget.missing(`'${name}' is undefined`)
  }

  function sliced({ object, start, stop, step }: Slice, scope: Scope): Value {
    const holder = evaluate(object, scope)
    const bound = (node: Expression | undefined): number | undefined => {
      const value = node === undefined ? null : evaluate(node, scope)
      if (value !== null && typeof value !== 'number') throw new TemplateError('slice indices must be integers or None')
      return value ?? undefined
    }
    const pace = bound(step) ?? 1
    if (pace === 0) throw new TemplateError('slice step cannot be zero')
    if (typeof holder !== 'string' && !isList(holder))
      throw new TemplateError(`'${typeName(holder)}' object is not subscriptable`)
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

  function filtered(filters: readonly Named[], value: Value, scope: Scope): Value {
    return filters.reduce((made, { name, args }) => applyFilter(name, made, readArguments(args, scope), budget), value)
  }

  function readArguments(args: readonly Argument[], scope: Scope): Arguments {
    const positional: Value[] = []
    const named = new Map<string, Value>()
    for (const given of args) {
      const value = evaluate(given.value, scope)
      switch (given.kind) {
        case 'positional':
          positional.push(value)
          break
        case 'keyword':
          named.set(given.name, value)
          break
        case 'spread':
          for (const one of iterate(value, budget)) positional.push(one)
          break
        case 'keyword spread':
          if (isKind(budget.made(value), 'dict'))
            for (const [key, one] of (value as Dict).entries) named.set(String(key), one)
          break
        default:
          given satisfies never
      }
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

function inner(scope: Scope): Scope {
  return { names: new Map(), parent: scope }
}
