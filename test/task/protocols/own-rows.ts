/** Tasks read from rows made for a test, and a model whose vector of the text `x7` is row 7 of a matrix. */
import { loadTask, type LoadedTask, type LoadOptions, type TaskInfo } from '#task/rows'
import { makeRepo, readme, type Row } from '../rows/made-repo.ts'

/** Rows of each (split, subset). */
export type PartRows = readonly { readonly split: string; readonly subset: string; readonly rows: readonly Row[] }[]

/** Reads `task` with its subsets and steps replaced by those of the rows. */
export async function loadRows(
  task: TaskInfo,
  parts: PartRows,
  options: Omit<LoadOptions, 'openDataset'> = {},
): Promise<LoadedTask> {
  const configs: Record<string, Record<string, string>> = {}
  const files: Record<string, readonly Row[]> = {}
  for (const { split, subset, rows } of parts) {
    ;(configs[subset] ??= {})[split] = `${subset}/${split}.jsonl`
    files[`${subset}/${split}.jsonl`] = rows
  }
  const repo = await makeRepo({ 'README.md': readme(configs), ...files })
  try {
    const subsets = Object.fromEntries(Object.keys(configs).map((subset) => [subset, ['eng-Latn']]))
    const { unsupported: _, ...known } = task
    return await loadTask(
      { ...known, subsets, steps: [] },
      { openDataset: () => Promise.resolve(repo.files), ...options },
    )
  } finally {
    await repo.remove()
  }
}

/** `x<from>` … up to `x<to>`. */
export function numberedTexts(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => `x${from + i}`)
}

/**
 * Paths of numbers in `want` that `got` lacks or has otherwise than rounding can explain; null stands for an undefined
 * value.
 */
export function differences(got: unknown, want: unknown, tolerance: number, path = ''): string[] {
  if (want === null) return got === null ? [] : [`${path}: ${JSON.stringify(got)}, wanted null`]
  if (typeof want === 'number')
    return typeof got === 'number' && Math.abs(got - want) < tolerance
      ? []
      : [`${path}: ${JSON.stringify(got)}, wanted ${want}`]
  const [own, wanted] = [got, want] as (Record<string, unknown> | undefined)[]
  return Object.entries(wanted ?? {}).flatMap(([key, value]) =>
    differences(own?.[key], value, tolerance, `${path}/${key}`),
  )
}
