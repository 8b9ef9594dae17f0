/**
 * Effects of merging as pictures: scores by group of tasks, spread of the changes, the tasks that gained and lost most,
 * similarity of the merges' changes, trees of merges and of tasks.
 */
import { decimals, mean } from '#core'
import { barsByGroup, boxesByGroup, dendrogram, shadedCells, valuesByName } from '#result/pictures'
import type { MergeEffect, MergeEffects } from './merge-effects.ts'
import type { Report, ReportRow } from './report.ts'
import type { TitledPicture } from './report-pictures.ts'
import { groupTasks, type TaskGroup } from './task-groups.ts'

/** Maximum number of tasks in a tree; a table says when it is left out. */
export const mostInTree = 400
/** Maximum number of rows that a picture tells apart by colour. */
const mostRows = 7
/** Maximum number of merges whose tasks are drawn one by one. */
const mostMerges = 4
/** Number of tasks that gained, and that lost, most. */
const extremes = 8

export function effectPictures(report: Report): TitledPicture[] {
  const { effects } = report
  if (effects === null) return []
  const merges = effects.merges.toSorted((a, b) => change(b) - change(a))
  const groups = groupTasks(report.tasks.filter(({ name }) => effects.tasks.includes(name)))
  return [
    ...scoresByGroup(report, effects, { merges, groups }),
    ...spreadByGroup(effects, { merges: merges.slice(0, mostMerges), groups }),
    ...merges.slice(0, mostMerges).map((merge) => gainedAndLost(effects, merge)),
    ...alikePictures(effects),
  ]
}

function change({ differences }: MergeEffect): number {
  return mean(differences.flatMap((value) => value ?? []))
}

interface Shown {
  readonly merges: readonly MergeEffect[]
  readonly groups: readonly TaskGroup[]
}

function scoresByGroup(
  { rows: all, tasks }: Report,
  effects: MergeEffects,
  { merges, groups }: Shown,
): TitledPicture[] {
  const names = [...effects.parents, ...merges.slice(0, mostRows - effects.parents.length).map(({ name }) => name)]
  const rows = names.flatMap((name) => all.find((row) => row.name === name) ?? [])
  const over = (row: ReportRow, some: readonly string[]): number | null => {
    const scores = some.map((task) => row.scores[tasks.findIndex(({ name }) => name === task)] ?? null)
    const there = scores.flatMap((score) => score ?? [])
    return there.length === 0 || there.length < scores.length ? null : 100 * mean(there)
  }
  const title = groups.length > 1 ? 'Scores by group of tasks' : 'Mean scores'
  const rest = merges.length + effects.parents.length - rows.length
  const whole = { name: 'all tasks', tasks: effects.tasks }
  const parts = [whole, ...(groups.length > 1 ? groups.map((one) => ({ name: one.name, tasks: namesIn(one) })) : [])]
  return [
    {
      title,
      picture: barsByGroup({
        title,
        subtitle: `mean score × 100; parents first${rest > 0 ? `; the best ${merges.length - rest} of ${merges.length} merges` : ''}`,
        groups: parts.map(({ name, tasks: own }) => `${name} (${own.length})`),
        rows: names,
        across: 'mean score × 100',
        values: rows.map((row) => parts.map((part) => over(row, part.tasks))),
      }),
    },
  ]
}

function namesIn({ tasks }: TaskGroup): string[] {
  return tasks.map(({ name }) => name)
}

function spreadByGroup({ parents, tasks }: MergeEffects, { merges, groups }: Shown): TitledPicture[] {
  const [first = ''] = parents
  if (tasks.length < 8) return []
  const title = groups.length > 1 ? 'Changes by group of tasks' : 'Changes over tasks'
  return [
    {
      title,
      picture: boxesByGroup({
        title,
        subtitle: `score × 100 minus that of ${first}, one value per task; box: the middle half, line: the median`,
        groups: groups.map(({ name, tasks: own }) => `${name} (${own.length})`),
        rows: merges.map(({ name }) => name),
        across: `difference from ${first} × 100`,
        values: merges.map(({ differences }) =>
          groups.map((group) =>
            namesIn(group).flatMap((task) => {
              const value = differences[tasks.indexOf(task)] ?? null
              return value === null ? [] : [100 * value]
            }),
          ),
        ),
      }),
    },
  ]
}

function gainedAndLost({ parents, tasks }: MergeEffects, { name, differences }: MergeEffect): TitledPicture {
  const sorted = tasks
    .flatMap((task, at) => {
      const value = differences[at] ?? null
      return value === null ? [] : [{ name: task, value: 100 * value }]
    })
    .toSorted((a, b) => b.value - a.value)
  const shown =
    sorted.length <= 2 * extremes ? sorted : [...sorted.slice(0, extremes), ...sorted.slice(sorted.length - extremes)]
  const title = `Gained and lost most: ${name}`
  return {
    title,
    picture: valuesByName({
      title,
      subtitle: `score × 100 minus that of ${parents[0] ?? ''}${shown.length < sorted.length ? `; ${extremes} of ${sorted.length} tasks at either end` : ''}`,
      across: `difference from ${parents[0] ?? ''} × 100`,
      values: shown.map((one) => ({ ...one, group: one.value < 0 ? 'lost' : 'gained' })),
      isBars: true,
    }),
  }
}

function alikePictures({ merges, alike, trees, parents }: MergeEffects): TitledPicture[] {
  const names = merges.map(({ name }) => name)
  const title = 'Similarity of the merges’ changes'
  const subtitle = `correlation of the differences from ${parents[0] ?? ''} over tasks`
  const matrix = shadedCells({
    title,
    subtitle,
    rows: { title: 'merge', labels: names },
    columns: { title: 'merge', labels: names },
    legend: 'r',
    domain: [-1, 1],
    cell: { width: 44, height: 24 },
    cells: alike.map((line) => line.map((value) => ({ value, text: decimals(value, 2) }))),
  })
  return [
    ...(names.length < 2 ? [] : [{ title, picture: matrix }]),
    ...(trees === null
      ? []
      : [tree('Merges by their changes', 'average linkage of standardised differences', names, trees.merges)]),
    ...(trees === null || trees.over.length > mostInTree
      ? []
      : [
          tree(
            'Tasks by the merges that change them',
            "Ward's linkage of standardised differences",
            trees.over,
            trees.tasks,
          ),
        ]),
  ]
}

function tree(
  title: string,
  subtitle: string,
  names: readonly string[],
  joints: Parameters<typeof dendrogram>[0]['joints'],
): TitledPicture {
  return { title, picture: dendrogram({ title, subtitle, names, joints }) }
}
