/** The texts of single items, from the rows of their task. */
import { fault } from '#core'
import type { ItemDifference } from '#result/statistics'
import { type LoadOptions, type TaskInfo, taskRows } from '#task/rows'
import { taskSize } from '#task/registry'

/** Where an item stands in its task. */
export type ItemPlace = Pick<ItemDifference, 'split' | 'subset' | 'item' | 'of' | 'query'>

/** Larger tasks are not read for the sake of a few texts. */
const mostTexts = 300_000

/**
 * Each item's texts, in the order of the items; null where the number of rows of its part differs from the number of
 * items. Throws what reading the rows throws, `format.limit` for a task with a very large corpus.
 */
export async function textsOfTask(
  task: TaskInfo,
  items: readonly ItemPlace[],
  options: LoadOptions,
): Promise<(readonly string[] | null)[]> {
  const size = await taskSize(task)
  if (size !== undefined && size.texts > mostTexts)
    throw fault('format.limit', {
      place: task.name,
      what: 'too many texts to read for a few of them',
      seen: size.texts,
      wanted: `at most ${mostTexts}`,
    })
  const splits = [...new Set(items.map(({ split }) => split))]
  const subsets = [...new Set(items.map(({ subset }) => subset))]
  const read = await taskRows(task, { ...options, splits, subsets })
  try {
    const wanted = new Set(items.map(nameOf))
    const found = new Map<string, readonly string[]>()
    const counts = new Map<string, number>()
    for (const { subset, split, table, row } of read.rows()) {
      if (table !== undefined && table !== 'queries') continue
      const part = `${split}\n${subset}`
      const at = counts.get(part) ?? 0
      counts.set(part, at + 1)
      const { id, ...rest } = row
      const name = nameOf({ split, subset, item: at, query: table === 'queries' ? String(id) : undefined })
      if (wanted.has(name))
        found.set(
          name,
          Object.values(table === 'queries' ? rest : row).filter((value) => typeof value === 'string'),
        )
    }
    return items.map((item) => {
      const whole = item.query !== undefined || counts.get(`${item.split}\n${item.subset}`) === item.of
      return whole ? (found.get(nameOf(item)) ?? null) : null
    })
  } finally {
    read.close()
  }
}

/** An item by its query where it has one, otherwise by its position. */
function nameOf({ split, subset, item, query }: Omit<ItemPlace, 'of'>): string {
  return JSON.stringify([split, subset, query ?? item])
}
