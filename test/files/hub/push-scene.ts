/** What the tests of pushing share: a hub that takes, folders to push, and what it holds afterwards. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type HubSettings, openRepo, planPush, push, type Pushed, type PushOptions } from '#files/hub'
import { noise, scene, scratch, settingsFor } from './scene.ts'
import type { Hub, HubOptions, RepoSpec, SeenRequest } from './server.ts'
import { takeUploads, type UploadOptions, type Uploads } from './upload-server.ts'

/** Bytes that look binary from the start, as weights do. */
export const weights = Buffer.concat([new Uint8Array(8), noise(300_000, 3)])
export const small = Buffer.concat([new Uint8Array(8), noise(70_000, 4)])

export const isStore = ({ host, method }: SeenRequest): boolean => host === 'store' && method === 'PUT'
export const isCommit = ({ path }: SeenRequest): boolean => path.includes('/commit/')

export interface Place {
  hub: Hub
  uploads: Uploads
  settings: HubSettings
  cacheFolder: string
  repos: RepoSpec[]
}

export async function place(
  repos: RepoSpec[] = [],
  options: UploadOptions & { env?: Record<string, string> } = {},
): Promise<Place> {
  const uploads = takeUploads(options)
  const { hub, cacheFolder } = await scene(repos, { extension: uploads.extension } satisfies HubOptions)
  return {
    hub,
    uploads,
    cacheFolder,
    repos,
    settings: settingsFor(hub, cacheFolder, { HF_TOKEN: hub.token, ...options.env }),
  }
}

export async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = join(await scratch(), 'model')
  await mkdir(folder, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

export const model = {
  'config.json': '{"a":1}',
  'model.safetensors': weights,
  'nested/second.safetensors': small,
  'empty.txt': '',
}

export async function pushed(name: string, folder: string, options: PushOptions): Promise<Pushed> {
  return push(await planPush(name, folder, options), options)
}

/** SHA-256 by path of what a revision holds, as anybody who downloads it sees it. */
export async function held(
  { settings }: Place,
  name: string,
  { revision = 'main', type = 'model' as const }: { revision?: string; type?: 'model' | 'dataset' } = {},
): Promise<Record<string, string>> {
  const files = await openRepo(name, { settings, revision, type })
  const found: Record<string, string> = {}
  for (const path of await files.list())
    if (path !== '.gitattributes') found[path] = sha256(await readFile(await files.local(path)))
  return found
}

export function hashes(files: Record<string, string | Uint8Array>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, sha256(content)]))
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
