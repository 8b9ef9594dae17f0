/** Attributes, items and methods of values. A closed table: nothing of JavaScript's own objects can be named. */
import { capitalize } from '#platform/python'
import { argument, iterate, textArgument, wholeArgument, flagArgument } from './arguments.ts'
import type { Budget } from './budget.ts'
import { dictChanges, listChanges } from './changes.ts'
import { formatBraces } from './format.ts'
import { equal } from './operators.ts'
import { casefold, expandTabs, findPoint, replace, split, splitLines, strip, titleWords } from './strings.ts'
import {
  type Arguments,
  callable,
  type Dict,
  dict,
  entryAt,
  isKind,
  isList,
  keyOf,
  kindOf,
  list,
  numberOf,
  type List,
  pointCount,
  TemplateError,
  tuple,
  typeName,
  type Value,
} from './values.ts'

type Method<Self> = (self: Self, args: Arguments, budget: Budget) => Value

const character = /^[\s\S]$/u
const all =
  (test: RegExp): Method<string> =>
  (text) =>
    text !== '' && Array.from(text).every((point) => character.test(point) && test.test(point))

const stripper =
  (ends: 'both' | 'left' | 'right'): Method<string> =>
  (text, args, budget) => {
    const characters = budget.made(argument(args, 0, 'chars') ?? null)
    return strip(text, typeof characters === 'string' ? characters : undefined, ends)
  }

const splitter =
  (fromRight: boolean): Method<string> =>
  (text, args) => {
    const separator = argument(args, 0, 'sep') ?? null
    if (separator === '') throw new TemplateError('empty separator')
    return list(
      split(
        text,
        typeof separator === 'string' ? separator : undefined,
        wholeArgument(args, 1, 'maxsplit', -1),
        fromRight,
      ),
    )
  }

/** `startswith` takes one beginning or a tuple of them. */
const edge =
  (holds: (text: string, part: string) => boolean): Method<string> =>
  (text, args, budget) => {
    const part = argument(args, 0, 'prefix') ?? null
    const parts = isList(part) && part.kind === 'tuple' ? part.items : [part]
    return parts.some((one) => {
      if (typeof one !== 'string')
        throw new TemplateError(`first arg must be str or a tuple of str, not ${typeName(one)}`)
      budget.spend(1)
      budget.characters(Math.min(text.length, one.length))
      return holds(text, one)
    })
  }

const finder =
  (last: boolean, strict: boolean): Method<string> =>
  (text, args) => {
    const at = findPoint(text, textArgument(args, 0, 'sub'), last)
    if (at === -1 && strict) throw new TemplateError('substring not found')
    return at
  }

const parted =
  (last: boolean): Method<string> =>
  (text, args) => {
    const separator = textArgument(args, 0, 'sep')
    const at = last ? text.lastIndexOf(separator) : text.indexOf(separator)
    if (at === -1) return last ? tuple(['', '', text]) : tuple([text, '', ''])
    return tuple([text.slice(0, at), separator, text.slice(at + separator.length)])
  }

const padder =
  (where: 'left' | 'right' | 'both'): Method<string> =>
  (text, args, budget) => {
    const missing = wholeArgument(args, 0, 'width', 0) - pointCount(text)
    if (missing <= 0) return text
    const fill = textArgument(args, 1, 'fillchar', ' ')
    budget.characters(missing * fill.length)
    if (where === 'both') return center(text, pointCount(text) + missing, fill, budget)
    const left = where === 'right' ? 0 : missing
    return fill.repeat(left) + text + fill.repeat(missing - left)
  }

/** str.center(): the odd space of an odd width is on the left. */
export function center(text: string, width: number, fill: string, budget: Budget): string {
  const missing = Math.max(0, width - pointCount(text))
  budget.characters(missing * fill.length)
  const left = (missing >> 1) + (missing & width & 1)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}

