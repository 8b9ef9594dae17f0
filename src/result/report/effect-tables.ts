/** Effects of merging as tables. */
import { decimals, mean, signedPoints } from '#core'
import { mostInTree } from './effect-pictures.ts'
import type { MergeEffects } from './merge-effects.ts'
import { counted, numbers, type Table } from './table.ts'

/** Number of tasks listed per merge that gained or lost most. */
const extremes = 5

export function effectTables(effects: MergeEffects): Table[] {
  return [mergesTable(effects), byTaskTable(effects), extremesTable(effects), alikeTable(effects)]
}

function mergesTable({ parents, tasks, merges }: MergeEffects): Table {
  return {
    id: 'merges',
    title: `Merges against ${parents.join(' and ')}`,
    notes: [
      `Number of tasks, out of ${tasks.length}, on which a merge is better than every parent, worse than every parent, or between them: by the scores alone, where chance decides many, and by the bootstrap over items against each parent, p < 0.05 after Holm's correction.`,
      `Mean difference × 100 from ${parents[0] ?? ''}.`,
      ...(tasks.length > mostInTree ? [`The tree of tasks is left out: it has room for ${mostInTree} tasks.`] : []),
    ],
    columns: [{ title: 'merge' }, ...numbers('mean difference', 'better', 'surely', 'worse', 'surely', 'between')],
    rows: merges.map(({ name, places, surely, differences }) => {
      const overTasks = mean(differences.filter((value) => value !== null))
      return [
        { text: name },
        { text: signedPoints(overTasks), value: overTasks },
        ...[places.better, surely.better, places.worse, surely.worse, places.between].map(counted),
      ]
    }),
  }
}

function byTaskTable({ tasks, byTask }: MergeEffects): Table {
  return {
    id: 'merges-by-task',
    title: 'Better, worse and between, by task',
    notes: ['By the scores alone.'],
    columns: [
      'Task',
      'Better_Count',
      'Better_Models',
      'Worse_Count',
      'Worse_Models',
      'Between_Equal_Count',
      'Between_Equal_Models',
    ].map((title) => ({
      title,
      number: title.endsWith('Count'),
    })),
    rows: tasks.map((task, at) => {
      const { better = [], worse = [], between = [] } = byTask[at] ?? {}
      return [
        { text: task },
        ...[better, worse, between].flatMap((names) => [counted(names.length), { text: names.join(', ') }]),
      ]
    }),
  }
}

function extremesTable({ tasks, merges, parents }: MergeEffects): Table {
  const texts = (pairs: readonly (readonly [string, number])[]): string =>
    pairs.map(([task, value]) => `${task} ${signedPoints(value)}`).join(', ')
  return {
    id: 'merges-extremes',
    title: 'Gained and lost most',
    notes: [`Tasks with the largest differences × 100 from ${parents[0] ?? ''}.`],
    columns: [{ title: 'merge' }, { title: 'gained' }, { title: 'lost' }],
    rows: merges.map(({ name, differences }) => {
      const sorted = tasks
        .flatMap((task, at) => {
          const value = differences[at] ?? null
          return value === null ? [] : [[task, value] as const]
        })
        .sort(([, a], [, b]) => b - a)
      const [gained, lost] = [
        sorted.slice(0, extremes).filter(([, value]) => value > 0),
        sorted.slice(-extremes).filter(([, value]) => value < 0),
      ]
      return [{ text: name }, { text: texts(gained) }, { text: texts(lost.reverse()) }]
    }),
  }
}

function alikeTable({ merges, alike, parents }: MergeEffects): Table {
  return {
    id: 'merges-alike',
    title: 'Do merges change alike?',
    notes: [`Pearson's correlation of the differences from ${parents[0] ?? ''}, over tasks.`],
    columns: [{ title: 'merge' }, ...numbers(...merges.map(({ name }) => name))],
    rows: merges.map(({ name }, i) => [
      { text: name },
      ...(alike[i] ?? []).map((value) => ({ text: decimals(value, 3), value })),
    ]),
  }
}
