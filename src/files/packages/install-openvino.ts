/** OpenVINO's libraries out of its wheel in a package index: found as pip finds it, checked before it is opened, unpacked as far as they are needed. */
import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fault } from '#core'
import { createWholeFile, openOutputFolder, temporaryPath } from '#platform/disk'
import { parseJson, zipMembers } from '#files/formats'
import { askElsewhere, hubSettings, type HubSettings } from '#files/hub'
import { isNeeded, openVinoVersion, openVinoWheels, type Wheel } from './openvino-wheels.ts'

export interface InstallOptions {
  /** Address of the index; default: `$PIP_INDEX_URL`, else the one pip asks. */
  index?: string | undefined
  /** What to fetch; default: the one for this platform. */
  wheel?: Wheel | undefined
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
 * Puts the libraries into a folder of their own below `home`, unless it is there. Throws `engine.device` where no wheel is published, `hub.integrity` for other bytes
 * than those of the table, `hub.missing`, `hub.server`, `hub.network`, `hub.offline`, `format.zip`, `file.write`.
 */
export async function installOpenVino(
  home: string,
  {
    index = process.env['PIP_INDEX_URL'] || defaultIndex,
    wheel = openVinoWheels[`${process.platform}-${process.arch}`],
    settings = hubSettings(),
    onBytes,
    signal,
  }: InstallOptions = {},
): Promise<Installed> {
  const folder = join(home, openVinoVersion)
  const done = { folder, version: openVinoVersion }
  if (await isFolder(folder)) return { ...done, fetched: false }
  if (wheel === undefined) {
    const [seen, wanted] = [`${process.platform}-${process.arch}`, Object.keys(openVinoWheels)]
    throw fault('engine.device', { place: 'openvino', what: 'nothing is published for this platform', seen, wanted })
  }
  const ask = { settings, signal, onBytes }
  const address = await findWheel(index, wheel, ask)
  const path = temporaryPath(join(home, wheel.file))
  try {
    await fetchWheel(address, wheel, path, ask)
    await unpack(path, wheel, folder)
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
async function findWheel(index: string, { file }: Wheel, { settings, signal }: Ask): Promise<string> {
  if (!URL.canParse(index)) throw fault('usage.value', { place: 'PIP_INDEX_URL', what: 'not an address (it is not shown)' })
  const page = `${index.replace(/\/+$/, '')}/openvino/`
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
  return [...text.matchAll(/<a\b[^>]*\bhref\s*=\s*["']([^"']+)["']/gi)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
}

function fileOf(link: string, page: string): string | undefined {
  const url = URL.canParse(link, page) ? new URL(link, page) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? decodeURIComponent(url.pathname.split('/').at(-1) ?? '') : undefined
}

async function fetchWheel(address: string, { file, sha256 }: Wheel, path: string, { settings, signal, onBytes }: Ask): Promise<void> {
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
    hint: 'look for a broken mirror or proxy (PIP_INDEX_URL)',
  })
}

async function unpack(path: string, { file }: Wheel, folder: string): Promise<void> {
  const output = await openOutputFolder(folder)
  try {
    const members = (await zipMembers(path, file)).filter(({ name }) => isNeeded(name))
    if (!members.some(({ name }) => /openvino_c\./.test(name)))
      throw fault('format.zip', { place: file, what: 'the wheel holds no libraries of the kind wanted' })
    for (const { name, bytes } of members) {
      const pieces: Uint8Array[] = []
      for await (const piece of bytes()) pieces.push(piece)
      await output.write(basename(name), Buffer.concat(pieces))
    }
    await output.publish()
  } finally {
    await output.release()
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
