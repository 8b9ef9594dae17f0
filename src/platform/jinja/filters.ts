/** Jinja's filters; `tojson` for chats as transformers defines it. */
import { capitalize, PythonRegexError, pythonRegex } from '#platform/python'
import { argument, flagArgument, iterate, textArgument, wholeArgument } from './arguments.ts'
import type { Budget } from './budget.ts'
import { formatPercent } from './format.ts'
import { attribute, center, item, pairsOf, replaceWithin } from './members.ts'
import { round, toFloat, toInteger } from './number-filters.ts'
import { binary, compare, equal } from './operators.ts'
import { json, str } from './print.ts'
import { strip, titleFilter } from './strings.ts'
import { tests } from './tests.ts'
import {
  type Arguments,
  float,
  isKind,
  isList,
  isTrue,
  kindOf,
  list,
  numberOf,
  pointCount,
  refuseStrict,
  TemplateError,
  tuple,
  typeName,
  type Value,
} from './values.ts'

type Filter = (value: Value, args: Arguments, budget: Budget) => Value

export const filters: Readonly<Record<string, Filter>> = {
  abs: (value) => {
    if (typeof value === 'bigint') return value < 0n ? -value : value
    const number = numberOf(value)
    if (number === undefined) throw new TemplateError(`bad operand type for abs(): '${typeName(value)}'`)
    return isKind(value, 'float') ? float(Math.abs(number)) : Math.abs(number)
  },
  attr: (value, args, budget) => attribute(value, textArgument(args, 0, 'name'), budget),
  batch: (value, args, budget) => {
    const size = Math.max(1, wholeArgument(args, 0, 'linecount', 1))
    const items = iterate(value, budget)
    const fill = argument(args, 1, 'fill_with')
    if (fill !== undefined) budget.spend(Math.min(size, 10_000))
    const rows = Array.from({ length: Math.ceil(items.length / size) }, (_, row) =>
      items.slice(row * size, (row + 1) * size),
    )
    // A row is no wider than the list it came from, unless it is filled up.
    return list(
      rows.map((row) =>
        list(
          fill === undefined
            ? row
            : [...row, ...Array.from({ length: Math.min(size, 10_000) - row.length }, () => fill)],
        ),
      ),
    )
  },
  bool: (value) => isTrue(value),
  capitalize: (value, _args, budget) => capitalize(str(value, budget)),
  center: (value, args, budget) => center(str(value, budget), wholeArgument(args, 0, 'width', 80), ' ', budget),
  count: (value) => lengthOf(value),
  d: (value, args) => defaulted(value, args),
  default: (value, args) => defaulted(value, args),
  dictsort: (value, args, budget) => {
    if (!isKind(value, 'dict')) throw new TemplateError(`'${typeName(value)}' object has no attribute 'items'`)
    const index = textArgument(args, 1, 'by', 'key') === 'value' ? 1 : 0
    const pairs = pairsOf(value, budget)
    const by = (pair: Value): Value => (isList(pair) ? (pair.items[index] ?? null) : null)
    return list(
      sorted(
        pairs,
        by,
        flagArgument(args, 0, 'case_sensitive', false),
        flagArgument(args, 2, 'reverse', false),
        budget,
      ),
    )
  },
  e: (value, _args, budget) => escapeHtml(str(value, budget)),
  escape: (value, _args, budget) => escapeHtml(str(value, budget)),
  first: (value, _args, budget) => orMissing(iterate(value, budget)[0], 'No first item, sequence was empty.', budget),
  float: toFloat,
  format: (value, { positional }, budget) => formatPercent(str(value, budget), tuple(positional), budget),
  indent: (value, args, budget) => indent(str(value, budget), args, budget),
  int: toInteger,
  items: (value, _args, budget) => {
    if (isKind(value, 'undefined')) return list([])
    if (!isKind(value, 'dict')) throw new TemplateError('Can only get item pairs from a mapping.')
    return list(pairsOf(value, budget))
  },
  join: (value, args, budget) => {
    const name = argument(args, 1, 'attribute')
    const texts = iterate(value, budget).map((entry) =>
      budget.text(str(name === undefined ? entry : pathOf(entry, name, budget), budget)),
    )
    const separator = str(argument(args, 0, 'd') ?? '', budget)
    budget.characters(separator.length * texts.length)
    return texts.join(separator)
  },
  last: (value, _args, budget) => orMissing(iterate(value, budget).at(-1), 'No last item, sequence was empty.', budget),
  length: (value) => lengthOf(value),
  list: (value, _args, budget) => list([...iterate(value, budget)]),
  lower: (value, _args, budget) => str(value, budget).toLowerCase(),
  map: (value, args, budget) => mapped(value, args, budget),
  max: (value, args, budget) => extreme(value, args, 1, budget),
  min: (value, args, budget) => extreme(value, args, -1, budget),
  regex_replace: (value, args, budget) => regexReplace(value, args, budget),
  reject: (value, args, budget) => selected(value, args, false, undefined, budget),
  rejectattr: (value, args, budget) => selected(value, rest(args), false, argument(args, 0, 'attribute'), budget),
  replace: (value, args, budget) => {
    const [old, by] = [str(argument(args, 0, 'old') ?? '', budget), str(argument(args, 1, 'new') ?? '', budget)]
    return replaceWithin(str(value, budget), old, by, wholeArgument(args, 2, 'count', -1), budget)
  },
  reverse: (value, _args, budget) =>
    typeof value === 'string' ? Array.from(value).reverse().join('') : list([...iterate(value, budget)].reverse()),
  round,
  safe: (value, _args, budget) => str(value, budget),
  select: (value, args, budget) => selected(value, args, true, undefined, budget),
  selectattr: (value, args, budget) => selected(value, rest(args), true, argument(args, 0, 'attribute'), budget),
  slice: (value, args, budget) => sliced(iterate(value, budget), args),
  sort: (value, args, budget) => {
    const name = argument(args, 2, 'attribute')
    const by = (entry: Value): Value => (name === undefined ? entry : pathOf(entry, name, budget))
    return list(
      sorted(
        iterate(value, budget),
        by,
        flagArgument(args, 1, 'case_sensitive', false),
        flagArgument(args, 0, 'reverse', false),
        budget,
      ),
    )
  },
  string: (value, _args, budget) => str(value, budget),
  sum: (value, args, budget) => {
    const name = argument(args, 0, 'attribute')
    return iterate(value, budget).reduce<Value>(
      (sum, entry) => binary('+', sum, name === undefined ? entry : pathOf(entry, name, budget), budget),
      argument(args, 1, 'start') ?? 0,
    )
  },
  title: (value, _args, budget) => titleFilter(str(value, budget)),
  tojson: (value, args, budget) => toJson(value, args, budget),
  trim: (value, args, budget) =>
    strip(
      str(value, budget),
      args.positional.length > 0 ? budget.text(textArgument(args, 0, 'chars')) : undefined,
      'both',
    ),
  truncate: (value, args, budget) => truncated(str(value, budget), args),
  unique: (value, args, budget) => {
    const name = argument(args, 1, 'attribute')
    const seen: Value[] = []
    return list(
      iterate(value, budget).filter((entry) => {
        const key = folded(
          name === undefined ? entry : pathOf(entry, name, budget),
          flagArgument(args, 0, 'case_sensitive', false),
          budget,
        )
        if (seen.some((other) => equal(other, key, budget))) return false
        seen.push(key)
        return true
      }),
    )
  },
  upper: (value, _args, budget) => str(value, budget).toUpperCase(),
  urlencode: (value, _args, budget) => encodeURIComponent(str(value, budget)).replaceAll('%2F', '/'),
  wordcount: (value, _args, budget) => (str(value, budget).match(/[\p{L}\p{N}_]+/gu) ?? []).length,
}

