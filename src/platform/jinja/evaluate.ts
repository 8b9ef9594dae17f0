/** Values of expressions, with the behaviour of Jinja2. */
import { iterate } from './arguments.ts'
import type { Budget } from './budget.ts'
import { applyFilter, runTest } from './filters.ts'
import { attribute, item } from './members.ts'
import type { Argument, Compare, Expression, Named, Slice } from './nodes.ts'
import { binary } from './operators.ts'
import { sliceIndexes } from './strings.ts'
import {
  type Arguments,
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

/** Names in sight, and what the whole template may still spend. */
export interface Scope {
  readonly names: Map<string, Value>
  readonly parent: Scope | undefined
  readonly budget: Budget
}

/** A scope of its own within another. */
export function inner(scope: Scope): Scope {
  return { names: new Map(), parent: scope, budget: scope.budget }
}

export function evaluate(node: Expression, scope: Scope): Value {
  scope.budget.spend(1)
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
      return attribute(evaluate(node.object, scope), node.name, scope.budget)
    case 'Item':
      return item(evaluate(node.object, scope), evaluate(node.key, scope), scope.budget)
    case 'Slice':
      return sliced(node, scope)
    case 'Call':
      return invoke(evaluate(node.callee, scope), readArguments(node.args, scope), scope.budget)
    case 'Unary':
      return unary(node.operator, evaluate(node.operand, scope))
    case 'Binary': {
      const left = evaluate(node.left, scope)
      if (node.operator === 'and') return isTrue(left) ? evaluate(node.right, scope) : left
      if (node.operator === 'or') return isTrue(left) ? left : evaluate(node.right, scope)
      return binary(node.operator, left, evaluate(node.right, scope), scope.budget)
    }
    case 'Compare':
      return compared(node, scope)
    case 'Filter':
      return filtered([node.filter], evaluate(node.operand, scope), scope)
    case 'Test':
      return (
        runTest(node.test.name, evaluate(node.operand, scope), readArguments(node.test.args, scope), scope.budget) !==
        node.negate
      )
    case 'Conditional':
      if (isTrue(evaluate(node.test, scope))) return evaluate(node.yes, scope)
      // prints as nothing even where a missing value is an error
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
    if (!isTrue(binary(operator, left, right, scope.budget))) return false
    left = right
  }
  return true
}

export function lookUp(name: string, scope: Scope): Value {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    const value = at.names.get(name)
    if (value !== undefined) return value
  }
  return scope.budget.missing(`'${name}' is undefined`)
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
  scope.budget.characters(length)
  const indexes = sliceIndexes(length, bound(start), bound(stop), pace)
  if (typeof holder === 'string') {
    scope.budget.characters(indexes.length)
    const all = Array.from(holder)
    return indexes.map((index) => all[index]).join('')
  }
  return scope.budget.made({ kind: holder.kind, items: indexes.map((index) => holder.items[index] ?? null) })
}

function unary(operator: string, value: Value): Value {
  if (operator === 'not') return !isTrue(value)
  if (typeof value === 'bigint') return operator === '-' ? -value : value
  const number = numberOf(value)
  if (number === undefined) throw new TemplateError(`bad operand type for unary ${operator}: '${typeName(value)}'`)
  const signed = operator === '-' ? -number : number
  return isKind(value, 'float') ? float(signed) : signed
}

export function filtered(filters: readonly Named[], value: Value, scope: Scope): Value {
  return filters.reduce(
    (made, { name, args }) => applyFilter(name, made, readArguments(args, scope), scope.budget),
    value,
  )
}

export function readArguments(args: readonly Argument[], scope: Scope): Arguments {
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
        for (const one of iterate(value, scope.budget)) positional.push(one)
        break
      case 'keyword spread':
        if (isKind(scope.budget.made(value), 'dict'))
          for (const [key, one] of (value as Dict).entries) named.set(String(key), one)
        break
      default:
        given satisfies never
    }
  }
  return { positional, named }
}

export function invoke(callee: Value, args: Arguments, budget: Budget): Value {
  budget.spend(1)
  if (isKind(callee, 'undefined')) throw new TemplateError(callee.what)
  if (!isKind(callee, 'callable')) throw new TemplateError(`'${typeName(callee)}' object is not callable`)
  return budget.made(callee.call(args))
}
