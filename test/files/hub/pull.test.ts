import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type HubSettings, openPull, type PullOptions, type PullPlan } from '#files/hub'
import { hoursAgo } from '../../ages.ts'
import {
  blobs,
  codeOf,
  commit,
  faultOf,
  noise,
  older,
  type Scene,
  scene,
  scratch,
  settingsFor,
  tinyModel,
  watch,
} from './scene.ts'
import { blobName, type RepoSpec, type SeenRequest } from './server.ts'

const weights = noise(300_000, 7)
const isBody = ({ method, path }: SeenRequest): boolean => method === 'GET' && !path.startsWith('/api/')

async function pulled(name: string, options: PullOptions): Promise<PullPlan> {
  const pull = await openPull(name, options)
  await pull.run()
  return pull.plan
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true })
  const files = []
  for (const path of found)
    if ((await stat(join(folder, path))).isFile() && !path.startsWith('.cache')) files.push(path)
  return files.sort()
}

/** Two commits with other weights and the same config. */
function changing(before: Uint8Array, after: Uint8Array): RepoSpec {
  const at = (bytes: Uint8Array) => ({ 'config.json': '{}', 'model.safetensors': { lfs: bytes } })
  return { name: 'org/tiny', commits: { [older]: at(before), [commit]: at(after) }, refs: { main: commit } }
}

const everything = ['1_Pooling/config.json', 'config.json', 'model.safetensors']

describe('a pull into the cache', () => {
  test('brings everything and says where', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    const plan = await pulled('org/tiny', { settings })
    expect(plan.folder).toBe(join(cacheFolder, 'models--org--tiny/snapshots', commit))
    expect(await filesIn(plan.folder)).toEqual(everything)
    expect(await readFile(join(plan.folder, 'model.safetensors'))).toEqual(Buffer.from(weights))
    expect(plan.files.map(({ path, size, here }) => [path, size, here])).toEqual([
      ['1_Pooling/config.json', 2, false],
      ['config.json', 21, false],
      ['model.safetensors', 300_000, false],
    ])
    hub.take()
    const again = await pulled('org/tiny', { settings })
    expect(again.files.every(({ here }) => here)).toBe(true)
    expect(hub.take().filter(isBody)).toEqual([])
  })

  test.each<[string, PullOptions, string[]]>([
    ['one file', { files: ['config.json'] }, ['config.json']],
    ['two files', { files: ['config.json', './1_Pooling/config.json'] }, ['1_Pooling/config.json', 'config.json']],
    ['a folder', { files: ['1_Pooling/'] }, ['1_Pooling/config.json']],
    ['a folder and a file', { files: ['1_Pooling/', 'config.json'] }, ['1_Pooling/config.json', 'config.json']],
    ['what is included: * matches / too', { include: ['*.json'] }, ['1_Pooling/config.json', 'config.json']],
    ['what is not excluded', { exclude: ['*.safetensors', '1_*/'] }, ['config.json']],
    ['both', { include: ['*.json', '*.safetensors'], exclude: ['?_*'] }, ['config.json', 'model.safetensors']],
  ])('brings %s', async (_, options, expected) => {
    const { settings } = await scene([tinyModel(weights)])
    expect(await filesIn((await pulled('org/tiny', { settings, ...options })).folder)).toEqual(expected)
  })

  test('of a revision, of a data set', async () => {
    const { settings, cacheFolder } = await scene([tinyModel(weights), tinyModel(weights, { type: 'dataset' })])
    expect((await pulled('org/tiny', { settings, revision: 'v1.0' })).commit).toBe(older)
    expect((await pulled('org/tiny', { settings, revision: 'refs/pr/1' })).commit).toBe(older)
    expect((await pulled('org/tiny', { settings, type: 'dataset' })).folder).toBe(
      join(cacheFolder, 'datasets--org--tiny/snapshots', commit),
    )
  })

  test('again with force replaces what was cached', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    const { folder } = await pulled('org/tiny', { settings })
    const blob = join(cacheFolder, 'models--org--tiny/blobs', blobName({ lfs: weights }))
    await writeFile(blob, 'spoilt')
    hub.take()
    await pulled('org/tiny', { settings, force: true, files: ['model.safetensors'] })
    expect(hub.take().filter(({ host, method }) => host === 'store' && method === 'GET')).toHaveLength(1)
    expect(await readFile(join(folder, 'model.safetensors'))).toEqual(Buffer.from(weights))
    expect(blobs(cacheFolder)).toHaveLength(3)
  })

  test('offline gives what is there, and says what is not', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    await pulled('org/tiny', { settings, files: ['config.json'] })
    hub.take()
    const offline: HubSettings = settingsFor(hub, cacheFolder, { HF_HUB_OFFLINE: '1' })
    expect((await pulled('org/tiny', { settings: offline })).files).toEqual([
      { path: 'config.json', size: 21, here: true },
    ])
    expect(await codeOf(openPull('org/tiny', { settings: offline, files: ['model.safetensors'] }))).toBe('hub.offline')
    expect(await codeOf(openPull('org/none', { settings: offline }))).toBe('hub.offline')
    expect(hub.take()).toEqual([])
  })

  test('that is only planned fetches nothing', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    const { plan } = await openPull('org/tiny', { settings })
    expect(plan.files.map(({ path }) => path)).toEqual(everything)
    expect(hub.take().filter(isBody)).toEqual([])
    expect(existsSync(join(cacheFolder, 'models--org--tiny'))).toBe(false)
  })
})

