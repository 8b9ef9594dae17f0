/** Results of models whose name mteb does not know: folders and `model_meta.json` under a placeholder. */
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fault } from '#core'
import { type Listed } from './find-results.ts'

/** As mteb 1.x and 2.x write them, and as their folders read. */
const placeholders: ReadonlySet<string> = new Set([
  'no_model_name_available',
  'no_model_name/available',
  'no_model_name__available',
])

/** Whether a name of a model, or of its folder, stands for none. */
export function isPlaceholder(name: string): boolean {
  return placeholders.has(name)
}

/** The same results, each with its model's name. Throws `usage.value` where one has none and `model` is undefined. */
export function named(found: readonly Listed[], model: string | undefined): Listed[] {
  return found.map((one) => {
    if (!isPlaceholder(one.model) || one.task === '') return one
    if (model !== undefined) return { ...one, model }
    throw fault('usage.value', {
      place: one.path,
      what: 'the result does not name its model',
      seen: one.model,
      hint: 'name the model: --models org/name',
    })
  })
}

/**
 * Folders of placeholders deeper than `folder` lists results: each belongs to a model of its own, which one name cannot
 * stand for.
 */
export async function deeperPlaceholders(folder: string): Promise<Listed[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && isPlaceholder(entry.name) && relative(folder, entry.parentPath) !== '')
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const problem = fault('result.invalid', {
        place: path,
        what: 'results of a model without a name: import this folder by itself, with its own --models',
      })
      return { path, fault: problem, model: entry.name, revision: '', representation: 'default', task: '' }
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
