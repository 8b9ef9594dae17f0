/** Hashes of the files to push: SHA-256 for large files, git's own hash for the rest. */
import { createHash } from 'node:crypto'
import type { OnProgress } from '#core'
import { inParallel } from '../in-parallel.ts'
import { stopIfCancelled } from '../retry.ts'
import type { CommitFile } from './push-commit.ts'
import { fileBody, type LocalFile } from './push-files.ts'
import type { PushState } from './push-state.ts'
import type { UploadMode } from './upload-modes.ts'

interface HashOptions {
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/**
 * Hashes files whose hash is not remembered; `found` is called with each file and the repository's file of that name.
 */
export async function hashFiles(
  files: readonly LocalFile[],
  modes: ReadonlyMap<string, UploadMode>,
  state: PushState,
  { onProgress, signal }: HashOptions,
  found: (file: CommitFile, remote: string | undefined) => void,
): Promise<void> {
  const open = files.flatMap((file) => (modes.has(file.path) ? [file] : []))
  const total = open.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  await inParallel(open, 2, signal, async (file, stop) => {
    const { mode, remote } = modes.get(file.path) ?? { mode: 'regular', remote: undefined }
    const known = mode === 'lfs' ? state.hash(file) : undefined
    const begun = Date.now()
    const hash = createHash(mode === 'lfs' ? 'sha256' : 'sha1')
    if (mode === 'regular') hash.update(`blob ${file.size}\0`)
    if (known === undefined) {
      for await (const piece of fileBody(file).pieces()) {
        stopIfCancelled(stop)
        hash.update(piece)
        done += piece.byteLength
        onProgress?.({ stage: 'hash', done, total, unit: 'bytes' })
      }
    } else done += file.size
    const oid = known ?? hash.digest('hex')
    if (known === undefined && mode === 'lfs') await state.keepHash(file, oid, begun)
    found({ file, mode, oid }, remote)
  })
}
