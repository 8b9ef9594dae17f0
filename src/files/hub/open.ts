/** From a reference to the files behind it. */
import { dirname } from 'node:path'
import { Fault, fault, type OnProgress } from '#core'
import { openFolder } from './folder.ts'
import { openHubRepo } from './hub-repo.ts'
import { fromAddress } from './address.ts'
import { checkRepoName, type RepoType } from './names.ts'
import type { OpenedRepo } from './opened-repo.ts'
import { hubName, isPathText, parseReference, type Reference } from './reference.ts'
import { type HubSettings, hubSettings } from './settings.ts'
import { subfolder } from './subfolder.ts'

export interface OpenRepoOptions {
  type?: RepoType | undefined
  /** Instead of the reference's own; with a name as text it means the hub, even if a folder of that name exists. */
  revision?: string | undefined
  settings?: HubSettings | undefined
  /** Hears about files that `local()` downloads. */
  onProgress?: OnProgress | undefined
  /** Ends downloads with `run.cancelled`; what has come in is kept. */
  signal?: AbortSignal | undefined
}

/**
 * Opens a folder, or a repository of the hub through the Hugging Face cache; a file opens its folder.
 * Adapters are references of their own and opened separately; a merge has no files (`usage.value`). Throws
 * `hub.name`, `file.missing`, and the hub's faults when it has to be asked.
 *
 * @example
 * ```ts
 * import { openRepo } from 'strata-lm'
 *
 * const files = await openRepo('assets/models/stories260K')
 * console.log(await files.has('config.json')) // → true
 * ```
 */
export async function openRepo(reference: Reference | string, options: OpenRepoOptions = {}): Promise<OpenedRepo> {
  const { type = 'model', settings = hubSettings(), onProgress, signal } = options
  const asked = typeof reference === 'string' ? read(reference, options.revision) : reference
  switch (asked.kind) {
    case 'hub': {
      const revision = options.revision ?? asked.revision ?? 'main'
      const { folder } = asked
      // data sets are opened as a whole
      const name = type === 'model' ? asked.name : checkRepoName(hubName(asked))
      const open = (): Promise<OpenedRepo> => openHubRepo(name, { type, revision, settings, onProgress, signal })
      return folder === undefined ? open() : subfolder(await orMistyped(open, `./${hubName(asked)}`), folder)
    }
    case 'folder':
      return openFolder(asked.path)
    case 'file':
      return openFolder(dirname(asked.path))
    case 'merge':
      throw fault('usage.value', {
        place: `merge:${asked.path}`,
        what: 'a merge that is not written has no files',
        hint: 'write it with strata merge',
      })
    default:
      return asked satisfies never
  }
}

/** What looks like a folder of a repository may be one of this machine that does not exist. */
async function orMistyped<T>(open: () => Promise<T>, path: string): Promise<T> {
  try {
    return await open()
  } catch (error) {
    // others, as a token that is missing, have hints of their own
    if (!(error instanceof Fault) || (error.code !== 'hub.missing' && error.code !== 'hub.offline')) throw error
    const { code, parts } = error
    throw fault(code, { ...parts, hint: `no folder ${path} is here either`, cause: error })
  }
}

function read(text: string, revision: string | undefined): Reference {
  return revision === undefined || isPathText(text) || text.includes('@')
    ? parseReference(text)
    : { kind: 'hub', name: checkRepoName(fromAddress(text)) }
}
