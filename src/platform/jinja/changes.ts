/**
 * Methods that change a list or a dict, as templates of rows may (`{% set _ = seen.append(x) %}`). Every list and dict
 * of a rendering is its own.
 */
import { argument, iterate, wholeArgument } from './arguments.ts'
import type { Budget } from './budget.ts'
import { type Arguments, type Dict, isKind, type Key, keyOf, type List, TemplateError, type Value } from './values.ts'

type Change<Self> = (self: Self, args: Arguments, budget: Budget) => Value

const given = (args: Arguments, index: number, name: string): Value => {
  const value = argument(args, index, name)
  if (value === undefined) throw new TemplateError(`${name} is missing`)
  return value
}

export const listChanges: Readonly<Record<string, Change<List>>> = {
  append: ({ items }, args) => {
    owned(items).push(given(args, 0, 'object'))
    return null
  },
  extend: ({ items }, args, budget) => {
    // a list may be added to itself
    for (const value of iterate(given(args, 0, 'iterable'), budget).slice()) owned(items).push(value)
    return null
  },
  insert: ({ items }, args, budget) => {
    budget.spend(items.length)
    owned(items).splice(wholeArgument(args, 0, 'index', 0), 0, given(args, 1, 'object'))
    return null
  },
  pop: ({ items }, args, budget) => {
    budget.spend(items.length)
    const at = wholeArgument(args, 0, 'index', -1)
    const [taken] = owned(items).splice(at < -items.length ? items.length : at, 1)
    if (taken === undefined) throw new TemplateError('pop index out of range')
    return taken
  },
}

export const dictChanges: Readonly<Record<string, Change<Dict>>> = {
  update: ({ entries }, args, budget) => {
    const from = argument(args, 0, 'other')
    if (from !== undefined && !isKind(from, 'dict')) throw new TemplateError('update takes a dict')
    if (from !== undefined) for (const [key, value] of budget.made(from).entries) ownedMap(entries).set(key, value)
    for (const [key, value] of args.named) ownedMap(entries).set(key, value)
    return null
  },
  pop: ({ entries }, args) => {
    const key = keyOf(given(args, 0, 'key'))
    const value = entries.get(key) ?? argument(args, 1, 'default')
    if (value === undefined) throw new TemplateError(`KeyError: ${String(key)}`)
    ownedMap(entries).delete(key)
    return value
  },
}

function owned(items: readonly Value[]): Value[] {
  return items as Value[]
}

function ownedMap(entries: ReadonlyMap<Key, Value>): Map<Key, Value> {
  return entries as Map<Key, Value>
}
