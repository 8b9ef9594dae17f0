/** What a model is called in results when the hub has no name and no commit for it. */
import { createHash } from 'node:crypto'
import { basename, dirname, extname, resolve } from 'node:path'
import type { RepoFiles } from '#core'
import { rememberRevision } from './folder.ts'
import { hubName, type Reference } from './reference.ts'

/**
 * Revision of a local folder: the first 12 hex digits of SHA-256 over the tensors' identity (their source's hex
 * SHA-256), a line break, and the bytes of config.json, if there is one. The folder shows it as its `revision` from
 * then on.
 */
export async function folderIdentity(files: RepoFiles, tensorsIdentity: string): Promise<string> {
  const hash = createHash('sha256').update(`${tensorsIdentity}\n`)
  if (await files.has('config.json')) hash.update(await files.bytes('config.json'))
  const revision = hash.digest('hex').slice(0, 12)
  rememberRevision(files, revision)
  return revision
}

export interface RepoLabel {
  readonly model: string
  readonly revision: string
}

/**
 * Model and revision as results carry them: `org/name` or the folder's base name, `merge__<file stem>` for a merge, an
 * adapter appended to both.
 */
export function repoLabel(reference: Reference, revision: string, adapterRevision?: string): RepoLabel {
  const { adapter } = reference
  if (!adapter) return { model: modelName(reference), revision }
  return {
    model: `${modelName(reference)}+${modelName(adapter)}`,
    revision: adapterRevision === undefined ? revision : `${revision}+${adapterRevision}`,
  }
}

function modelName(reference: Reference): string {
  switch (reference.kind) {
    case 'hub':
      return hubName(reference)
    case 'folder':
      return basename(resolve(reference.path)) || 'root'
    case 'file':
      return basename(dirname(resolve(reference.path))) || 'root'
    case 'merge':
      return `merge__${basename(reference.path, extname(reference.path))}`
    default:
      return reference satisfies never
  }
}
