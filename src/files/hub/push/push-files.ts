/**
 * What of a folder would be pushed: every file with its size and stamp, by the name it gets in the repository. Nothing
 * is read but folders.
 */
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { asFault, compareUnits, type Fault, fault } from '#core'
import { checkPath } from '../names.ts'
import { type Choice, chosen } from '../patterns.ts'
import type { Body } from '../http.ts'

export interface LocalFile {
  /** In the repository. */
  readonly path: string
  /** Where it lies, links resolved. */
  readonly full: string
  readonly size: number
  /** Changes when the file does: size, times and inode. */
  readonly stamp: string
  /** Nanoseconds since 1970 of the last change, whichever of contents and inode. */
  readonly changedNs: bigint
}

export interface LocalFiles {
  /** The folder itself, links resolved. */
  readonly folder: string
  readonly files: readonly LocalFile[]
}

/** Version control and download records stay here, as with huggingface_hub. */
const skipped = new Set(['.git', '.cache'])
const mostEntries = 1_000_000
const deepest = 100
/** Longest name that a common file system holds. */
const longestPart = 255

/**
 * Files of a folder (or the one file named) that match, under `pathInRepo`, sorted. Links are followed as long as they
 * stay inside the folder – or, from a snapshot of the Hugging Face cache, lead to its blobs. Throws `file.missing`,
 * `file.outside` for any other link and for names no repository can hold, `file.unreadable`.
 */
export async function localFiles(source: string, pathInRepo: string, choice: Choice): Promise<LocalFiles> {
  const found = await stat(source, { bigint: true }).catch((cause: unknown) => {
    throw fault('file.missing', { place: source, what: 'no such folder or file', seen: codeOf(cause), cause })
  })
  const real = await realpath(source)
  if (!found.isDirectory()) {
    if (!found.isFile()) throw fault('file.missing', { place: source, what: 'neither a folder nor a file' })
    const path = pathInRepo === '' || pathInRepo.endsWith('/') ? `${pathInRepo}${basename(source)}` : pathInRepo
    return { folder: dirname(real), files: [await describe(real, repoPath(path, source))] }
  }
  const paths = chosen(await walk(source, real), choice)
  const prefix = pathInRepo === '' ? '' : `${pathInRepo.replace(/\/+$/, '')}/`
  const files: LocalFile[] = []
  for (const path of paths)
    files.push(await describe(await realpath(join(real, path)), repoPath(prefix + path, source)))
  return { folder: real, files: files.sort((a, b) => compareUnits(a.path, b.path)) }
}

async function walk(source: string, root: string): Promise<string[]> {
  const allowed = basename(dirname(root)) === 'snapshots' ? [root, join(dirname(dirname(root)), 'blobs')] : [root]
  const paths: string[] = []
  let seen = 0
  const visit = async (prefix: string, real: string, above: readonly string[]): Promise<void> => {
    if (above.includes(real) || above.length > deepest)
      throw fault('file.outside', {
        place: `${source} › ${prefix}`,
        what: 'a link leads back to a folder above it',
        hint: exclusion(prefix),
      })
    for (const entry of await readdir(real, { withFileTypes: true })) {
      if (++seen > mostEntries)
        throw fault('format.limit', {
          place: source,
          what: 'too many files for a repository',
          wanted: `at most ${mostEntries}`,
        })
      if (skipped.has(entry.name)) continue
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
      const full = join(real, entry.name)
      const target = entry.isSymbolicLink() ? await followed(source, path, full, allowed) : undefined
      const kind = target === undefined ? entry : await stat(target)
      if (kind.isDirectory()) await visit(path, target ?? full, [...above, real])
      else if (kind.isFile()) paths.push(path)
    }
  }
  try {
    await visit('', root, [])
  } catch (error) {
    throw asFault(error, 'file.unreadable', source)
  }
  return paths
}

/** Target of a link; a link out of the folder could publish files that were never meant to be public. */
async function followed(source: string, path: string, full: string, allowed: readonly string[]): Promise<string> {
  const target = await realpath(full).catch((cause: unknown) => {
    throw fault('file.missing', {
      place: `${source} › ${path}`,
      what: 'a link that leads nowhere',
      seen: codeOf(cause),
      hint: exclusion(path),
      cause,
    })
  })
  if (allowed.some((root) => target === root || target.startsWith(root + sep))) return target
  throw fault('file.outside', {
    place: `${source} › ${path}`,
    what: 'a link that leads out of the folder',
    seen: target,
    hint: 'put a copy of the file in its place, or push the folder it leads to',
  })
}

function exclusion(path: string): string {
  return `remove it: ${path}`
}

async function describe(full: string, path: string): Promise<LocalFile> {
  const { size, mtimeNs, ctimeNs, ino } = await stat(full, { bigint: true })
  return {
    path,
    full,
    size: Number(size),
    stamp: [size, mtimeNs, ctimeNs, ino].join('-'),
    changedNs: mtimeNs > ctimeNs ? mtimeNs : ctimeNs,
  }
}

/** A path the repository can hold and others can check out. */
function repoPath(path: string, place: string): string {
  const checked = checkPath(path, place)
  const parts = checked.split('/')
  const long = parts.find((part) => Buffer.byteLength(part) > longestPart)
  if (long !== undefined)
    throw fault('file.outside', {
      place,
      what: 'a part of the path is too long',
      seen: `${Buffer.byteLength(long)} bytes`,
      wanted: `at most ${longestPart}`,
    })
  const own = parts.find((part) => skipped.has(part.toLowerCase()))
  if (own !== undefined)
    throw fault('file.outside', {
      place,
      what: 'the hub accepts no file under this name',
      seen: checked,
      wanted: `a path without ${own}`,
    })
  return checked
}

/** Throws `file.unreadable` if the file no longer matches its description. */
export async function checkUnchanged(file: LocalFile): Promise<void> {
  const now = await describe(file.full, file.path).catch(() => undefined)
  if (now?.stamp !== file.stamp) throw changed(file)
}

function changed({ full }: LocalFile): Fault {
  return fault('file.unreadable', {
    place: full,
    what: 'the file changed while it was pushed',
    hint: 'nothing was committed: start again when it is finished',
  })
}

const pieceLength = 2 ** 18

/** Bytes of the file from `start` up to `end`, as the body of a request. */
export function fileBody(file: LocalFile, start = 0, end: number = file.size): Body {
  return {
    byteLength: end - start,
    async *pieces() {
      const handle = await open(file.full, 'r').catch((cause: unknown) => {
        throw fault('file.unreadable', {
          place: file.full,
          what: 'the file cannot be read',
          seen: codeOf(cause),
          cause,
        })
      })
      try {
        for (let at = start; at < end;) {
          // A buffer each: the connection may still hold the one before.
          const { bytesRead, buffer } = await handle.read(
            Buffer.allocUnsafe(Math.min(pieceLength, end - at)),
            0,
            Math.min(pieceLength, end - at),
            at,
          )
          if (bytesRead === 0) throw changed(file)
          at += bytesRead
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await handle.close()
      }
    },
  }
}

/** The first bytes: the hub looks at them to tell text from the rest. */
export async function sampleOf(file: LocalFile, byteLength = 512): Promise<Buffer> {
  return bytesOf(fileBody(file, 0, Math.min(file.size, byteLength)))
}

export async function bytesOf(body: Body): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const piece of body.pieces()) parts.push(piece)
  return Buffer.concat(parts)
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}
