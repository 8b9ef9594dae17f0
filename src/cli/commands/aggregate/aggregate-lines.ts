/** Combinations of layers for people: method × task, the significant differences, and the concluding sentence. */
import { type AggregateReport, type MethodCell, type ReferenceDifference, type TaskReport } from '#experiment/aggregate'
import { decimals, duration, points, pPhrase, signedPoints } from '#core'
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
            hindsight === undefined
              ? ''
              : `${hindsight.recipe === null ? hindsight.representation : recipeName(hindsight.recipe)} ${points(hindsight.test)}`,
          ),
        ],
        ['validated on', ...tasks.map(({ validation }) => validation ?? 'other tasks')],
      ],
    }),
    '',
    'scores × 100 of the setting chosen by validation · ↑ ↓ does a method differ from the single layer chosen by validation? (paired bootstrap over items, 10,000 draws, p < 0.05 after Holm over methods and tasks)',
    ...bestLines(tasks),
    '',
    'does the chosen mix differ from the single layer chosen by validation? (one comparison per task, Holm over the tasks)',
    ...tasks.flatMap((task) => mixLines(task, files.get(task.task))),
    '',
    `${passed.texts.toLocaleString('en')} ${passed.texts === 0 ? 'texts passed the model: every vector was cached' : 'texts passed the model once'}${passed.seconds > 0 ? ` in ${duration(passed.seconds)}` : ''}; ${duration(seconds)} in total${passed.seconds > 0 ? `, ${(seconds / passed.seconds).toFixed(1)}× as long` : ''}${corpus === null ? '' : `; layers compared on ${corpus.texts.toLocaleString('en')} texts of ${corpus.name}`}`,
    sentence,
  ]
}

/** Which layers the method `best` took. */
function bestLines(tasks: readonly TaskReport[]): string[] {
  const layers = tasks.flatMap(({ task, cells }) => {
    const weights = cells.find(({ method }) => method === 'best')?.weights
    return weights === undefined ? [] : [{ task, layer: `h${weights.indexOf(Math.max(...weights))}` }]
  })
  const [first] = layers
  if (first === undefined) return []
  return layers.length > 1 && layers.every(({ layer }) => layer === first.layer)
    ? [`best is ${first.layer} on every task`]
    : [`best is ${layers.map(({ task, layer }) => `${layer} on ${task}`).join(', ')}`]
}

function mixLines({ task, mix, single, mixAgainstSingle }: TaskReport, file: string | undefined): string[] {
  if (mix === undefined) return []
  const against =
    mixAgainstSingle === undefined ? [] : [differenceText(single?.representation ?? 'best', mixAgainstSingle)]
  const others = mix.held.filter(({ against: reference }) => reference !== 'best')
  return [
    `${task}: ${[recipeName(mix.recipe), ...against].join(' ')}${fileText(file)}`,
    ...(mix.weights === undefined ? [] : [`  weights: ${weightsText(mix.weights)}`]),
    ...(others.length === 0
      ? []
      : [
          `  next to other references (Holm over methods and tasks): ${others.map((one) => differenceText(one.against, one)).join(', ')}`,
        ]),
  ]
}

/** The layers that count, by their weight: `0.61 h6 + 0.39 h5`. */
function weightsText(weights: readonly number[]): string {
  return weights
    .map((weight, h) => ({ weight, h }))
    .filter(({ weight }) => Math.abs(weight) >= 0.005)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ weight, h }) => `${decimals(weight, 2)} h${h}`)
    .join(' + ')
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

function differenceText(name: string, { difference, low, high, pHolm, why }: ReferenceDifference): string {
  if (difference === null) return `against ${name}: no score`
  const interval =
    low === null || high === null
      ? (why ?? 'no interval')
      : `${signedPoints(low)} … ${signedPoints(high)}, ${pPhrase(pHolm ?? 1)}`
  return `against ${name} ${signedPoints(difference)} (${interval})`
}

function fileText(path: string | undefined): string {
  return path === undefined ? '' : ` → ${path}`
}
