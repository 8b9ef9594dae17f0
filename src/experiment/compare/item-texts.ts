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
  await checkSize(task)
  const { texts, counts } = await readTexts(task, items, options)
  return items.map((item) => textsIn(item, { texts, counts }))
}

async function checkSize(task: TaskInfo): Promise<void> {
  const size = await taskSize(task)
  if (size !== undefined && size.texts > mostTexts)
    throw fault('format.limit', {
      place: task.name,
      what: 'too many texts to read for a few of them',
      seen: size.texts,
      wanted: `at most ${mostTexts}`,
    })
}

export interface TaskTextsOptions {
  /** Tasks whose texts are kept, the latest; default 2. */
  readonly tasks?: number
  /** Memory of a task's texts; those of a larger task are read again each time. Default 64 MiB. */
  readonly bytes?: number
}

/**
 * `textsOfTask` for many pages of the same items: the texts of the parts that were asked for last stay in memory. One
 * task is read at a time.
 */
export function openTaskTexts({ tasks = 2, bytes = 2 ** 26 }: TaskTextsOptions = {}): typeof textsOfTask {
  let kept: KeptTask[] = []
  let last: Promise<unknown> = Promise.resolve()
  const read: typeof textsOfTask = async (task, items, options) => {
    const known = kept.find(({ name }) => name === task.name)
    const missing = items.filter((item) => known?.counts.has(partName(item)) !== true)
    if (known !== undefined && missing.length === 0) {
      kept = [known, ...kept.filter((one) => one !== known)]
      return items.map((item) => textsIn(item, known))
    }
    await checkSize(task)
    const room = bytes - (known?.bytes ?? 0)
    const found = await readTexts(task, missing, options, room)
    const whole: KeptTask = {
      name: task.name,
      texts: new Map([...(known?.texts ?? []), ...found.texts]),
      counts: new Map([...(known?.counts ?? []), ...found.counts]),
      bytes: (known?.bytes ?? 0) + found.bytes,
    }
    if (found.bytes <= room) kept = [whole, ...kept.filter((one) => one !== known)].slice(0, tasks)
    return items.map((item) => textsIn(item, whole))
  }
  return (...asked) => {
    const own = last.then(() => read(...asked))
    last = own.catch(() => undefined)
    return own
  }
}

interface Texts {
  /** Texts of items, by their names. */
  readonly texts: ReadonlyMap<string, readonly string[]>
  /** Rows of each part. */
  readonly counts: ReadonlyMap<string, number>
}

interface KeptTask extends Texts {
  readonly name: string
  readonly bytes: number
}

/** Memory of a text besides its letters. */
const textBytes = 128

/** The texts of the items, and those of all others in their parts where these take no more than `room` bytes. */
async function readTexts(
  task: TaskInfo,
  items: readonly ItemPlace[],
  options: LoadOptions,
  room = 0,
): Promise<Texts & { readonly bytes: number }> {
  const splits = [...new Set(items.map(({ split }) => split))]
  const subsets = [...new Set(items.map(({ subset }) => subset))]
  const read = await taskRows(task, { ...options, splits, subsets })
  try {
    const wanted = new Set(items.map(nameOf))
    const texts = new Map<string, readonly string[]>()
    const counts = new Map<string, number>()
    let bytes = 0
    for (const { subset, split, table, row } of read.rows()) {
      if (table !== undefined && table !== 'queries') continue
      const part = partName({ split, subset })
      const at = counts.get(part) ?? 0
      counts.set(part, at + 1)
      const { id, ...rest } = row
      const name = nameOf({ split, subset, item: at, query: table === 'queries' ? String(id) : undefined })
      const isWanted = wanted.has(name)
      if (bytes > room && !isWanted) continue
      const own = Object.values(table === 'queries' ? rest : row).filter((value) => typeof value === 'string')
      bytes += own.reduce((sum, { length }) => sum + 2 * length, textBytes)
      texts.set(name, own)
    }
    return { texts, counts, bytes }
  } finally {
    read.close()
  }
}

function textsIn(item: ItemPlace, { texts, counts }: Texts): readonly string[] | null {
  const isWhole = item.query !== undefined || counts.get(partName(item)) === item.of
  return isWhole ? (texts.get(nameOf(item)) ?? null) : null
}

function partName({ split, subset }: Pick<ItemPlace, 'split' | 'subset'>): string {
  return `${split}\n${subset}`
}

/** An item by its query where it has one, otherwise by its position. */
function nameOf({ split, subset, item, query }: Omit<ItemPlace, 'of'>): string {
  return JSON.stringify([split, subset, query ?? item])
}
