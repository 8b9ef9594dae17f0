/**
 * What the tests of this room share: scratch folders, a served hub, settings that point at it and do not dawdle. All is
 * removed after each test.
 */
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type FaultCode, Fault, type OnProgress } from '#core'
import { type HubSettings, hubSettings, type Patience } from '#files/hub'
import { until } from '../../until.ts'
import { type Hub, type HubOptions, type RepoSpec, type SeenRequest, startHub } from './server.ts'

export const commit = '0123456789abcdef0123456789abcdef01234567'
export const older = 'fedcba9876543210fedcba9876543210fedcba98'

/** Pauses of milliseconds; limits of time wide enough for a busy machine. */
export const brisk: Patience = {
  retries: 3,
  firstSeconds: 0.001,
  longestSeconds: 0.004,
  totalSeconds: 5,
  answerSeconds: 20,
  stallSeconds: 20,
  beatSeconds: 0.2,
}

const endings: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

export async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-hub-'))
  endings.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface Scene {
  hub: Hub
  cacheFolder: string
  settings: HubSettings
}

export async function scene(repos: readonly RepoSpec[], options?: HubOptions): Promise<Scene> {
  const hub = await startHub(repos, options)
  endings.push(() => hub.close().catch(() => undefined)) // a test may have closed it
  const cacheFolder = join(await scratch(), 'hub')
  return { hub, cacheFolder, settings: settingsFor(hub, cacheFolder) }
}

/** As the environment of a user would give them, and no token from this machine. */
export function settingsFor(hub: Hub, cacheFolder: string, env: Record<string, string> = {}): HubSettings {
  const settings = hubSettings({
    HF_ENDPOINT: hub.endpoint,
    HF_HUB_CACHE: cacheFolder,
    HF_HOME: join(cacheFolder, '..', 'home'),
    ...env,
  })
  return { ...settings, patience: brisk }
}

/** Pseudo-random bytes that no other seed gives. */
export function noise(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let i = 0, state = seed * 2654435761 + 1; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[i] = state >>> 24
  }
  return bytes
}

/** A model with a file in git, one in a folder, and one in LFS. */
export function tinyModel(weights: Uint8Array = noise(300_000, 7), extra: Partial<RepoSpec> = {}): RepoSpec {
  return {
    name: 'org/tiny',
    commits: {
      [commit]: {
        'config.json': '{"model_type":"bert"}',
        '1_Pooling/config.json': '{}',
        'model.safetensors': { lfs: weights },
      },
      [older]: { 'config.json': '{}' },
    },
    refs: { main: commit, 'v1.0': older, 'refs/pr/1': older, 'feature/x': commit },
    ...extra,
  }
}

export async function codeOf(promise: Promise<unknown>): Promise<FaultCode | 'no fault'> {
  return (await faultOf(promise))?.code ?? 'no fault'
}

export async function faultOf(promise: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await promise
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** Hears progress, and says when so many bytes are here: a server that cuts before they are read takes them along. */
export interface Watch {
  onProgress: OnProgress
  reached: (byteLength: number) => Promise<void>
}

export function watch(): Watch {
  const waiting: { byteLength: number; resolve: () => void }[] = []
  return {
    onProgress({ done }) {
      for (const { byteLength, resolve } of waiting) if (done >= byteLength) resolve()
    },
    reached: (byteLength) => new Promise((resolve) => waiting.push({ byteLength, resolve })),
  }
}

/** Resolves when the hub has seen such a request. */
export async function requested(hub: Hub, on: (request: SeenRequest) => boolean, times = 1): Promise<void> {
  await until(() => hub.requests.filter(on).length >= times)
}

/** Names in the blob folder of org/tiny. */
export function blobs(cacheFolder: string, repo = 'models--org--tiny'): string[] {
  const folder = join(cacheFolder, repo, 'blobs')
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

export async function sameBytes(path: string, bytes: Uint8Array): Promise<boolean> {
  return Buffer.compare(await readFile(path), bytes) === 0
}