function orMissing(value: Value | undefined, what: string, budget: Budget): Value {
  return value === undefined ? budget.missing(what) : value
}

/** `re.sub`; only lm-evaluation-harness has it. */
function regexReplace(value: Value, args: Arguments, budget: Budget): Value {
  if (budget.dialect !== 'rows') throw new TemplateError("No filter named 'regex_replace'.")
  if (typeof value !== 'string')
    throw new TemplateError(`expected string or bytes-like object, got '${typeName(value)}'`)
  try {
    const made = pythonRegex(textArgument(args, 0, 'pattern')).sub(
      textArgument(args, 1, 'repl'),
      value,
      wholeArgument(args, 2, 'count', 0),
    )
    return budget.text(made)
  } catch (error) {
    if (error instanceof PythonRegexError) throw new TemplateError(error.message)
    throw error
  }
}

/** N lists of nearly equal length, the longer ones first. */
function sliced(items: readonly Value[], args: Arguments): Value {
  const count = wholeArgument(args, 0, 'slices', 1)
  if (count < 1 || count > 10_000) throw new TemplateError(`${count} slices`)
  const fill = argument(args, 1, 'fill_with') ?? null
  const [short, longer] = [Math.floor(items.length / count), items.length % count]
  return list(
    Array.from({ length: count }, (_, at) => {
      const begin = at * short + Math.min(at, longer)
      const part = items.slice(begin, begin + short + (at < longer ? 1 : 0))
      return list(fill !== null && at >= longer ? [...part, fill] : part)
    }),
  )
}

