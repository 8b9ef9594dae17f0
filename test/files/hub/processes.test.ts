import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { openRepo } from '#files/hub'
import { until } from '../../until.ts'
import { blobName, type Hub, type SeenRequest } from './server.ts'
import { blobs, brisk, commit, noise, requested, sameBytes, scene, tinyModel } from './scene.ts'

const weights = noise(3_000_000, 7)
const blob = blobName({ lfs: weights })
const locks = (cacheFolder: string): string => join(cacheFolder, '.locks/models--org--tiny')

const isBody = ({ host, method }: SeenRequest): boolean => host === 'store' && method === 'GET'

interface Fetching {
  child: ChildProcess
  /** Resolves when the child has written so many bytes to disk. */
  reached: (byteLength: number) => Promise<void>
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | string | null>
}

function fetching(hub: Hub, cacheFolder: string): Fetching {
  const script = join(import.meta.dirname, 'fetch-one.mjs')
  const child = spawn(
    process.execPath,
    [script, hub.endpoint, cacheFolder, `org/tiny@${commit}`, 'model.safetensors'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const waiting: { byteLength: number; resolve: () => void }[] = []
  let here = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    here = Math.max(here, Number(line) || 0)
    for (const { byteLength, resolve } of waiting) if (here >= byteLength) resolve()
  })
  return {
    child,
    reached: (byteLength) =>
      new Promise((resolve) => (here >= byteLength ? resolve() : waiting.push({ byteLength, resolve }))),
    ended: once(child, 'exit').then(([code, signal]: unknown[]) => (code ?? signal) as number | string | null),
  }
}

describe('a process killed in the middle of a download', () => {
  test('leaves no file at its final name, and the next one asks for the rest only', async () => {
    const { hub, cacheFolder } = await scene([tinyModel(weights)])
    hub.fail({ on: isBody, times: 1, how: { kind: 'stall', after: 2_000_000 } })
    const first = fetching(hub, cacheFolder)
    await first.reached(2_000_000)
    first.child.kill('SIGKILL')
    expect(await first.ended).toBe('SIGKILL')
    expect(existsSync(join(cacheFolder, 'models--org--tiny/snapshots'))).toBe(false)
    expect(blobs(cacheFolder)).toEqual([expect.stringMatching(new RegExp(`^${blob}\\..+\\.incomplete$`))])
    expect(readdirSync(locks(cacheFolder))).toHaveLength(1)

    hub.take()
    const second = fetching(hub, cacheFolder)
    expect(await second.ended).toBe(0)
    expect(
      hub
        .take()
        .filter(isBody)
        .map(({ headers, sent }) => [headers.range, sent]),
    ).toEqual([['bytes=2000000-', 1_000_000]])
    expect(
      await sameBytes(join(cacheFolder, 'models--org--tiny/snapshots', commit, 'model.safetensors'), weights),
    ).toBe(true)
    expect(blobs(cacheFolder)).toEqual([blob])
    expect(readdirSync(locks(cacheFolder))).toEqual([])
  })

  test.each([0, 1, 777_777, 1_500_000, 2_999_999])('at byte %i costs nothing but the time', async (after) => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    hub.fail({ on: isBody, times: 1, how: { kind: 'stall', after } })
    const first = fetching(hub, cacheFolder)
    await requested(hub, isBody)
    await first.reached(after)
    first.child.kill('SIGKILL')
    await first.ended
    const files = await openRepo(`org/tiny@${commit}`, { settings })
    expect(await sameBytes(await files.local('model.safetensors'), weights)).toBe(true)
    expect(hub.requests.filter(isBody).at(-1)?.sent).toBe(weights.byteLength - after)
    expect(blobs(cacheFolder)).toEqual([blob])
  })
})

