/** `--against`: ours and theirs, task by task, with intervals where both kept their items. */
import { pText } from '#core'
import type { Compared } from '#result/statistics'
import { tableLines } from '../table.ts'

export function comparisonLines(compared: readonly Compared[], against: string): string[] {
  if (compared.length === 0) return [`nothing to compare with ${against}`]
  const several = new Set(compared.map(({ model, representation }) => `${model} ${representation}`)).size > 1
  const number = (value: number | null): string => (value === null ? '—' : (100 * value).toFixed(2))
  const signed = (value: number | null): string =>
    value === null ? '—' : `${value < 0 ? '−' : '+'}${Math.abs(100 * value).toFixed(2)}`
  const lines = tableLines(
    [
      ...(several ? [{ title: 'model' }] : []),
      { title: 'task' },
      { title: 'ours', right: true },
      { title: 'theirs', right: true },
      { title: 'difference', right: true },
      { title: '95 % interval' },
      { title: 'p', right: true },
      { title: 'parts', right: true },
      { title: 'against' },
    ],
    compared.map(({ model, representation, task, ours, theirs, difference, interval, parts, of, against: label }) => [
      ...(several ? [`${model} ${representation}`] : []),
      task,
      number(ours),
      number(theirs),
      signed(difference),
      interval === undefined ? '' : `${signed(interval.low)} … ${signed(interval.high)}`,
      interval === undefined ? '' : pText(interval.p),
      parts === of ? `${parts}` : `${parts} of ${of}`,
      label,
    ]),
  )
  const why = [...new Set(compared.flatMap((one) => one.why ?? []))]
  const [first] = compared.flatMap((one) => one.interval ?? [])
  return [
    ...lines,
    ...(first === undefined
      ? []
      : [`intervals by paired bootstrap over items, ${first.draws.toLocaleString('en')} draws, seed 42`]),
    ...why.map((reason) => `no interval where ${reason}`),
  ]
}
