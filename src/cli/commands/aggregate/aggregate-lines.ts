/** Combinations of layers for people: method × task, the significant differences, and the concluding sentence. */
import { type AggregateReport, type MethodCell, type ReferenceDifference, type TaskReport } from '#experiment/aggregate'
import { duration, points, pPhrase, signedPoints } from '#core'
import { recipeName } from '#result/ledger'
import { asText } from '#result/report'

export function aggregateLines(report: AggregateReport, files: ReadonlyMap<string, string>): string[] {
  const { model, tasks, passed, seconds, corpus, sentence } = report
  const methods = [...new Set(tasks.flatMap(({ cells }) => cells.map(({ method }) => method)))]
  const columns = [{ title: 'method' }, ...tasks.map(({ task }) => ({ title: task, number: true }))]
  const rows = methods.map((method) => [method, ...tasks.map((task) => cellText(task, method))])
  const beside = (name: string, of: (task: TaskReport) => number | null | undefined): string[] => [
    name,
    ...tasks.map((task) => points(of(task) ?? null)),
  ]
  return [
    model,
    ...asText({
      columns,
      rows: [
        ...rows,
        columns.map(() => ''),
        beside('default', (task) => task.default),
        [
          'chosen by validation',
          ...tasks.map(({ chosen }) =>
            chosen === undefined ? '' : `${recipeName(chosen.recipe)} ${points(chosen.test)}`,
          ),
        ],
        [
          'best in hindsight',
          ...tasks.map(({ hindsight }) =>
            hindsight === undefined ? '' : `${hindsight.representation} ${points(hindsight.test)}`,
          ),
        ],
        ['validated on', ...tasks.map(({ validation }) => validation ?? 'other tasks')],
      ],
    }),
    '',
    'scores × 100 of the setting chosen by validation · ↑ ↓ better or worse than the single layer chosen by validation (paired bootstrap over items, 10,000 draws, p < 0.05 after Holm)',
    ...tasks.flatMap(({ mix, task }) =>
      mix === undefined
        ? []
        : [`${task}: ${recipeName(mix.recipe)} ${mix.held.map(heldText).join(', ')}${fileText(files.get(task))}`],
    ),
    '',
    `${passed.texts.toLocaleString('en')} ${passed.texts === 0 ? 'texts passed the model: every vector was cached' : 'texts passed the model once'}${passed.seconds > 0 ? ` in ${duration(passed.seconds)}` : ''}; ${duration(seconds)} in total${passed.seconds > 0 ? `, ${(seconds / passed.seconds).toFixed(1)}× as long` : ''}${corpus === null ? '' : `; layers compared on ${corpus.texts.toLocaleString('en')} texts of ${corpus.name}`}`,
    sentence,
  ]
}

function cellText({ cells }: TaskReport, method: string): string {
  const cell = cells.find((one) => one.method === method)
  return cell === undefined ? '' : `${points(cell.test)}${mark(cell)}`
}

function mark({ held }: MethodCell): string {
  const best = held.find(({ against }) => against === 'best')
  if (best?.pHolm === null || best?.pHolm === undefined || best.pHolm >= 0.05) return '  '
  return (best.difference ?? 0) > 0 ? ' ↑' : ' ↓'
}

function heldText({ against, difference, low, high, pHolm, why }: ReferenceDifference): string {
  if (difference === null) return `against ${against}: no score`
  const interval =
    low === null || high === null
      ? (why ?? 'no interval')
      : `${signedPoints(low)} … ${signedPoints(high)}, ${pPhrase(pHolm ?? 1)}`
  return `against ${against} ${signedPoints(difference)} (${interval})`
}

function fileText(path: string | undefined): string {
  return path === undefined ? '' : ` → ${path}`
}
