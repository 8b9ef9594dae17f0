/** Which branches and tags a repository has. */
import { join } from 'node:path'
import { fault } from '#core'
import { isObject, parseJson } from '#files/formats'
import { listFolder } from './folder.ts'
import { repoOf } from './layout.ts'
import type { RepoType } from './names.ts'
import { refusal } from './refusal.ts'
import { retryRequest } from './request.ts'
import { type HubSettings, hubSettings } from './settings.ts'
import { offlineFault } from './unreachable.ts'

export interface ListRevisionsOptions {
  readonly type?: RepoType | undefined
  readonly settings?: HubSettings | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * In the hub's order; offline, those ever requested here. Throws `hub.offline` where none was, otherwise the hub's
 * faults.
 */
export async function listRevisions(
  name: string,
  { type = 'model', settings = hubSettings(), signal }: ListRevisionsOptions = {},
): Promise<readonly string[]> {
  const repo = repoOf(settings, type, name)
  if (settings.offline) {
    const seen = await listFolder(join(repo.storage, 'refs')).catch(() => [])
    if (seen.length === 0) throw await offlineFault(repo, 'main')
    return seen
  }
  const text = await retryRequest(
    settings,
    `${settings.endpoint}/api/${type}s/${name}/refs`,
    { signal },
    async (response) => {
      if (response.status !== 200) throw await refusal(settings, response, { repo, revision: 'refs' })
      return response.text()
    },
  )
  const answer = parseJson(text, `${name}: its branches`)
  const named = (key: string): string[] => {
    const list: unknown = isObject(answer) ? answer[key] : undefined
    return Array.isArray(list)
      ? list.flatMap((one: unknown) => (isObject(one) && typeof one['name'] === 'string' ? [one['name']] : []))
      : []
  }
  const names = [...named('branches'), ...named('tags')]
  if (names.length === 0)
    throw fault('hub.server', { place: name, what: 'the answer names no branch', seen: text.slice(0, 80) })
  return names
}
