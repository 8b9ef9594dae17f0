/** `--against`: ours and theirs, task by task, with intervals where both have stored their items. */
import { points, pText, signedPoints } from '#core'
import type { Compared } from '#result/statistics'
import { asText } from '#result/report'

export function comparisonLines(compared: readonly Compared[], against: string): string[] {
  if (compared.length === 0) return [`nothing to compare with ${against}`]
  const several = new Set(compared.map(({ model, representation }) => `${model} ${representation}`)).size > 1
  const lines = asText({
    columns: [
      ...(several ? [{ title: 'model' }] : []),
      { title: 'task' },
      { title: 'ours', number: true },
      { title: 'theirs', number: true },
      { title: 'difference', number: true },
      { title: '95 % interval' },
      { title: 'p', number: true },
      { title: 'parts', number: true },
      { title: 'against' },
    ],
    rows: compared.map(
      ({ model, representation, task, ours, theirs, difference, interval, parts, of, against: label }) => [
        ...(several ? [`${model} ${representation}`] : []),
        task,
        points(ours),
        points(theirs),
        signedPoints(difference),
        interval === undefined ? '' : `${signedPoints(interval.low)} … ${signedPoints(interval.high)}`,
        interval === undefined ? '' : pText(interval.p),
        parts === of ? `${parts}` : `${parts} of ${of}`,
        label,
      ],
    ),
  })
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
