/** An aggregation as pictures: the scores of each method, and the layers in the chosen mixes. */
import { recipeName } from '#result/ledger'
import { methodGrid, type Picture, weightsByLayer } from '#result/pictures'
import type { AggregateReport } from './report.ts'

/** Method × task: test scores of the setting that validation chose, `default` below them. */
export function aggregateGrid({ model, tasks }: AggregateReport): Picture {
  const methods = [...new Set(tasks.flatMap(({ cells }) => cells.map(({ method }) => method)))]
  return methodGrid({
    title: `Ways to combine the layers of ${model}`,
    subtitle: 'test scores × 100 of the setting that validation chose',
    methods: [...methods, 'default'],
    tasks: tasks.map(({ task }) => task),
    scores: [
      ...methods.map((method) => tasks.map(({ cells }) => cells.find((cell) => cell.method === method)?.test ?? null)),
      tasks.map((task) => task.default),
    ],
  })
}

/** The chosen mix of each task, if it is a weighted sum; undefined where none is. */
export function aggregateWeights({ model, tasks }: AggregateReport): Picture | undefined {
  const mixes = tasks.flatMap(({ task, mix }) =>
    mix?.weights === undefined ? [] : [{ name: `${task}: ${recipeName(mix.recipe)}`, weights: mix.weights }],
  )
  return mixes.length === 0 ? undefined : weightsByLayer({ title: `Layers in the chosen mixes of ${model}`, mixes })
}