describe('a pull into a folder', () => {
  async function there(options: { weights?: Uint8Array } = {}): Promise<Scene & { local: string }> {
    return { ...(await scene([tinyModel(options.weights ?? weights)])), local: join(await scratch(), 'model') }
  }

  test('puts real files there, nothing into the cache, and fetches nothing twice', async () => {
    const { hub, cacheFolder, settings, local } = await there()
    const plan = await pulled('org/tiny', { settings, localDir: local })
    expect([plan.folder, await filesIn(local)]).toEqual([local, everything])
    expect(await readlink(join(local, 'model.safetensors')).catch(() => 'no link')).toBe('no link')
    expect(existsSync(join(cacheFolder, 'models--org--tiny'))).toBe(false)
    hub.take()
    const again = await pulled('org/tiny', { settings, localDir: local })
    expect(again.files.every(({ here }) => here)).toBe(true)
    expect(hub.take().filter(({ path }) => path.includes('/resolve/'))).toEqual([])
  })

  test('leaves the records that huggingface_hub leaves', async () => {
    const { settings, local } = await there()
    await pulled('org/tiny', { settings, localDir: local })
    const [about, etag, when] = (
      await readFile(join(local, '.cache/huggingface/download/model.safetensors.metadata'), 'utf8')
    ).split('\n')
    expect([about, etag]).toEqual([commit, blobName({ lfs: weights })])
    const { mtimeMs } = await stat(join(local, 'model.safetensors'))
    expect(Number(when)).toBeCloseTo(mtimeMs / 1000, -2)
    expect(await readFile(join(local, '.cache/huggingface/.gitignore'), 'utf8')).toBe('*\n')
    expect(
      (await readdir(join(local, '.cache/huggingface/download'))).filter((name) => name.includes('incomplete')),
    ).toEqual([])
  })

  test('takes what is cached from the cache', async () => {
    const { hub, settings, local } = await there()
    await pulled('org/tiny', { settings })
    hub.take()
    await pulled('org/tiny', { settings, localDir: local })
    expect(hub.take().filter(isBody)).toEqual([])
    expect(await readFile(join(local, 'model.safetensors'))).toEqual(Buffer.from(weights))
  })

  test('fetches again what was changed, and knows the same contents by their hash', async () => {
    const { hub, settings, local } = await there()
    await pulled('org/tiny', { settings, localDir: local })
    await writeFile(join(local, 'config.json'), 'mine')
    const later = hoursAgo(-1) / 1000
    for (const name of ['config.json', 'model.safetensors']) await utimes(join(local, name), later, later)
    hub.take()
    const plan = await pulled('org/tiny', { settings, localDir: local })
    expect(plan.files.filter(({ here }) => !here).map(({ path }) => path)).toEqual(['config.json'])
    expect(hub.take().filter(isBody)).toHaveLength(1)
    expect(await readFile(join(local, 'config.json'), 'utf8')).toBe('{"model_type":"bert"}')
  })

  test('of another commit replaces what that commit has otherwise, and keeps the rest', async () => {
    const next = noise(200_000, 8)
    const { hub, settings, local } = {
      ...(await scene([changing(weights, next)])),
      local: join(await scratch(), 'model'),
    }
    await pulled('org/tiny', { settings, localDir: local, revision: older })
    hub.take()
    const plan = await pulled('org/tiny', { settings, localDir: local })
    expect(plan.files.map(({ path, here }) => [path, here])).toEqual([
      ['config.json', true],
      ['model.safetensors', false],
    ])
    expect(await readFile(join(local, 'model.safetensors'))).toEqual(Buffer.from(next))
    expect(hub.take().filter(isBody)).toHaveLength(2) // from the hub to the store
  })

  test('that is cut goes on where it was, and shows no half a file', async () => {
    const { hub, settings, local } = await there()
    const { onProgress, reached } = watch()
    const isWeights = ({ host, method }: SeenRequest): boolean => host === 'store' && method === 'GET'
    hub.fail({ on: isWeights, times: 1, how: { kind: 'cut', after: 100_000, until: reached(100_000) } })
    hub.fail({ on: isWeights, how: { kind: 'hang-up' } })
    const options = { settings, localDir: local, files: ['model.safetensors'] }
    expect(await codeOf(pulled('org/tiny', { ...options, onProgress }))).toBe('hub.network')
    expect(existsSync(join(local, 'model.safetensors'))).toBe(false)
    hub.heal()
    hub.take()
    await pulled('org/tiny', options)
    expect(
      hub
        .take()
        .filter(isWeights)
        .map(({ headers }) => headers.range),
    ).toEqual(['bytes=100000-'])
    expect(await readFile(join(local, 'model.safetensors'))).toEqual(Buffer.from(weights))
  })

  test('never writes through a link that leads out, nor where git or the records live', async () => {
    const { settings, local, hub } = await there()
    const outside = await scratch()
    await mkdir(local, { recursive: true })
    await symlink(outside, join(local, '1_Pooling'))
    expect(await codeOf(pulled('org/tiny', { settings, localDir: local }))).toBe('file.outside')
    expect(await readdir(outside)).toEqual([])
    for (const path of ['.git/hooks/post-checkout', 'sub/.GIT/config', '.cache/huggingface/download/x.metadata']) {
      const name = `org/bad${path.length}`
      hub.add({ name, commits: { [commit]: { [path]: 'x' } }, refs: { main: commit } })
      for (const force of [false, true])
        expect(await codeOf(pulled(name, { settings, localDir: join(local, 'other'), force }))).toBe('file.outside')
      expect(existsSync(join(local, 'other'))).toBe(false)
    }
  })

  test.each<[string, string]>([
    ['../../../outside/x', 'the path leads out of its folder'],
    ['a/../../x', 'the path leads out of its folder'],
    ['/absolute/x', 'the path is absolute'],
    ['C:/x', 'the path is absolute'],
    ['c:x', 'the path is absolute'],
    ['a\\..\\b', 'the path has a character that is not allowed'],
    ['a\0b', 'the path has a character that is not allowed'],
    ['\ud800', 'the path has a character that is not allowed'],
    ['a//b', 'the path has a part that is empty or a dot'],
    ['./a', 'the path has a part that is empty or a dot'],
    ['a/', 'the path has a part that is empty or a dot'],
    ['', 'the path is empty'],
  ])('makes nothing, there or in the cache, of a listing with %j', async (path, words) => {
    const { settings, hub, local, cacheFolder } = await there()
    hub.add({ name: 'org/bad', commits: { [commit]: { 'config.json': '{}', [path]: 'x' } }, refs: { main: commit } })
    hub.take()
    for (const options of [{}, { force: true }, { localDir: local }, { localDir: local, force: true }]) {
      const fault = await faultOf(pulled('org/bad', { settings, ...options }))
      expect([fault?.code, fault?.message]).toEqual(['file.outside', expect.stringContaining(words)])
      expect(await readdir(join(local, '..'))).toEqual([])
      expect(existsSync(cacheFolder)).toBe(false)
    }
    expect(hub.take().filter(({ path: asked }) => asked.includes('/resolve/'))).toEqual([])
    expect(
      await filesIn((await pulled('org/bad', { settings, include: ['config.json'], localDir: local })).folder),
    ).toEqual(['config.json'])
  })

  test('that cannot be written to says so', async () => {
    const { settings, local } = await there()
    await writeFile(local, 'a file')
    expect(await codeOf(pulled('org/tiny', { settings, localDir: local }))).toBe('file.write')
  })
})

describe('a pull is refused', () => {
  test.each<[string, string, PullOptions, string, string]>([
    ['no such repository', 'org/none', {}, 'hub.missing', 'no such model repository'],
    ['no such file', 'org/tiny', { files: ['none.json'] }, 'hub.missing', 'no such file in this repository'],
    ['no such revision', 'org/tiny', { revision: 'none' }, 'hub.missing', 'no such revision'],
    ['nothing chosen', 'org/tiny', { include: ['*.bin'] }, 'usage.value', 'no file of the repository is chosen'],
    [
      'names and patterns',
      'org/tiny',
      { files: ['a'], include: ['*'] },
      'usage.conflict',
      'files are both named and chosen by patterns',
    ],
    ['a path that leads out', 'org/tiny', { files: ['../a'] }, 'file.outside', 'the path leads out of its folder'],
    ['not a name', 'a/b/c', {}, 'hub.name', 'at most one /'],
  ])('%s', async (_, name, options, code, words) => {
    const { settings } = await scene([tinyModel(weights)])
    const fault = await faultOf(openPull(name, { settings, ...options }))
    expect(fault?.code).toBe(code)
    expect(fault?.message).toContain(words)
  })
})