const stringMethods: Readonly<Record<string, Method<string>>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  casefold: (text) => casefold(text),
  swapcase: (text) =>
    Array.from(text)
      .map((point) => (point === point.toLowerCase() ? point.toUpperCase() : point.toLowerCase()))
      .join(''),
  title: (text) => titleWords(text),
  capitalize: (text) => capitalize(text),
  strip: stripper('both'),
  lstrip: stripper('left'),
  rstrip: stripper('right'),
  split: splitter(false),
  rsplit: splitter(true),
  splitlines: (text, args) => list(splitLines(text, flagArgument(args, 0, 'keepends', false))),
  partition: parted(false),
  rpartition: parted(true),
  startswith: edge((text, part) => text.startsWith(part)),
  endswith: edge((text, part) => text.endsWith(part)),
  removeprefix: (text, args) =>
    text.startsWith(textArgument(args, 0, 'prefix')) ? text.slice(textArgument(args, 0, 'prefix').length) : text,
  removesuffix: (text, args) => {
    const suffix = textArgument(args, 0, 'suffix')
    return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
  },
  replace: (text, args, budget) => {
    const [old, by] = [textArgument(args, 0, 'old'), textArgument(args, 1, 'new')]
    return replaceWithin(text, old, by, wholeArgument(args, 2, 'count', -1), budget)
  },
  find: finder(false, false),
  rfind: finder(true, false),
  index: finder(false, true),
  rindex: finder(true, true),
  count: (text, args) => {
    const part = textArgument(args, 0, 'sub')
    return part === '' ? pointCount(text) + 1 : text.split(part).length - 1
  },
  join: (text, args, budget) => {
    const items = iterate(argument(args, 0, 'iterable') ?? null, budget)
    const texts = items.map((item, index) => {
      if (typeof item !== 'string')
        throw new TemplateError(`sequence item ${index}: expected str instance, ${typeName(item)} found`)
      return budget.text(item)
    })
    budget.characters(text.length * texts.length)
    return texts.join(text)
  },
  format: (text, args, budget) => formatBraces(text, args, budget),
  zfill: (text, args, budget) => {
    const missing = Math.max(0, wholeArgument(args, 0, 'width', 0) - pointCount(text))
    budget.characters(missing)
    const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
    return sign + '0'.repeat(missing) + rest
  },
  ljust: padder('right'),
  rjust: padder('left'),
  center: padder('both'),
  isdigit: all(/^[\p{Nd}²³¹⁰⁴-⁹₀-₉①-⑨]$/u),
  isnumeric: all(/^\p{N}$/u),
  isdecimal: all(/^\p{Nd}$/u),
  isalpha: all(/^\p{L}$/u),
  isalnum: all(/^[\p{L}\p{N}]$/u),
  istitle: (text) => /\p{L}/u.test(text) && titleWords(text) === text,
  expandtabs: (text, args, budget) => {
    const size = wholeArgument(args, 0, 'tabsize', 8)
    budget.characters(Math.max(0, size) * (text.split('\t').length - 1))
    return expandTabs(text, size)
  },
  isspace: (text) => text !== '' && strip(text, undefined, 'both') === '',
  isupper: (text) => text === text.toUpperCase() && text !== text.toLowerCase(),
  islower: (text) => text === text.toLowerCase() && text !== text.toUpperCase(),
}

/** `str.replace`, paid for before the text is made. */
export function replaceWithin(text: string, old: string, by: string, limit: number, budget: Budget): string {
  const most = old === '' ? text.length + 1 : Math.floor(text.length / old.length)
  budget.characters((limit < 0 ? most : Math.min(most, limit)) * by.length)
  return budget.text(replace(text, old, by, limit))
}

const dictMethods: Readonly<Record<string, Method<Dict>>> = {
  get: (self, args) => {
    const found = entryAt(self, keyOf(argument(args, 0, 'key') ?? null))
    return found === undefined ? (argument(args, 1, 'default') ?? null) : found
  },
  keys: ({ entries }) => list([...entries.keys()]),
  values: ({ entries }) => list([...entries.values()]),
  items: (self, _args, budget) => list(pairsOf(self, budget)),
  copy: ({ entries }) => dict(entries),
}

