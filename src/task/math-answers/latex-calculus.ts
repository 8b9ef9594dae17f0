/** Sums, products, integrals and limits of LaTeX. */
import { call, type Expression } from './expression.ts'
import { attempt, firstOf, look, type Reading, type Rules, takes, within } from './reading.ts'

type Read = Expression | undefined

const marked = (reading: Reading, rules: Rules, mark: string): Read =>
  takes(reading, mark) ? firstOf(reading, [rules.atom, () => within(reading, '{', '}', rules.expression)]) : undefined

export function series(reading: Reading, rules: Rules, name: string): Read {
  reading.at++
  const start = (): readonly [Expression, Expression] | undefined =>
    takes(reading, '_')
      ? within(reading, '{', '}', () => {
          const variable = rules.expression()
          const first = variable && takes(reading, '=') ? rules.expression() : undefined
          return variable && first && ([variable, first] as const)
        })
      : undefined
  const above = (): Read => marked(reading, rules, '^')
  let from = attempt(reading, start)
  const last = attempt(reading, above)
  from ??= attempt(reading, start)
  const of = from && last && rules.term()
  return of && from && last && call(name === 'sum' ? 'series' : 'productSeries', of, from[0], from[1], last)
}

/** Definite ones only; everything before the last differential is integrated. */
export function integral(reading: Reading, rules: Rules): Read {
  let from = attempt(reading, () => marked(reading, rules, '_'))
  const to = attempt(reading, () => marked(reading, rules, '^'))
  from ??= attempt(reading, () => marked(reading, rules, '_'))
  const end = reading.tokens.findIndex(({ kind }, i) => i >= reading.at && kind === 'differential')
  const differential = reading.tokens[end]
  if (from === undefined || to === undefined || differential === undefined) return undefined
  reading.tokens[end] = { kind: 'sign', text: differential.text }
  const of = rules.expression()
  reading.tokens[end] = differential
  if (of === undefined || reading.at !== end) return undefined
  reading.at++
  const name = differential.text.slice(1).trim().replace('\\', '')
  return call('integral', of, { kind: 'symbol', name, real: reading.real }, from, to)
}

export function limit(reading: Reading, rules: Rules): Read {
  if (!takes(reading, '_')) return undefined
  const towards = within(reading, '{', '}', () => {
    const variable = rules.atom()
    const arrow = takes(reading, '\\to', '\\rightarrow', '\\Rightarrow', '\\longrightarrow', '\\Longrightarrow')
    const to = variable?.kind === 'symbol' && arrow ? rules.expression() : undefined
    const below = takes(reading, '^') ? side(reading) : false
    return variable && to && below !== undefined ? ([variable, to, below] as const) : undefined
  })
  const of = towards && rules.term()
  return of && call(towards[2] ? 'limitFromBelow' : 'limit', of, towards[0], towards[1])
}

/** Whether from below. */
function side(reading: Reading): boolean | undefined {
  const braces = takes(reading, '{')
  const { text } = look(reading)
  if (text !== '-' && text !== '+') return undefined
  reading.at++
  return !braces || takes(reading, '}') ? text === '-' : undefined
}
