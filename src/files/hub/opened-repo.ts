/** What opening a reference gives: the files, and what there is to say about how they were found. */
import type { RepoFiles } from '#core'

export interface OpenedRepo extends RepoFiles {
  /**
   * Something the user should hear: the hub could not be reached, and older or fewer files are used than it may have.
   */
  readonly notice: string | undefined
}