function orElse(value: Value | undefined, fallback: Value): Value {
  return value === undefined ? fallback : value
}

function lengthOf(value: Value): number {
  if (typeof value === 'string') return pointCount(value)
  if (isKind(value, 'dict')) return value.entries.size
  if (isList(value)) return value.items.length
  refuseStrict(value)
  if (isKind(value, 'undefined')) return 0
  throw new TemplateError(`object of type '${typeName(value)}' has no len()`)
}

function defaulted(value: Value, args: Arguments): Value {
  const isMissing = isKind(value, 'undefined') || (flagArgument(args, 1, 'boolean', false) && !isTrue(value))
  const fallback = argument(args, 0, 'default_value')
  return isMissing ? orElse(fallback, '') : value
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;' })[sign] ?? '&#39;')
}

function indent(text: string, args: Arguments, budget: Budget): string {
  const width = argument(args, 0, 'width') ?? 4
  const count = typeof width === 'number' ? Math.max(0, width) : 0
  const lines = text.split('\n')
  budget.characters((typeof width === 'string' ? width.length : count) * lines.length)
  const space = typeof width === 'string' ? width : ' '.repeat(count)
  const [first, blank] = [flagArgument(args, 1, 'first', false), flagArgument(args, 2, 'blank', false)]
  return lines
    .map((line, index) => ((index === 0 && !first) || (index > 0 && line === '' && !blank) ? line : space + line))
    .join('\n')
}

/** `a.b.0`: attributes and indexes, step by step. */
function pathOf(value: Value, name: Value, budget: Budget): Value {
  if (typeof name !== 'string') return item(value, name, budget)
  budget.text(name)
  return name.split('.').reduce((holder, part) => item(holder, /^\d+$/.test(part) ? Number(part) : part, budget), value)
}

function mapped(value: Value, args: Arguments, budget: Budget): Value {
  if (!isTrue(value)) return list([])
  const name = args.named.get('attribute')
  if (name !== undefined) {
    const fallback = args.named.get('default')
    return list(
      iterate(value, budget).map((entry) => {
        const found = pathOf(entry, name, budget)
        return isKind(found, 'undefined') ? orElse(fallback, found) : found
      }),
    )
  }
  const filterName = textArgument(args, 0, 'filter')
  return list(iterate(value, budget).map((entry) => applyFilter(filterName, entry, rest(args), budget)))
}

/** Runs the filter `name`; what goes in and what it makes is paid for. */
export function applyFilter(name: string, value: Value, args: Arguments, budget: Budget): Value {
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
  if (filter === undefined) throw new TemplateError(`No filter named '${name}'.`)
  budget.spend(1)
  return budget.made(filter(budget.made(value), args, budget))
}

