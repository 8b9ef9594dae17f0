/** Functions every template can call: those of Jinja that chat templates use, and transformers' two. */
import { argument, iterate, textArgument } from './arguments.ts'
import type { Budget } from './budget.ts'
import { callable, dict, isKind, isList, type Key, keyOf, list, TemplateError, type Value } from './values.ts'

/** As Jinja's sandbox. */
const longestRange = 100_000

/** `now` is the time that `strftime_now` shows. */
export function globals(budget: Budget, now: Date): Readonly<Record<string, Value>> {
  return {
    range: callable('range', ({ positional }) => {
      const numbers = positional.map((value) => {
        if (typeof value !== 'number') throw new TemplateError('range() takes whole numbers')
        return value
      })
      const [start, stop, step] =
        numbers.length === 1 ? [0, numbers[0] ?? 0, 1] : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1]
      if (step === 0) throw new TemplateError('range() arg 3 must not be zero')
      const length = Math.max(0, Math.ceil((stop - start) / step))
      if (length > longestRange)
        throw new TemplateError(`Range too big. The sandbox blocks ranges larger than MAX_RANGE (${longestRange}).`)
      return list(Array.from({ length }, (_, index) => start + index * step))
    }),
    namespace: callable('namespace', ({ positional, named }) => {
      const [from] = positional
      const copied =
        from !== undefined && isKind(from, 'dict')
          ? [...from.entries].map(([key, value]) => [String(key), value] as const)
          : []
      return { kind: 'namespace', entries: new Map([...copied, ...named]) }
    }),
    dict: callable('dict', ({ positional, named }) => {
      const [from] = positional
      return dict([...(from === undefined ? [] : pairsOf(from, budget)), ...named])
    }),
    ...(budget.dialect === 'chat' && ofChats(now)),
  }
}

function pairsOf(value: Value, budget: Budget): Iterable<readonly [Key, Value]> {
  return isKind(value, 'dict') ? value.entries : iterate(value, budget).map(pairOf)
}

/** What transformers adds. */
function ofChats(now: Date): Readonly<Record<string, Value>> {
  return {
    raise_exception: callable('raise_exception', (args) => {
      const message = argument(args, 0, 'message') ?? ''
      throw new TemplateError(typeof message === 'string' ? message : 'the template raised an exception')
    }),
    strftime_now: callable('strftime_now', (args) => strftime(now, textArgument(args, 0, 'format'))),
  }
}

function pairOf(value: Value) {
  const [key = null, entry = null] = isList(value) ? value.items : []
  return [keyOf(key), entry] as const
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Local time in the C locale; unknown directives stay as they are. */
function strftime(date: Date, format: string): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  const [month, day] = [months[date.getMonth()] ?? '', days[date.getDay()] ?? '']
  const yearDay = Math.round(
    (Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(date.getFullYear(), 0, 0)) / 86_400_000,
  )
  const directives: Readonly<Record<string, string>> = {
    Y: String(date.getFullYear()),
    y: two(date.getFullYear() % 100),
    m: two(date.getMonth() + 1),
    d: two(date.getDate()),
    e: String(date.getDate()).padStart(2),
    B: month,
    b: month.slice(0, 3),
    h: month.slice(0, 3),
    A: day,
    a: day.slice(0, 3),
    H: two(date.getHours()),
    I: two(date.getHours() % 12 || 12),
    M: two(date.getMinutes()),
    S: two(date.getSeconds()),
    p: date.getHours() < 12 ? 'AM' : 'PM',
    j: String(yearDay).padStart(3, '0'),
    w: String(date.getDay()),
    '%': '%',
  }
  return format.replace(/%(-?)([A-Za-z%])/g, (whole, bare: string, name: string) => {
    const text = Object.hasOwn(directives, name) ? (directives[name] ?? whole) : whole
    return bare === '' ? text : text.replace(/^[0 ]+(?=\d)/, '')
  })
}
