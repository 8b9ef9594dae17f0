/** Rows that the package itself carries: tasks over them need no hub. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fault } from '#core'
import { localFiles, ownConfig, ownLayout } from './local-files.ts'
import type { Dataset } from './opened-dataset.ts'

// the same from src/ and from dist/
const assets = fileURLToPath(new URL('../../../assets', import.meta.url))

/** A task over one of these files. */
export interface CarriedTask {
  readonly name: string
  readonly dataset: { readonly path: string; readonly revision: string }
  /** Path under the package's assets. */
  readonly carried: string
}

/** The file as the split `test`. Throws `hub.integrity` where it is not the one that the scores are recorded under. */
export async function openCarried({ name, dataset, carried }: CarriedTask): Promise<Dataset> {
  const place = `${name} › ${dataset.path}`
  const layout = ownLayout([ownConfig('default', new Map([['test', [carried]]]))])
  const files = await localFiles(name, layout, { locate: (path) => join(assets, path) })
  if (files.revision !== dataset.revision)
    throw fault('hub.integrity', {
      place: join(assets, carried),
      what: `the list of ${name} has been changed`,
      seen: files.revision,
      wanted: dataset.revision,
      hint: 'install the package again; for a list of your own, use --task-file',
    })
  return { files, layout, revision: files.revision, place }
}