function selected(
  value: Value,
  args: Arguments,
  keep: boolean,
  attributeName: Value | undefined,
  budget: Budget,
): Value {
  if (!isTrue(value)) return list([])
  const name = args.positional.length > 0 ? textArgument(args, 0, 'test') : undefined
  const test = name === undefined ? isTrue : (subject: Value): boolean => runTest(name, subject, rest(args), budget)
  return list(
    iterate(value, budget).filter(
      (entry) => test(attributeName === undefined ? entry : pathOf(entry, attributeName, budget)) === keep,
    ),
  )
}

export function runTest(name: string, value: Value, { positional }: Arguments, budget: Budget): boolean {
  const test = Object.hasOwn(tests, name) ? tests[name] : undefined
  if (test === undefined) throw new TemplateError(`No test named '${name}'.`)
  budget.spend(1)
  if (typeof value === 'string') budget.characters(value.length)
  return test(value, positional[0] ?? null, budget)
}

function rest({ positional, named }: Arguments): Arguments {
  return { positional: positional.slice(1), named }
}

function folded(value: Value, caseSensitive: boolean, budget: Budget): Value {
  return typeof value === 'string' && !caseSensitive ? budget.text(value.toLowerCase()) : value
}

function sorted(
  items: readonly Value[],
  by: (item: Value) => Value,
  caseSensitive: boolean,
  reverse: boolean,
  budget: Budget,
): readonly Value[] {
  const keyed = items.map((entry) => ({ entry, key: folded(by(entry), caseSensitive, budget) }))
  keyed.sort((a, b) => (reverse ? compare(b.key, a.key, budget) : compare(a.key, b.key, budget)))
  return keyed.map(({ entry }) => entry)
}

function extreme(value: Value, args: Arguments, sign: 1 | -1, budget: Budget): Value {
  const name = argument(args, 1, 'attribute')
  const key = (entry: Value): Value =>
    folded(
      name === undefined ? entry : pathOf(entry, name, budget),
      flagArgument(args, 0, 'case_sensitive', false),
      budget,
    )
  const items = iterate(value, budget)
  const [first, ...others] = items
  if (first === undefined) return budget.missing('No aggregated item, sequence was empty.')
  return others.reduce((best, entry) => (compare(key(entry), key(best), budget) * sign > 0 ? entry : best), first)
}

function truncated(text: string, args: Arguments): string {
  const length = wholeArgument(args, 0, 'length', 255)
  const end = textArgument(args, 2, 'end', '...')
  const all = Array.from(text)
  if (all.length <= length + wholeArgument(args, 3, 'leeway', 5)) return text
  const cut = all.slice(0, Math.max(0, length - pointCount(end))).join('')
  if (flagArgument(args, 1, 'killwords', false)) return cut + end
  return (cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut) + end
}

/** A text, or as many spaces; undefined for one line. */
function indentArgument(args: Arguments, index: number): string | undefined {
  const width = argument(args, index, 'indent') ?? null
  if (typeof width === 'number') return ' '.repeat(Math.min(Math.max(0, width), 10_000))
  return typeof width === 'string' ? width : undefined
}

/** As in Jinja2: names sorted, safe inside HTML. */
function htmlJson(value: Value, args: Arguments, budget: Budget): string {
  const indent = indentArgument(args, 0)
  const text = json(
    value,
    { ensureAscii: true, indent, separators: [indent === undefined ? ', ' : ',', ': '], sortKeys: true },
    budget,
  )
  return budget.text(text.replace(/[<>&']/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`))
}

function toJson(value: Value, args: Arguments, budget: Budget): string {
  if (budget.dialect === 'rows') return htmlJson(value, args, budget)
  const indent = indentArgument(args, 1)
  const given = argument(args, 2, 'separators') ?? null
  const [comma, colon] = isList(given) ? given.items : [indent === undefined ? ', ' : ',', ': ']
  if (typeof comma !== 'string' || typeof colon !== 'string')
    throw new TemplateError(`separators must be two strings, not ${kindOf(given)}`)
  const layout = {
    ensureAscii: flagArgument(args, 0, 'ensure_ascii', false),
    indent,
    separators: [comma, colon] as const,
    sortKeys: flagArgument(args, 3, 'sort_keys', false),
  }
  return json(value, layout, budget)
}
