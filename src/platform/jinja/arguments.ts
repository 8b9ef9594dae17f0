/** Reading what a template passes to a filter, method or function. */
import type { Budget } from './budget.ts'
import { type Arguments, isKind, isList, refuseStrict, TemplateError, typeName, type Value } from './values.ts'

/** By position or by name; undefined when neither was given. */
export function argument({ positional, named }: Arguments, index: number, name: string): Value | undefined {
  return index < positional.length ? positional[index] : named.get(name)
}

export function textArgument(args: Arguments, index: number, name: string): string
export function textArgument(args: Arguments, index: number, name: string, fallback: string): string
export function textArgument(args: Arguments, index: number, name: string, fallback?: string): string {
  const value = argument(args, index, name) ?? fallback
  if (typeof value !== 'string')
    throw new TemplateError(`${name} must be str, not ${value === undefined ? 'missing' : typeName(value)}`)
  return value
}

export function wholeArgument(args: Arguments, index: number, name: string, fallback: number): number {
  const value = argument(args, index, name) ?? fallback
  if (typeof value !== 'number') throw new TemplateError(`${name} must be int, not ${typeName(value)}`)
  return value
}

export function flagArgument(args: Arguments, index: number, name: string, fallback: boolean): boolean {
  const value = argument(args, index, name)
  return value === undefined ? fallback : value === true || (typeof value === 'number' && value !== 0)
}

/** What a loop goes through: items, keys, characters; nothing for an undefined name. Each is paid for. */
export function iterate(value: Value, budget: Budget): readonly Value[] {
  budget.made(value)
  if (typeof value === 'string') return Array.from(value)
  if (isList(value)) return value.items
  if (isKind(value, 'dict')) return [...value.entries.keys()]
  refuseStrict(value)
  if (isKind(value, 'undefined')) return []
  throw new TemplateError(`'${typeName(value)}' object is not iterable`)
}
