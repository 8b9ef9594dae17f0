/**
 * Files of a repository in a folder of the user's, as `--local-dir` of huggingface_hub lays them out: the files
 * themselves at their paths, and their metadata under `.cache/huggingface/download/<path>.metadata` (commit, etag,
 * seconds since 1970, one per line) – each program skips files that the other downloaded.
 */
import { constants, copyFile, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { fault, fingerprint } from '#core'
import { makeFolder, writeFault, writeWhole } from '#platform/disk'
import type { RemoteFile } from './download.ts'
import type { Downloader } from './hub-repo.ts'
import { contentHash, etagKind } from './integrity.ts'

export interface LocalDir {
  /** Whether the file is here as the commit has it; `undefined`: the hub has to be asked. */
  isHere(path: string, remote?: RemoteFile): Promise<boolean | undefined>
  /** Brings a file to its place, whole or not at all: from the cache if it is there, otherwise from the hub. */
  download(
    path: string,
    remote: RemoteFile,
    options: { force: boolean; signal: AbortSignal; onBytes: (byteLength: number) => void },
  ): Promise<void>
}

/**
 * Opens the folder for one commit; it is made when the first file comes. Paths have gone through `checkPath` and
 * `checkPlaces`; throws `file.outside` for a link that leads out.
 */
export function openLocalDir(folder: string, commit: string, downloader: Downloader): LocalDir {
  const root = resolve(folder)
  const own = join(root, '.cache', 'huggingface')
  const metadataOf = (path: string): string => join(own, 'download', `${path}.metadata`)

  async function known(path: string): Promise<{ commit: string; etag: string } | undefined> {
    try {
      const [about, etag, when] = (await readFile(metadataOf(path), 'utf8')).split('\n')
      const { mtimeMs } = await stat(join(root, path))
      // The clock of a file system may be a second coarse; the rule is huggingface_hub's.
      return about && etag && mtimeMs / 1000 - 1 <= Number(when) ? { commit: about, etag } : undefined
    } catch {
      return undefined
    }
  }

  async function note(path: string, etag: string): Promise<void> {
    await writeWhole(metadataOf(path), `${commit}\n${etag}\n${Date.now() / 1000}\n`)
  }

  async function sameContents(path: string, { etag, size }: RemoteFile): Promise<boolean> {
    if (etagKind(etag) === undefined) return false
    const handle = await open(join(root, path), 'r').catch(() => undefined)
    try {
      return (
        handle !== undefined &&
        (size === undefined || (await handle.stat()).size === size) &&
        (await contentHash(handle, etag)) === etag
      )
    } finally {
      await handle?.close()
    }
  }

  return {
    async isHere(path, remote) {
      const before = await known(path)
      if (before?.commit === commit || (remote !== undefined && before?.etag === remote.etag)) return true
      if (remote === undefined) return undefined
      const same = await sameContents(path, remote)
      if (same) await note(path, remote.etag)
      return same
    },
    async download(path, remote, { force, signal, onBytes }) {
      const target = join(root, path)
      const staged = join(own, 'download', `${fingerprint(path).slice(0, 8)}.${remote.etag}`)
      try {
        await makeFolder(dirname(staged))
        await writeFile(join(own, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => undefined)
        await makeFolder(dirname(target))
        const [inside, real] = [await realpath(dirname(target)), await realpath(root)]
        if (inside !== real && !inside.startsWith(real + sep))
          throw fault('file.outside', {
            place: target,
            what: 'a link in the folder leads out of it',
            seen: inside,
            hint: 'remove the link',
          })
        const cached = force ? undefined : await downloader.cached(path)
        if (cached === undefined) await downloader.downloadTo(path, remote, staged, { force, signal, onBytes })
        else await copyFile(cached, staged, constants.COPYFILE_FICLONE)
        await rename(staged, target)
        await note(path, remote.etag)
      } catch (error) {
        await rm(staged, { force: true }).catch(() => undefined)
        throw writeFault(error, target, { hint: 'check the free space and the permissions there' })
      }
    },
  }
}

/**
 * What a stranger's repository may not put into a folder of the user's: git would run its hooks, and the records are
 * ours. Throws `file.outside`.
 */
export function checkPlaces(paths: readonly string[], folder: string): void {
  for (const path of paths) {
    const parts = path.toLowerCase().split('/')
    if (!parts.includes('.git') && !(parts[0] === '.cache' && parts[1] === 'huggingface')) continue
    throw fault('file.outside', {
      place: `${folder} › ${path}`,
      what: `the repository has a file where ${basename(folder)} keeps its own`,
      hint: '--exclude it',
    })
  }
}

/** Etag and size of a file in the cache: blobs are named by their etag. */
export async function cachedRemote(local: string): Promise<RemoteFile | undefined> {
  if (basename(dirname(local)) !== 'blobs') return undefined
  return { etag: basename(local), size: (await stat(local)).size, validator: undefined }
}
