/**
 * One file of a repository from the hub into the cache: described by HEAD, fetched by range from where an earlier
 * attempt ended, verified, then renamed.
 */
import type { FileHandle } from 'node:fs/promises'
import { Fault, fault } from '#core'
import { writeAt, writeFault } from '#platform/disk'
import { type HubResponse, request, retryRequest } from './request.ts'
import { contentHash } from './integrity.ts'
import { blobPath, cachedFile, isFile, lockPath, linkSnapshot, type Repo } from './layout.ts'
import { underLock } from './lock.ts'
import { isFileName } from './names.ts'
import { completePartial, discardPartial, openPartial, releasePartial, type Partial } from './partial.ts'
import { retry, retryable } from './retry.ts'
import { refusal } from './refusal.ts'
import type { HubSettings } from './settings.ts'

/** A file at a commit. */
export interface FileAddress {
  readonly repo: Repo
  readonly commit: string
  /** Checked by `checkPath`. */
  readonly path: string
}

export interface RemoteFile {
  /** Name of its blob, and hash of its contents where it is one. */
  readonly etag: string
  readonly size: number | undefined
  /** What If-Range may say to the hub; a store that the hub points to has etags of its own. */
  readonly validator: string | undefined
}

export interface DownloadOptions {
  signal?: AbortSignal | undefined
  /** Fetch it again even if it is cached. */
  force?: boolean | undefined
  /** Bytes of the file that are here by now, those of an earlier attempt included. */
  onBytes?: ((byteLength: number) => void) | undefined
}

