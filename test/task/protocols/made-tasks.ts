/** Tasks with made-up rows, and embedders that look vectors up by text. */
import { type Embedder, matrix, type Matrix, type PromptType } from '#core'
import { findTasks } from '#task/registry'
import type { LoadedParts, LoadedTask, TaskInfo } from '#task/rows'

export async function taskNamed(name: string, params: Partial<TaskInfo['params']> = {}): Promise<TaskInfo> {
  const { tasks } = await findTasks([name])
  const [task] = tasks
  if (task === undefined) throw new Error(`no task ${name}`)
  return { ...task, params: { ...task.params, ...params } }
}

export function loaded(
  task: TaskInfo,
  parts: LoadedParts,
  { missing = [], profile = 'mteb-2' }: Partial<Pick<LoadedTask, 'missing' | 'profile'>> = {},
): LoadedTask {
  return { ...parts, task, missing, profile, dataRevision: 'test', counts: {}, texts: () => [], close: () => undefined }
}

/** Texts `prefix0`, `prefix1`, … for the rows of a matrix. */
export function names(prefix: string, rows: number): string[] {
  return Array.from({ length: rows }, (_, i) => `${prefix}${i}`)
}

/** An embedder that knows the rows of some matrices by their names; `asked` collects the calls. */
export function lookup(
  tables: Record<string, Matrix>,
): Embedder & { asked: { texts: number; promptType: PromptType | undefined }[] } {
  const asked: { texts: number; promptType: PromptType | undefined }[] = []
  const width = Object.values(tables)[0]?.width ?? 0
  return {
    representation: 'default',
    width,
    asked,
    embed(texts, { promptType } = {}) {
      asked.push({ texts: texts.length, promptType })
      const out = matrix(texts.length, width)
      texts.forEach((text, i) => {
        const [, prefix = '', row = '0'] = /^(\D*)(\d+)$/.exec(text) ?? []
        const table = tables[prefix]
        if (table === undefined) throw new Error(`no vector for ${text}`)
        out.data.set(table.data.subarray(Number(row) * width, (Number(row) + 1) * width), i * width)
      })
      return Promise.resolve(out)
    },
  }
}

/** Metrics that differ from the wanted ones by more than they may; null stands for an undefined value. */
export function offScores(
  got: Record<string, unknown> | undefined,
  want: Record<string, number | null>,
  tolerance: (metric: string) => number,
): string[] {
  return Object.entries(want).flatMap(([metric, value]) => {
    const own = got?.[metric]
    const fits = typeof own === 'number' && value !== null ? Math.abs(own - value) < tolerance(metric) : own === value
    return fits ? [] : [`${metric}: ${String(own)}, wanted ${value}`]
  })
}
