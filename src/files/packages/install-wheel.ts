/**
 * Files out of a wheel in a package index: found as pip finds it, checked before it is opened, unpacked as far as they
 * are needed.
 */
import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fault } from '#core'
import { createWholeFile, openOutputFolder, temporaryPath } from '#platform/disk'
import { parseJson, zipMembers } from '#files/formats'
import { askElsewhere, hubSettings, type HubSettings } from '#files/hub'

export interface Wheel {
  readonly file: string
  readonly sha256: string
}

/** One release of a package, and the members to install. */
export interface Release {
  /** As the index calls it. */
  readonly name: string
  readonly version: string
  readonly wheel: Wheel
  /** Where a member goes, below the folder of the version; undefined for members to leave out. */
  readonly placeOf: (member: string) => string | undefined
  /** A place that the right wheel must have. */
  readonly needs: RegExp
}

export interface InstallOptions {
  /** Address of the index; default: `$PIP_INDEX_URL`, otherwise pip's own. */
  index?: string | undefined
  /** Patience, proxies and the offline switch. */
  settings?: HubSettings
  /** Bytes that are here by now. */
  onBytes?: ((byteLength: number) => void) | undefined
  signal?: AbortSignal | undefined
}

export interface Installed {
  readonly folder: string
  readonly version: string
  /** False: it was there before. */
  readonly fetched: boolean
}

const defaultIndex = 'https://pypi.org/simple'
const indexHint = 'check the connection, and PIP_INDEX_URL where another index is used'

/**
 * Installs the chosen members of the release into a folder of their own below `home`, unless it is there. Throws
 * `hub.integrity` for bytes that differ from those named, `hub.missing`, `hub.server`, `hub.network`, `hub.offline`,
 * `format.zip`, `file.write`.
 */
export async function installWheel(
  home: string,
  release: Release,
  {
    index = process.env['PIP_INDEX_URL'] || defaultIndex,
    settings = hubSettings(),
    onBytes,
    signal,
  }: InstallOptions = {},
): Promise<Installed> {
  const folder = join(home, release.version)
  const done = { folder, version: release.version }
  if (await isFolder(folder)) return { ...done, fetched: false }
  const ask = { settings, signal, onBytes }
  const address = await findWheel(index, release, ask)
  const path = temporaryPath(join(home, release.wheel.file))
  try {
    await fetchWheel(address, release.wheel, path, ask)
    await unpack(path, release, folder)
  } finally {
    await rm(path, { force: true })
  }
  return { ...done, fetched: true }
}

interface Ask {
  readonly settings: HubSettings
  readonly signal: AbortSignal | undefined
  readonly onBytes: ((byteLength: number) => void) | undefined
}

/** Where the index says the wheel lies: its page as JSON (PEP 691) or HTML (PEP 503). */
async function findWheel(
  index: string,
  { name, wheel: { file } }: Release,
  { settings, signal }: Ask,
): Promise<string> {
  if (!URL.canParse(index))
    throw fault('usage.value', { place: 'PIP_INDEX_URL', what: 'not an address (it is not shown)' })
  const page = `${index.replace(/\/+$/, '')}/${name}/`
  const headers = { accept: 'application/vnd.pypi.simple.v1+json, text/html;q=0.5' }
  const { type, text } = await askElsewhere(
    settings,
    page,
    async (response) => ({ type: response.headers.get('content-type') ?? '', text: await response.text() }),
    { headers, signal, hint: indexHint },
  )
  const links = type.includes('json') ? jsonLinks(text, page) : htmlLinks(text)
  const found = links.find((link) => fileOf(link, page) === file)
  if (found === undefined)
    throw fault('hub.missing', {
      place: new URL(page).host,
      what: 'the index does not have the file',
      seen: `${links.length} others`,
      wanted: file,
      hint: indexHint,
    })
  return new URL(found, page).href
}

function jsonLinks(text: string, page: string): string[] {
  const { files } = parseJson(text, new URL(page).host) as { files?: unknown }
  const urls = Array.isArray(files) ? files.map((entry) => (entry as { url?: unknown } | null)?.url) : []
  return urls.filter((url) => typeof url === 'string')
}

function htmlLinks(text: string): string[] {
  return [...text.matchAll(/<a\b[^>]*\bhref\s*=\s*["']([^"']+)["']/gi)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  )
}

function fileOf(link: string, page: string): string | undefined {
  const url = URL.canParse(link, page) ? new URL(link, page) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol)
    ? decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
    : undefined
}

async function fetchWheel(
  address: string,
  { file, sha256 }: Wheel,
  path: string,
  { settings, signal, onBytes }: Ask,
): Promise<void> {
  const seen = await askElsewhere(
    settings,
    address,
    async (response) => {
      const hash = createHash('sha256')
      const written = await createWholeFile(path)
      let length = 0
      try {
        for await (const piece of response.pieces()) {
          hash.update(piece)
          await written.write(piece)
          length += piece.byteLength
          onBytes?.(length)
        }
        await written.commit()
      } catch (error) {
        await written.abort()
        throw error
      }
      return hash.digest('hex')
    },
    { signal, hint: indexHint },
  )
  if (seen === sha256) return
  throw fault('hub.integrity', {
    place: file,
    what: 'the bytes are not those of the release (hash)',
    seen,
    wanted: sha256,
    hint: 'check the mirror or proxy (PIP_INDEX_URL)',
  })
}

/** At once, as each waits for the disk. */
const writers = 16

async function unpack(path: string, { wheel: { file }, placeOf, needs }: Release, folder: string): Promise<void> {
  const output = await openOutputFolder(folder)
  try {
    const members = (await zipMembers(path, file)).flatMap((member) => {
      const place = placeOf(member.name)
      return place === undefined ? [] : [{ ...member, place }]
    })
    if (!members.some(({ place }) => needs.test(place)))
      throw fault('format.zip', { place: file, what: 'the wheel has no files of the wanted kind' })
    for (let at = 0; at < members.length; at += writers)
      await Promise.all(
        members
          .slice(at, at + writers)
          .map(async ({ place, bytes }) => writePieces(join(output.staging, place), bytes())),
      )
    await output.publish()
  } finally {
    await output.release()
  }
}

/** Libraries of half a gigabyte never are in memory whole. */
async function writePieces(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await createWholeFile(path)
  try {
    for await (const piece of pieces) await file.write(piece)
    await file.commit()
  } catch (error) {
    await file.abort()
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
