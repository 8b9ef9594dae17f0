/** A selection of tasks without a model. */
import { quantity } from '#core'
import { type FoundTasks, taskSize } from '#task/registry'
import { row } from '../../lines/rows.ts'

/** A selection of tasks without a model: its tasks, their size, and those that cannot run. */
export async function choiceLines({ tasks, skipped, selections, benchmarks }: FoundTasks): Promise<string[]> {
  const sizes = await Promise.all(tasks.map((task) => taskSize(task, selections.get(task.name), benchmarks)))
  const known = sizes.flatMap((size) => size ?? [])
  const sum = (of: (size: (typeof known)[number]) => number): string =>
    known.reduce((total, size) => total + of(size), 0).toLocaleString('en')
  return [
    `${quantity(tasks.length + skipped.length, 'task')}; name a model to see its cost and prompts`,
    row(
      'texts',
      `${sum(({ texts }) => texts)}, ${sum(({ characters }) => characters)} characters, in ${known.length} of ${quantity(tasks.length, 'task')} (counted by mteb)`,
    ),
    ...tasks.map((task, i) => {
      const size = sizes[i]
      const { splits = task.splits, subsets } = selections.get(task.name) ?? {}
      const where = `${splits.join(', ')}${subsets === undefined ? '' : ` · ${subsets.length} of ${Object.keys(task.subsets).length} subsets`}`
      return row(
        'run',
        `${task.name} (${task.type}, ${where}): ${size === undefined ? 'size unknown' : quantity(size.texts, 'text')}`,
      )
    }),
    ...skipped.map(({ task, reason }) => row('skipped', `${task.name}: ${reason}`)),
  ]
}

/** The same for a program. */
export async function choiceDocument({ tasks, skipped, selections, benchmarks }: FoundTasks): Promise<object> {
  const sizes = await Promise.all(tasks.map((task) => taskSize(task, selections.get(task.name), benchmarks)))
  return {
    tasks: tasks.map((task, i) => ({
      task: task.name,
      type: task.type,
      splits: selections.get(task.name)?.splits ?? task.splits,
      subsets: selections.get(task.name)?.subsets ?? Object.keys(task.subsets),
      texts: sizes[i]?.texts ?? null,
      characters: sizes[i]?.characters ?? null,
    })),
    skipped: skipped.map(({ task, reason }) => ({ task: task.name, reason })),
  }
}