/** What the hub says about a file, or undefined if the commit has no such file; throws hub faults. */
export async function describeFile(
  settings: HubSettings,
  file: FileAddress,
  signal?: AbortSignal,
): Promise<RemoteFile | undefined> {
  const response = await retryRequest(
    settings,
    addressOf(settings, file),
    { method: 'HEAD', signal, follow: 'hub' },
    async (response) => {
      if (response.status >= 200 && response.status < 400) return response
      if (response.status === 404 && response.headers.get('x-error-code') === 'EntryNotFound') return undefined
      throw await refusal(settings, response, { repo: file.repo, revision: file.commit, path: file.path })
    },
  )
  if (!response) return undefined

  const first = (name: string): string | undefined =>
    response.hops.map((headers) => headers.get(name)).find((value) => value !== null) ?? undefined
  const linked = first('x-linked-etag')
  const plain = response.headers.get('etag') ?? undefined
  const etag = (linked ?? plain)?.replace(/^W\//, '').replaceAll('"', '')
  if (first('x-repo-commit') === undefined || etag === undefined || !isFileName(etag)) {
    throw fault('hub.server', {
      place: placeOf(file),
      what: 'the answer is not that of a hub',
      seen: etag === undefined ? 'no etag' : etag,
      wanted: 'X-Repo-Commit and ETag headers',
      hint: 'check HF_ENDPOINT, and for a proxy or login page in between',
    })
  }
  const size =
    byteLength(first('x-linked-size')) ??
    (response.status < 300 ? byteLength(response.headers.get('content-length')) : undefined)
  return { etag, size, validator: linked === undefined ? strong(plain) : undefined }
}

/**
 * Brings a described file into the cache, blob and snapshot entry; returns when it is there, whoever brought it. At its
 * final names a file is always whole:
 * size and hash are checked before. Throws `hub.integrity`, `file.write`, `run.cancelled` and the faults of the
 * network; what has come in by then is kept.
 */
export async function downloadFile(
  settings: HubSettings,
  file: FileAddress,
  remote: RemoteFile,
  options: DownloadOptions = {},
): Promise<void> {
  const { repo, commit, path } = file
  const { signal, force = false } = options
  const blob = blobPath(repo, remote.etag)
  const settled = async (): Promise<boolean> => !force && (await cachedFile(repo, commit, path)) !== undefined
  try {
    await underLock(
      lockPath(settings, repo, remote.etag),
      { beatSeconds: settings.patience.beatSeconds, signal, settled },
      async () => {
        const isNew = force || !(await isFile(blob))
        if (isNew) await downloadTo(settings, file, remote, blob, options)
        await linkSnapshot(repo, commit, path, remote.etag, { symlinks: settings.symlinks, isNew })
      },
    )
  } catch (error) {
    const hint = 'check room and rights there; HF_HOME or HF_HUB_CACHE names another folder'
    throw writeFault(error, settings.cacheFolder, { what: 'the cache cannot be written to', hint })
  }
}

/**
 * Downloads a described file to a place of its own, whole and verified, and gives it that name at the very end; until
 * then the data are next to it, in `<place>.….incomplete`.
 */
export async function downloadTo(
  settings: HubSettings,
  file: FileAddress,
  remote: RemoteFile,
  place: string,
  options: DownloadOptions,
): Promise<void> {
  for (let fresh = options.force ?? false; ; fresh = true) {
    const partial = await openPartial(place, remote.size, fresh)
    const transfer = { partial, joined: partial.found > 0 }
    try {
      await fill(settings, file, remote, transfer, options)
      await verify(file, remote, partial.handle)
    } catch (error) {
      const wrong = error instanceof Fault && error.code === 'hub.integrity'
      await (wrong ? discardPartial(partial) : releasePartial(place, partial))
      // Bytes of two transfers that do not fit together: the older ones may be at fault, so once more from nothing.
      if (wrong && transfer.joined && !fresh) continue
      throw error
    }
    return completePartial(place, partial)
  }
}

/**
 * Requests the missing bytes until none are missing. `transfer.joined` says whether the file is put together from more
 * than one answer.
 */
async function fill(
  settings: HubSettings,
  file: FileAddress,
  { size, ...remote }: RemoteFile,
  transfer: { readonly partial: Partial; joined: boolean },
  { signal, onBytes }: DownloadOptions,
): Promise<void> {
  const { handle, found } = transfer.partial
  let position = found
  let validator = remote.validator
  const requestRest = (): Promise<HubResponse> => {
    const headers =
      position === 0
        ? {}
        : { range: `bytes=${position}-`, ...(validator === undefined ? {} : { 'if-range': validator }) }
    return request(settings, addressOf(settings, file), { headers, signal })
  }
  const startAnew = async (): Promise<void> => {
    await handle.truncate(0)
    position = 0
    transfer.joined = false
  }

  const attempt = async (): Promise<void> => {
    onBytes?.(position)
    if (position === size) return
    let response = await requestRest()
    if (
      position > 0 &&
      (response.status === 416 || (response.status === 206 && !continues(response.headers, position, size)))
    ) {
      await response.drop()
      await startAnew()
      response = await requestRest()
    }
    if (response.status === 200) {
      if (position > 0) await startAnew()
    } else if (response.status === 206 && position > 0) transfer.joined = true
    else throw await refusal(settings, response, { repo: file.repo, revision: file.commit, path: file.path })
    validator ??= strong(response.headers.get('etag') ?? undefined)

    for await (const piece of response.pieces()) {
      if (size !== undefined && position + piece.byteLength > size)
        throw wrongSize(file, `more than ${size} bytes`, size)
      await writeAt(handle, piece, position, placeOf(file))
      position += piece.byteLength
      onBytes?.(position)
    }
    if (size !== undefined && position < size) throw retryable(wrongSize(file, `${position} bytes`, size))
  }
  await retry(attempt, { patience: settings.patience, signal, gained: () => position })
}

async function verify(file: FileAddress, { etag, size }: RemoteFile, handle: FileHandle): Promise<void> {
  const found = (await handle.stat()).size
  if (size !== undefined && found !== size) throw wrongSize(file, `${found} bytes`, size)
  const hash = await contentHash(handle, etag)
  if (hash === undefined || hash === etag) return
  throw fault('hub.integrity', {
    place: placeOf(file),
    what: 'the bytes are not those of the repository (hash)',
    seen: hash,
    wanted: etag,
    hint: integrityHint,
  })
}

const integrityHint =
  'the file was removed; start again, and if it stays so, look for a proxy or a broken mirror (HF_ENDPOINT)'

function wrongSize(file: FileAddress, seen: string, size: number): Fault {
  return fault('hub.integrity', {
    place: placeOf(file),
    what: 'the size is not what the hub announced',
    seen,
    wanted: `${size} bytes`,
    hint: integrityHint,
  })
}

/** Whether a 206 answer continues exactly at `position` of a file of this size. */
function continues(headers: Headers, position: number, size: number | undefined): boolean {
  const [, start, , total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? []
  return Number(start) === position && (total === '*' || size === undefined || Number(total) === size)
}

function addressOf(settings: HubSettings, { repo, commit, path }: FileAddress): string {
  const prefix = repo.type === 'dataset' ? 'datasets/' : ''
  return `${settings.endpoint}/${prefix}${repo.name}/resolve/${encodeURIComponent(commit)}/${path.split('/').map(encodeURIComponent).join('/')}`
}

function placeOf({ repo, commit, path }: FileAddress): string {
  return `${repo.name}@${commit} › ${path}`
}

/** A strong validator, quotes included; weak ones may not be used for ranges (RFC 9110 §13.1.5). */
function strong(etag: string | undefined): string | undefined {
  return etag?.startsWith('"') ? etag : undefined
}

function byteLength(text: string | null | undefined): number | undefined {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
