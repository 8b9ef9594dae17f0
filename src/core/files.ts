/**
 * Files of one repository at one revision – a folder, the hub's cache, the hub itself. Paths are relative with `/`, and
 * never leave the repository.
 */

export interface RepoFiles {
  /** `org/name`, or the folder as given. */
  readonly name: string
  /** Commit on the hub; for a folder, what `hub` derives from its contents. Undefined until known. */
  readonly revision: string | undefined
  list(): Promise<readonly string[]>
  has(path: string): Promise<boolean>
  /** Local path of the real file, links resolved, downloaded on first use; throws `file.missing` or a hub fault. */
  local(path: string): Promise<string>
  /** The whole file; files beyond `limit` bytes (default 64 MiB) are refused with `format.limit`. */
  bytes(path: string, limit?: number): Promise<Uint8Array>
  /** The same as UTF-8 text. */
  text(path: string, limit?: number): Promise<string>
}
