/** A data set as it is opened: files, and how they are laid out. */
import type { RepoFiles } from '#core'
import type { DatasetLayout } from './dataset-layout.ts'

/** Files of a data set, with their layout where the files themselves do not say it. */
export interface DatasetFiles extends RepoFiles {
  readonly layout?: DatasetLayout
}

/** Opens a data-set repository at a revision. */
export type OpenDataset = (path: string, revision: string) => Promise<DatasetFiles>

export interface Dataset {
  readonly files: RepoFiles
  readonly layout: DatasetLayout
  readonly revision: string
  /** `Task › org/name`. */
  readonly place: string
}
