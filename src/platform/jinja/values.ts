/**
 * Values of a template, as Python has them: integers apart from floats, lists from tuples, and names that stand for
 * nothing.
 */

export type Value = null | boolean | number | bigint | string | Float | Undefined | List | Dict | Namespace | Callable

/** Plain numbers are integers; those that no number holds exactly are bigints. */
export interface Float {
  readonly kind: 'float'
  readonly value: number
}

/** Prints as nothing, is empty and false; anything else done with it is an error. */
export interface Undefined {
  readonly kind: 'undefined'
  readonly what: string
  /**
   * Printing it, going through it, asking whether it is true or like another are errors too (Jinja2's
   * `StrictUndefined`).
   */
  readonly strict: boolean
}

export interface List {
  readonly kind: 'list' | 'tuple'
  readonly items: readonly Value[]
}

export type Key = null | boolean | number | bigint | string

export interface Dict {
  readonly kind: 'dict'
  readonly entries: ReadonlyMap<Key, Value>
}

/** The one thing a template can change. */
export interface Namespace {
  readonly kind: 'namespace'
  readonly entries: Map<string, Value>
}

export interface Arguments {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export interface Callable {
  readonly kind: 'callable'
  readonly name: string
  readonly call: (args: Arguments) => Value
}

/** What went wrong in a template; the message is shown to the user. */
export class TemplateError extends Error {}

export const list = (items: readonly Value[]): List => ({ kind: 'list', items })
export const tuple = (items: readonly Value[]): List => ({ kind: 'tuple', items })
export const float = (value: number): Float => ({ kind: 'float', value })
export const dict = (entries: Iterable<readonly [Key, Value]>): Dict => ({ kind: 'dict', entries: new Map(entries) })
export const undefinedValue = (what: string, strict = false): Undefined => ({ kind: 'undefined', what, strict })
export const callable = (name: string, call: (args: Arguments) => Value): Callable => ({ kind: 'callable', name, call })

export type Kind = 'none' | 'bool' | 'int' | 'str' | Exclude<Value, null | boolean | number | bigint | string>['kind']

export function kindOf(value: Value): Kind {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number' || typeof value === 'bigint') return 'int'
  return typeof value === 'string' ? 'str' : value.kind
}

/** As Python names the type in its messages. */
export function typeName(value: Value): string {
  const kind = kindOf(value)
  if (kind === 'none') return 'NoneType'
  return kind === 'callable' ? 'function' : kind
}

export function isKind<Name extends 'float' | 'undefined' | 'dict' | 'namespace' | 'callable'>(
  value: Value,
  ...kinds: Name[]
): value is Extract<Value, { kind: Name }> {
  return typeof value === 'object' && value !== null && (kinds as string[]).includes(value.kind)
}

export function isList(value: Value): value is List {
  return typeof value === 'object' && value !== null && (value.kind === 'list' || value.kind === 'tuple')
}

/** The number behind an int, float or bool; undefined for other values. Throws for an integer that it would round. */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint')
    throw new TemplateError(`the integer ${value} is too large: it can be printed, compared and added to, not more`)
  if (typeof value === 'boolean') return value ? 1 : 0
  return isKind(value, 'float') ? value.value : undefined
}

/** An integer, as a number where one holds it exactly. */
export function fromInteger(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** The integer behind an int or a bool; undefined for other values. */
export function toBigInt(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value
  return typeof value === 'boolean' || Number.isInteger(value) ? BigInt(value as number | boolean) : undefined
}

export function isTrue(value: Value): boolean {
  if (value === null || typeof value !== 'object') return Boolean(value)
  switch (value.kind) {
    case 'float':
      return value.value !== 0
    case 'list':
    case 'tuple':
      return value.items.length > 0
    case 'dict':
      return value.entries.size > 0
    case 'undefined':
      refuseStrict(value)
      return false
    case 'namespace':
    case 'callable':
      return true
    default:
      return value satisfies never
  }
}

/**
 * JSON-like data of the caller, floats that are whole numbers as `float`; functions, symbols and class instances with
 * behaviour do not get in.
 */
export function fromJson(data: unknown): Value {
  if (data === null || typeof data === 'boolean' || typeof data === 'string') return data
  if (typeof data === 'number') return Number.isInteger(data) ? data : float(data)
  if (typeof data === 'bigint') return fromInteger(data)
  if (Array.isArray(data)) return list(data.map(fromJson))
  if (isFloat(data)) return data
  if (typeof data === 'object') {
    const entries = Object.entries(data).filter(([, value]) => value !== undefined)
    return dict(entries.map(([key, value]) => [key, fromJson(value)]))
  }
  return undefinedValue('a value that is not JSON')
}

function isFloat(data: unknown): data is Float {
  return (
    typeof data === 'object' &&
    data !== null &&
    Object.keys(data).length === 2 &&
    'kind' in data &&
    data.kind === 'float' &&
    'value' in data &&
    typeof data.value === 'number'
  )
}

export function refuseUndefined(value: Value): void {
  if (isKind(value, 'undefined')) throw new TemplateError(value.what)
}

/** For what a value that is missing allows only where it is not strict. */
export function refuseStrict(value: Value): void {
  if (isKind(value, 'undefined') && value.strict) throw new TemplateError(value.what)
}

/** A dictionary key; lists and other containers cannot be one. */
export function keyOf(value: Value): Key {
  if (value === null || typeof value !== 'object') return value
  if (value.kind === 'float') return value.value
  throw new TemplateError(`unhashable type: '${typeName(value)}'`)
}

/** The entry of a key; True is the key 1, False 0. */
export function entryAt({ entries }: Dict, key: Key): Value | undefined {
  const found = entries.get(key)
  if (found !== undefined || (typeof key !== 'boolean' && key !== 0 && key !== 1)) return found
  return entries.get(typeof key === 'boolean' ? Number(key) : key === 1)
}

/** Length in code points. */
export function pointCount(text: string): number {
  let pairs = 0
  for (let index = 0; index < text.length; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) pairs++
  return text.length - pairs
}

/** Characters of all strings in a value. */
export function charactersOf(value: Value): number {
  if (typeof value === 'string') return value.length
  if (isList(value)) return value.items.reduce<number>((sum, item) => sum + charactersOf(item), 0)
  return isKind(value, 'dict')
    ? [...value.entries.values()].reduce<number>((sum, item) => sum + charactersOf(item), 0)
    : 0
}

/** Code points, as Python counts: indexes and lengths of strings. */
export function points(text: string): readonly string[] | string {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text
}
