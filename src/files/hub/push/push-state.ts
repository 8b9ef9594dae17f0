/**
 * What a push has learnt and need not learn again: hashes of files that have not changed since, and the parts of large
 * objects that a store already has. One small file per folder, outside of it, so that the pushed folder stays
 * unchanged. Losing the file costs time, never a wrong upload: the hub is asked before anything is left out.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fingerprint } from '#core'
import { writeWhole } from '#platform/disk'
import type { LocalFile } from './push-files.ts'

/**
 * An upload in parts as the hub laid it out; addresses carry their own permission, so the file is for its owner only.
 */
export interface PartedUpload {
  readonly href: string
  readonly partLength: number
  /** Address of each part, in order. */
  readonly parts: readonly string[]
  /** What the store answered for the parts it has, by index. */
  readonly etags: Readonly<Record<number, string>>
  /** Milliseconds since 1970. */
  readonly begun: number
}

export interface PushState {
  hash(file: LocalFile): string | undefined
  keepHash(file: LocalFile, sha256: string, begunMs: number): Promise<void>
  /** The started upload of an object in one repository. */
  upload(object: string): PartedUpload | undefined
  keepUpload(object: string, upload: PartedUpload | undefined): Promise<void>
}

/** Hashing less takes no time. */
const worthKeeping = 2 ** 20
/**
 * File systems may count time in steps of two seconds: what changed that shortly before could change again without a
 * trace.
 */
const coarsestClockMs = 2_000
/** Stores drop parts that nobody puts together. */
const longestUploadMs = 20 * 3600 * 1000

interface Kept {
  version: 1
  folder: string
  hashes: Record<string, { stamp: string; sha256: string }>
  uploads: Record<string, PartedUpload>
}

/**
 * Opens the state of a folder; without a place for it, or where it cannot be written, it lasts as long as the process.
 */
export async function openPushState(folder: string, place: string | undefined): Promise<PushState> {
  const path = place === undefined ? undefined : join(place, `${fingerprint(folder).slice(0, 16)}.json`)
  const kept = await read(path, folder)
  let writing = Promise.resolve()
  const save = (): Promise<void> => (writing = writing.then(() => (path === undefined ? undefined : write(path, kept))))
  return {
    hash: ({ full, stamp }) => (kept.hashes[full]?.stamp === stamp ? kept.hashes[full].sha256 : undefined),
    async keepHash({ full, size, stamp, changedNs }, sha256, begunMs) {
      if (size < worthKeeping || BigInt(begunMs - coarsestClockMs) * 1_000_000n < changedNs) return
      kept.hashes[full] = { stamp, sha256 }
      await save()
    },
    upload(object) {
      const upload = kept.uploads[object]
      return upload && Date.now() - upload.begun < longestUploadMs ? upload : undefined
    },
    async keepUpload(object, upload) {
      if (upload) kept.uploads[object] = upload
      else if (kept.uploads[object]) delete kept.uploads[object]
      else return
      await save()
    },
  }
}

async function read(path: string | undefined, folder: string): Promise<Kept> {
  try {
    const kept: unknown = path === undefined ? undefined : JSON.parse(await readFile(path, 'utf8'))
    const { version, folder: whose, hashes, uploads } = kept as Kept
    if (version === 1 && whose === folder && typeof hashes === 'object' && typeof uploads === 'object')
      return { version, folder, hashes, uploads }
  } catch {
    // none, or none of ours: begin anew
  }
  return { version: 1, folder, hashes: {}, uploads: {} }
}

async function write(path: string, kept: Kept): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeWhole(path, JSON.stringify(kept), { mode: 0o600 })
  } catch {
    // it lasts as long as the process, then
  }
}
