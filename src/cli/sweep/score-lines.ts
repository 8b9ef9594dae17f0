/**
 * Results as a table: representations down and tasks across, transposed when there are many tasks; the best of each
 * task is marked, and each task's curve over the layers drawn.
 */
import { points, dash } from '#core'
import { asText } from '#result/report'
import { hiddenState } from '#result/ledger'
import { type ScoreCell, type ScoreGrid } from '#result/statistics'
import { sparkline } from '../lines/sparkline.ts'

/** With more tasks than this, and than rows, tasks go down. */
const tasksAcross = 6

export function scoreLines({ tasks, severalModels, rows }: ScoreGrid): string[] {
  const drawn = waysOf(rows)
  if (tasks.length > tasksAcross && tasks.length > rows.length)
    return asText({
      columns: [
        { title: 'task' },
        ...drawn.map(({ title }) => ({ title })),
        ...rows.map(({ name }) => ({ title: name, number: true })),
      ],
      rows: tasks.map((task, column) => [
        task,
        ...drawn.map(({ ofTask }) => ofTask(column)),
        ...rows.map(({ cells }) => cellText(cells[column])),
      ]),
    })
  return asText({
    columns: [{ title: severalModels ? 'model' : 'state' }, ...tasks.map((title) => ({ title, number: true }))],
    rows: [
      ...rows.map(({ name, cells }) => [name, ...cells.map(cellText)]),
      ...drawn.map(({ title, ofTask }) => [title, ...tasks.map((_, column) => `${ofTask(column)}  `)]),
    ],
  })
}

/**
 * Scores of a model's hidden states in order: a title such as `h0…h6`, and a line per task. Nothing for a model with a
 * single one.
 */
function waysOf(rows: ScoreGrid['rows']): { title: string; ofTask: (column: number) => string }[] {
  const states = rows.flatMap(({ name, cells }) => {
    const model = name.slice(0, name.lastIndexOf(' ') + 1)
    const h = hiddenState(name.slice(model.length))
    return h === undefined ? [] : [{ model, h, cells }]
  })
  return [...new Set(states.map(({ model }) => model))].flatMap((model) => {
    const own = states.filter((state) => state.model === model).sort((a, b) => a.h - b.h)
    const [first, last] = [own[0], own.at(-1)]
    if (first === undefined || last === undefined || first === last) return []
    return [
      {
        title: `${model}h${first.h}…h${last.h}`,
        ofTask: (column: number) => sparkline(own.map(({ cells }) => scoreOf(cells[column]))),
      },
    ]
  })
}

function scoreOf(cell: ScoreCell | undefined): number | undefined {
  return cell === undefined || 'failed' in cell ? undefined : cell.all
}

/** Failures show their code. Where only some subsets are English, their mean is next to the mean of all. */
function cellText(cell: ScoreCell | undefined): string {
  if (cell === undefined) return dash
  if ('failed' in cell) return cell.failed
  const { all, english, best } = cell
  const inEnglish = english === null || english === all ? '' : ` (eng ${points(english)})`
  return `${points(all)}${inEnglish}${best ? ' *' : '  '}`
}