describe('two processes that want the same file at once', () => {
  test('download it once', async () => {
    const { hub, cacheFolder } = await scene([tinyModel(weights)])
    // the first body is held back until both have asked what the file is
    const both = requested(hub, ({ method }) => method === 'HEAD', 2)
    hub.fail({ on: isBody, times: 1, how: { kind: 'stall', after: 1_000_000, until: both } })
    const [a, b] = [fetching(hub, cacheFolder), fetching(hub, cacheFolder)]
    expect(await Promise.all([a.ended, b.ended])).toEqual([0, 0])
    expect(hub.requests.filter(isBody)).toHaveLength(1)
    expect(blobs(cacheFolder)).toEqual([blob])
    expect(await sameBytes(join(cacheFolder, 'models--org--tiny/blobs', blob), weights)).toBe(true)
    expect(readdirSync(locks(cacheFolder))).toEqual([])
  })

  test('do not spoil each other even where no lock can be taken', async () => {
    const { hub, cacheFolder } = await scene([tinyModel(weights)])
    await mkdir(cacheFolder, { recursive: true })
    await writeFile(join(cacheFolder, '.locks'), 'a file where the folder of locks should be')
    const bothUnderWay = requested(hub, isBody, 2)
    hub.fail({ on: isBody, times: 2, how: { kind: 'stall', after: 1_000_000, until: bothUnderWay } })
    const [a, b] = [fetching(hub, cacheFolder), fetching(hub, cacheFolder)]
    expect(await Promise.all([a.ended, b.ended])).toEqual([0, 0])
    expect(hub.requests.filter(isBody)).toHaveLength(2)
    expect(blobs(cacheFolder)).toEqual([blob])
    expect(await sameBytes(join(cacheFolder, 'models--org--tiny/blobs', blob), weights)).toBe(true)
  })

  test('take turns when the first is killed: the second goes on where it was', async () => {
    const { hub, cacheFolder } = await scene([tinyModel(weights)])
    hub.fail({ on: isBody, times: 1, how: { kind: 'stall', after: 2_000_000 } })
    const first = fetching(hub, cacheFolder)
    await first.reached(2_000_000)
    const second = fetching(hub, cacheFolder)
    await requested(hub, ({ method }) => method === 'HEAD', 2)
    first.child.kill('SIGKILL')
    expect(await second.ended).toBe(0)
    expect(hub.requests.filter(isBody).map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=2000000-'])
    expect(blobs(cacheFolder)).toEqual([blob])
  })
})

describe('a lock', () => {
  const quick = { ...brisk, beatSeconds: 0.02 }

  test.each([
    ['of an unknown machine', 'deadbeef-1-00000000'],
    ['without an owner', ''],
  ])('%s is waited for while it beats, and taken over when it is silent', async (_, owner) => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    await mkdir(locks(cacheFolder), { recursive: true })
    const lock = join(locks(cacheFolder), `${blob}.strata.lock`)
    await writeFile(lock, owner)
    const beating = setInterval(() => void writeFile(lock, owner), 5)
    const files = await openRepo(`org/tiny@${commit}`, { settings: { ...settings, patience: quick } })
    const local = files.local('model.safetensors')
    await requested(hub, ({ method }) => method === 'HEAD')
    // twice the silence after which it would be taken over
    await new Promise((resolve) => setTimeout(resolve, 240))
    expect(hub.requests.filter(isBody)).toHaveLength(0)
    clearInterval(beating)
    expect(await sameBytes(await local, weights)).toBe(true)
    expect(readdirSync(locks(cacheFolder))).toEqual([])
  })

  test('beats while its owner works', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    let go = (): void => undefined
    hub.fail({
      on: isBody,
      times: 1,
      how: { kind: 'stall', after: 0, until: new Promise((resolve) => (go = resolve)) },
    })
    const local = (await openRepo(`org/tiny@${commit}`, { settings: { ...settings, patience: quick } })).local(
      'model.safetensors',
    )
    await requested(hub, isBody)
    const lock = join(locks(cacheFolder), `${blob}.strata.lock`)
    expect(readFileSync(lock, 'utf8')).toMatch(new RegExp(`^[0-9a-f]{8}-${process.pid}-\\d+-[0-9a-f]{8}$`))
    const before = statSync(lock).mtimeMs
    await until(() => statSync(lock).mtimeMs !== before)
    go()
    expect(await sameBytes(await local, weights)).toBe(true)
    expect(existsSync(lock)).toBe(false)
  })
})