const listMethods: Readonly<Record<string, Method<List>>> = {
  copy: ({ items }) => list([...items]),
  index: ({ items }, args, budget) => {
    const at = items.findIndex((item) => equal(item, argument(args, 0, 'value') ?? null, budget))
    if (at === -1) throw new TemplateError('value is not in list')
    return at
  },
  count: ({ items }, args, budget) =>
    items.filter((item) => equal(item, argument(args, 0, 'value') ?? null, budget)).length,
}

/** Keys with their values, two entries each. */
export function pairsOf({ entries }: Dict, budget: Budget): readonly List[] {
  budget.spend(2 * entries.size)
  return [...entries].map(([key, value]) => tuple([key, value]))
}

/** Changing a value is what the sandbox of transformers forbids. */
const mutators = new Set([
  'append',
  'extend',
  'insert',
  'pop',
  'popitem',
  'remove',
  'reverse',
  'sort',
  'clear',
  'update',
  'setdefault',
])

/** `object.name`: a method first, then an entry of that name. */
export function attribute(object: Value, name: string, budget: Budget): Value {
  const method = methodOf(object, name, budget)
  if (method !== undefined) return method
  const entry = entryOf(object, name, budget)
  return entry === undefined ? missing(object, name, budget) : entry
}

/** `object[key]`: an entry or item first, then a method of that name. */
export function item(object: Value, key: Value, budget: Budget): Value {
  const found = entryOf(object, key, budget)
  if (found !== undefined) return found
  return (typeof key === 'string' ? methodOf(object, key, budget) : undefined) ?? missing(object, key, budget)
}

function entryOf(object: Value, key: Value, budget: Budget): Value | undefined {
  if (isKind(object, 'undefined')) throw new TemplateError(object.what)
  if (isKind(object, 'dict')) return entryAt(object, keyOf(key))
  if (isKind(object, 'namespace')) return typeof key === 'string' ? object.entries.get(key) : undefined
  const index = isKind(key, 'float') ? undefined : numberOf(key)
  if (index === undefined) return undefined
  if (isList(object)) return object.items.at(index)
  if (typeof object !== 'string') return undefined
  budget.characters(object.length)
  return Array.from(object).at(index)
}

function methodOf(object: Value, name: string, budget: Budget): Value | undefined {
  const bind = <Self>(methods: Readonly<Record<string, Method<Self>>>, self: Self): Value | undefined => {
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (method === undefined) return undefined
    return callable(name, (args) => {
      if (typeof object === 'string') budget.characters(object.length)
      return method(self, args, budget)
    })
  }
  if (budget.dialect === 'rows') {
    if (isKind(object, 'dict') && Object.hasOwn(dictChanges, name)) return bind(dictChanges, object)
    if (isList(object) && object.kind === 'list' && Object.hasOwn(listChanges, name)) return bind(listChanges, object)
  }
  if (mutators.has(name) && (isList(object) || isKind(object, 'dict')) && entryOf(object, name, budget) === undefined) {
    return callable(name, () => {
      throw new TemplateError(`access to attribute '${name}' of '${kindOf(object)}' object is unsafe.`)
    })
  }
  if (typeof object === 'string') return bind(stringMethods, object)
  if (isKind(object, 'dict')) return bind(dictMethods, object)
  return isList(object) ? bind(listMethods, object) : undefined
}

/** Jinja's words. */
function missing(object: Value, key: Value, budget: Budget): Value {
  if (typeof key === 'string' && key.startsWith('_'))
    return budget.missing(`access to attribute '${key}' of '${typeName(object)}' object is unsafe.`)
  const holder = object === null ? 'None' : `${typeName(object)} object`
  return budget.missing(
    typeof key === 'string'
      ? `'${holder}' has no attribute '${key}'`
      : `${holder} has no element ${typeof key === 'number' ? key : typeName(key)}`,
  )
}
