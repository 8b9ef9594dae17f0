import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listCachedRepos, openRepo, prefetch, reachable } from '#files/hub'
import { codeOf, commit, noise, older, scene, settingsFor, tinyModel } from './scene.ts'

describe('listCachedRepos', () => {
  test('shows models and data sets with their revisions, refs and bytes, and passes over the rest', async () => {
    const { cacheFolder, settings } = await scene([
      tinyModel(noise(1000, 1)),
      { type: 'dataset', name: 'mteb/sts', commits: { [commit]: { 'test.jsonl': '{}\n' } }, refs: { main: commit } },
    ])
    const files = await openRepo('org/tiny', { settings })
    await prefetch(files, ['config.json', 'model.safetensors'])
    await (await openRepo('org/tiny@refs/pr/1', { settings })).local('config.json')
    await (await openRepo('mteb/sts', { type: 'dataset', settings })).local('test.jsonl')
    await mkdir(join(cacheFolder, 'models--broken'), { recursive: true })
    await mkdir(join(cacheFolder, 'something'), { recursive: true })
    await writeFile(join(cacheFolder, 'CACHEDIR.TAG'), '')
    await writeFile(join(cacheFolder, 'models--org--tiny/blobs/x.1a2b3c4d.incomplete'), 'part')

    expect(await listCachedRepos(settings)).toEqual([
      {
        type: 'dataset',
        name: 'mteb/sts',
        folder: join(cacheFolder, 'datasets--mteb--sts'),
        byteLength: 3,
        revisions: [{ commit, refs: ['main'], files: 1 }],
      },
      {
        type: 'model',
        name: 'org/tiny',
        folder: join(cacheFolder, 'models--org--tiny'),
        byteLength: 1000 + 21 + 2 + 4,
        revisions: [
          { commit, refs: ['main'], files: 2 },
          { commit: older, refs: ['refs/pr/1'], files: 1 },
        ],
      },
    ])
  })

  test('counts files stored as copies', async () => {
    const { hub, cacheFolder } = await scene([tinyModel(noise(1000, 1))])
    const settings = settingsFor(hub, cacheFolder, { HF_HUB_DISABLE_SYMLINKS: '1' })
    await (await openRepo('org/tiny', { settings })).local('model.safetensors')
    expect((await listCachedRepos(settings)).map(({ byteLength }) => byteLength)).toEqual([1000])
  })

  test('of a cache that is not there is empty', async () => {
    const { settings } = await scene([])
    expect(await listCachedRepos(settings)).toEqual([])
  })
})

describe('reachable', () => {
  test('is true of a hub that answers, whatever it says below 500, and sends no token', async () => {
    const { hub, cacheFolder } = await scene([])
    const settings = settingsFor(hub, cacheFolder, { HF_TOKEN: hub.token })
    expect(await reachable(settings)).toEqual({ ok: true, status: 200, milliseconds: expect.any(Number) })
    hub.fail({ on: () => true, times: 1, how: { kind: 'status', status: 403 } })
    expect(await reachable(settings)).toMatchObject({ ok: true, status: 403 })
    expect(hub.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  test('is false of one in trouble, and of none', async () => {
    const { hub, settings } = await scene([])
    hub.fail({ on: () => true, how: { kind: 'status', status: 503 } })
    expect(await reachable(settings)).toMatchObject({ ok: false, status: 503 })
    await hub.close()
    expect(await reachable(settings)).toEqual({ ok: false, reason: expect.stringContaining('ECONNREFUSED') })
  })

  test('offline says so and asks nothing', async () => {
    const { hub, cacheFolder } = await scene([])
    expect(await reachable(settingsFor(hub, cacheFolder, { HF_HUB_OFFLINE: '1' }))).toMatchObject({
      ok: false,
      reason: expect.stringContaining('offline'),
    })
    expect(hub.requests).toEqual([])
  })

  test('can be stopped', async () => {
    const { settings } = await scene([])
    expect(await codeOf(reachable(settings, AbortSignal.abort()))).toBe('run.cancelled')
  })
})
