/** A model's config.json as it is. */
import type { RepoFiles } from '../core/index.ts'
import { parseJson } from '../formats/index.ts'

/** Its fields, none where there is no such file. Throws `format.json`. */
export async function configOf(files: RepoFiles): Promise<Record<string, unknown>> {
  if (!(await files.has('config.json'))) return {}
  return parseJson(await files.text('config.json'), `${files.name}/config.json`, { allowNaN: true }) as Record<string, unknown>
}
