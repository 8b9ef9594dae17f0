import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pythonRandom } from '../../src/core/index.ts'
import { type HubSettings, openRepo, planPush, push, type Pushed, type PushOptions } from '../../src/hub/index.ts'
import { brisk, codeOf, commit, faultOf, noise, scene, scratch, settingsFor, tinyModel } from './scene.ts'
import { type FileSpec, type Hub, type HubOptions, type RepoSpec, type SeenRequest, stored } from './server.ts'
import { takeUploads, type UploadOptions, type Uploads } from './upload-server.ts'

/** Bytes that look binary from the start, as weights do. */
const weights = Buffer.concat([new Uint8Array(8), noise(300_000, 3)])
const small = Buffer.concat([new Uint8Array(8), noise(70_000, 4)])

const isStore = ({ host, method }: SeenRequest): boolean => host === 'store' && method === 'PUT'
const isCommit = ({ path }: SeenRequest): boolean => path.includes('/commit/')

interface Place {
  hub: Hub
  uploads: Uploads
  settings: HubSettings
  cacheFolder: string
  repos: RepoSpec[]
}

async function place(repos: RepoSpec[] = [], options: UploadOptions & { env?: Record<string, string> } = {}): Promise<Place> {
  const uploads = takeUploads(options)
  const { hub, cacheFolder } = await scene(repos, { extension: uploads.extension } satisfies HubOptions)
  return { hub, uploads, cacheFolder, repos, settings: settingsFor(hub, cacheFolder, { HF_TOKEN: hub.token, ...options.env }) }
}

async function folderOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = join(await scratch(), 'model')
  await mkdir(folder, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

const model = { 'config.json': '{"a":1}', 'model.safetensors': weights, 'nested/second.safetensors': small, 'empty.txt': '' }

async function pushed(name: string, folder: string, options: PushOptions): Promise<Pushed> {
  return push(await planPush(name, folder, options), options)
}

/** SHA-256 by path of what a revision holds, as anybody who downloads it sees it. */
async function held(
  { settings }: Place,
  name: string,
  { revision = 'main', type = 'model' as const }: { revision?: string; type?: 'model' | 'dataset' } = {},
): Promise<Record<string, string>> {
  const files = await openRepo(name, { settings, revision, type })
  const found: Record<string, string> = {}
  for (const path of await files.list()) if (path !== '.gitattributes') found[path] = sha256(await readFile(await files.local(path)))
  return found
}

function hashes(files: Record<string, string | Uint8Array>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, sha256(content)]))
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

describe('a push', () => {
  test('makes the repository, sends large files to the store and commits once', async () => {
    const here = await place()
    const { url, commit: made, files, unchanged, sentBytes } = await pushed('org/new', await folderOf(model), { settings: here.settings })
    expect(await held(here, 'org/new')).toEqual(hashes(model))
    expect(here.uploads.arrivals.toSorted()).toEqual([sha256(weights), sha256(small)].toSorted())
    expect(here.uploads.messages).toEqual(['Upload model with strata'])
    expect(url).toBe(`${here.hub.endpoint}/org/new/commit/${made}`)
    expect(unchanged).toBe(false)
    expect(sentBytes).toBe(weights.byteLength + small.byteLength)
    expect(files.map(({ path, state }) => [path, state])).toEqual([
      ['config.json', 'committed'],
      ['empty.txt', 'committed'],
      ['model.safetensors', 'sent'],
      ['nested/second.safetensors', 'sent'],
    ])
  })

  test('never shows the token to the store, and says the length before', async () => {
    const here = await place()
    await pushed('org/new', await folderOf(model), { settings: here.settings })
    const seen = here.hub.requests.filter(isStore)
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
    expect(seen.map(({ headers }) => Number(headers['content-length'])).toSorted((a, b) => a - b)).toEqual([small.byteLength, weights.byteLength])
  })

  test.each([true, false])('of the same folder again sends nothing and commits nothing (the hub tells hashes: %s)', async (tellsOids) => {
    const here = await place([], { tellsOids })
    const folder = await folderOf(model)
    const first = await pushed('org/new', folder, { settings: here.settings })
    here.hub.take()
    const second = await pushed('org/new', folder, { settings: here.settings })
    expect(second).toMatchObject({ unchanged: true, commit: first.commit, sentBytes: 0 })
    expect(new Set(second.files.map(({ state }) => state))).toEqual(new Set(['unchanged']))
    expect(here.hub.take().filter((request) => isStore(request) || isCommit(request))).toEqual([])
  })

  test('of a changed folder sends what changed', async () => {
    const here = await place()
    const folder = await folderOf(model)
    await pushed('org/new', folder, { settings: here.settings })
    await writeFile(join(folder, 'config.json'), '{"a":2}')
    const second = await pushed('org/new', folder, { settings: here.settings, message: 'Second', description: 'why' })
    expect(second.files.filter(({ state }) => state !== 'unchanged')).toEqual([{ path: 'config.json', size: 7, state: 'committed' }])
    expect(here.uploads.arrivals).toHaveLength(2)
    expect(here.uploads.messages.at(-1)).toBe('Second')
    expect(await held(here, 'org/new')).toEqual(hashes({ ...model, 'config.json': '{"a":2}' }))
  })

  test('sends what another repository has already no more, nor the same contents twice', async () => {
    const here = await place()
    await pushed('org/one', await folderOf({ 'a.bin': weights, 'b.bin': weights }), { settings: here.settings })
    expect(here.uploads.arrivals).toEqual([sha256(weights)])
    const two = await pushed('org/two', await folderOf({ 'c.bin': weights }), { settings: here.settings })
    expect(two.files).toEqual([{ path: 'c.bin', size: weights.byteLength, state: 'present' }])
    expect(here.uploads.arrivals).toHaveLength(1)
  })

  test('of a folder of results or a data set', async () => {
    const here = await place()
    const results = { 'org__m/abc/STS17.json': '{}', 'data/rows.parquet': small }
    await pushed('org/scores', await folderOf(results), { settings: here.settings, type: 'dataset' })
    expect(await held(here, 'org/scores', { type: 'dataset' })).toEqual(hashes(results))
    expect(here.hub.requests.some(({ path }) => path === '/datasets/org/scores.git/info/lfs/objects/batch')).toBe(true)
  })

  test('of one file, to a name of its own', async () => {
    const here = await place([tinyModel()])
    const folder = await folderOf({ 'w.safetensors': small })
    await pushed('org/tiny', join(folder, 'w.safetensors'), { settings: here.settings, pathInRepo: 'extra/v.safetensors' })
    expect((await held(here, 'org/tiny'))['extra/v.safetensors']).toBe(sha256(small))
    expect((await held(here, 'org/tiny'))['config.json']).toBeDefined()
  })

  test('under a path, with patterns, deleting what matches there', async () => {
    const before: Record<string, FileSpec> = { '.gitattributes': '*', 'old/a.bin': 'x', 'old/keep.txt': 'k', 'a.bin': 'outside' }
    const here = await place([{ name: 'org/tiny', commits: { [commit]: before }, refs: { main: commit } }])
    const folder = await folderOf({ 'new.txt': 'n', 'skip.log': 's', 'deep/x.log': 's' })
    const options = { settings: here.settings, pathInRepo: 'old', include: ['*'], exclude: ['*.log'], remove: ['*.bin', '*'] }
    const plan = await planPush('org/tiny', folder, options)
    expect([plan.files.map(({ path }) => path), plan.deleted]).toEqual([['old/new.txt'], ['old/a.bin', 'old/keep.txt']])
    await push(plan, options)
    expect(Object.keys(await held(here, 'org/tiny'))).toEqual(['a.bin', 'old/new.txt'])
  })

  test('may only delete, but never .gitattributes', async () => {
    const here = await place([{ name: 'org/tiny', commits: { [commit]: { '.gitattributes': '*', 'a.bin': 'x' } }, refs: { main: commit } }])
    const { deleted } = await pushed('org/tiny', await folderOf({}), { settings: here.settings, remove: ['*'] })
    expect(deleted).toEqual(['a.bin'])
    expect(await (await openRepo('org/tiny', { settings: here.settings })).list()).toEqual(['.gitattributes'])
  })

  test('to a branch that is not there makes it', async () => {
    const here = await place([tinyModel()])
    await pushed('org/tiny', await folderOf({ 'a.txt': 'a' }), { settings: here.settings, revision: 'next/one' })
    expect((await held(here, 'org/tiny', { revision: 'next/one' }))['a.txt']).toBe(sha256('a'))
    expect((await held(here, 'org/tiny'))['a.txt']).toBeUndefined()
  })

  test('as a pull request leaves main alone, and needs no right to write', async () => {
    const here = await place([tinyModel()], { owners: ['tester'] })
    const folder = await folderOf({ 'a.txt': 'a' })
    expect(await codeOf(pushed('org/tiny', folder, { settings: here.settings }))).toBe('hub.denied')
    const { url } = await pushed('org/tiny', folder, { settings: here.settings, createPr: true })
    expect(url).toBe(`${here.hub.endpoint}/org/tiny/discussions/2`)
    expect((await held(here, 'org/tiny', { revision: 'refs/pr/2' }))['a.txt']).toBe(sha256('a'))
    expect((await held(here, 'org/tiny'))['a.txt']).toBeUndefined()
  })

  test('without an owner goes to the one of the token; private if asked', async () => {
    const here = await place()
    const { repo } = await pushed('mine', await folderOf({ 'a.txt': 'a' }), { settings: here.settings, isPrivate: true })
    expect(repo).toBe('tester/mine')
    const anonymous = { ...here.settings, token: () => undefined }
    expect(await codeOf(openRepo('tester/mine', { settings: anonymous }))).toBe('hub.denied')
    expect(await held(here, 'tester/mine')).toEqual(hashes({ 'a.txt': 'a' }))
  })

  test('leaves .git and .cache at home, and what .gitignore names', async () => {
    const here = await place()
    const folder = await folderOf({
      'a.txt': 'a',
      '.git/config': 'x',
      'sub/.git/HEAD': 'x',
      '.cache/huggingface/download/a': 'x',
      '.gitignore': 'secret.txt\n',
      'secret.txt': 's',
    })
    const { files } = await pushed('org/new', folder, { settings: here.settings })
    expect(files.map(({ path, state }) => [path, state])).toEqual([
      ['.gitignore', 'committed'],
      ['a.txt', 'committed'],
      ['secret.txt', 'ignored'],
    ])
    expect(Object.keys(await held(here, 'org/new'))).toEqual(['.gitignore', 'a.txt'])
  })

  test('of a snapshot in the cache follows its links to the blobs', async () => {
    const here = await place([tinyModel(weights)])
    const files = await openRepo('org/tiny', { settings: here.settings })
    for (const path of await files.list()) await files.local(path)
    await pushed('org/copy', join(here.cacheFolder, 'models--org--tiny/snapshots', commit), { settings: here.settings })
    expect(await held(here, 'org/copy')).toEqual(await held(here, 'org/tiny'))
  })

  test('leaves the folder as it is', async () => {
    const here = await place()
    const folder = await folderOf(model)
    const before = await Promise.all((await readdir(folder, { recursive: true })).map(async (path) => [path, (await stat(join(folder, path))).mtimeMs]))
    await pushed('org/new', folder, { settings: here.settings, memoryFolder: await scratch() })
    const after = await Promise.all((await readdir(folder, { recursive: true })).map(async (path) => [path, (await stat(join(folder, path))).mtimeMs]))
    expect(after).toEqual(before)
  })

  test('tells how far it is', async () => {
    const here = await place()
    const stages = new Map<string, { done: number; total: number | undefined }>()
    const onProgress: NonNullable<PushOptions['onProgress']> = ({ stage, done, total }) => {
      expect(done).toBeGreaterThanOrEqual(stages.get(stage)?.done ?? 0)
      stages.set(stage, { done, total })
    }
    await pushed('org/new', await folderOf(model), { settings: here.settings, onProgress })
    const large = weights.byteLength + small.byteLength
    expect(stages.get('hash')).toEqual({ done: large + 7, total: large + 7 })
    expect(stages.get('upload org/new')).toEqual({ done: large, total: large })
  })

  test('stops when it is told to, and commits nothing', async () => {
    const here = await place()
    const stop = new AbortController()
    const onProgress: NonNullable<PushOptions['onProgress']> = ({ stage }) => void (stage.startsWith('upload') && stop.abort())
    const folder = await folderOf(model)
    expect(await codeOf(pushed('org/new', folder, { settings: here.settings, onProgress, signal: stop.signal }))).toBe('run.cancelled')
    expect(here.uploads.messages).toEqual([])
  })
})

describe('what goes wrong on the way', () => {
  const random = pythonRandom(7)
  const cuts = Array.from({ length: 8 }, () => Math.floor(random.random() * weights.byteLength))

  test.each([0, 1, weights.byteLength, ...cuts])('a connection cut when %i bytes have come in', async (after) => {
    const here = await place()
    here.hub.fail({
      on: (request) => isStore(request) && Number(request.headers['content-length']) === weights.byteLength,
      times: 2,
      how: { kind: 'cut-upload', after },
    })
    await pushed('org/new', await folderOf(model), { settings: here.settings })
    expect(await held(here, 'org/new')).toEqual(hashes(model))
    // whole bodies that came in: each object once
    expect(here.uploads.arrivals.toSorted()).toEqual([sha256(weights), sha256(small)].toSorted())
  })

  test.each([
    ['500 of the store', isStore, 500],
    ['503 of the store', isStore, 503],
    ['429 of preupload', ({ path }: SeenRequest) => path.includes('/preupload/'), 429],
    ['500 of the batch', ({ path }: SeenRequest) => path.endsWith('/batch'), 500],
    ['429 of the batch', ({ path }: SeenRequest) => path.endsWith('/batch'), 429],
    ['504 of verify', ({ path }: SeenRequest) => path === '/lfs/verify', 504],
    ['429 of the commit', isCommit, 429],
    ['500 of the commit', isCommit, 500],
    ['412 of the commit', isCommit, 412],
    ['503 of whoami', ({ path }: SeenRequest) => path.endsWith('whoami-v2'), 503],
    ['500 of the creation', ({ path }: SeenRequest) => path === '/api/repos/create', 500],
  ] as const)('a %s, twice', async (_, on, status) => {
    const here = await place()
    here.hub.fail({ on, times: 2, how: { kind: 'status', status } })
    await pushed('org/new', await folderOf(model), { settings: here.settings })
    expect(await held(here, 'org/new')).toEqual(hashes(model))
    expect(here.uploads.messages).toHaveLength(1)
  })

  test('waits as long as Retry-After says', async () => {
    const here = await place()
    here.hub.fail({ on: isCommit, times: 1, how: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } })
    const started = performance.now()
    await pushed('org/new', await folderOf({ 'a.txt': 'a' }), { settings: here.settings })
    expect(performance.now() - started).toBeGreaterThan(950) // timers may fire some milliseconds early
  })

  test('a commit whose answer is lost is not made twice', async () => {
    const here = await place()
    here.hub.fail({ on: isCommit, times: 1, how: { kind: 'lost-answer' } })
    const { commit: made } = await pushed('org/new', await folderOf(model), { settings: here.settings })
    expect(here.uploads.messages).toHaveLength(1)
    expect(made).toBe((await openRepo('org/new', { settings: here.settings })).revision)
  })

  test('a pull request whose answer is lost is not opened twice', async () => {
    const here = await place([tinyModel()])
    here.hub.fail({ on: isCommit, times: 1, how: { kind: 'lost-answer' } })
    const fault = await faultOf(pushed('org/tiny', await folderOf(model), { settings: here.settings, createPr: true }))
    expect(fault?.code).toBe('hub.network')
    expect(fault?.message).toContain('no answer came to the pull request')
    expect(here.uploads.messages).toHaveLength(1)
  })

  test('a store that reads no further', async () => {
    const here = await place()
    const long = Buffer.concat([new Uint8Array(8), noise(8_000_000, 5)]) // more than the system's buffers take
    here.hub.fail({ on: isStore, times: 1, how: { kind: 'deaf', after: 100_000 } })
    await pushed('org/new', await folderOf({ 'w.bin': long }), { settings: { ...here.settings, patience: { ...brisk, stallSeconds: 0.3 } } })
    expect(here.uploads.arrivals).toEqual([sha256(long)])
  })

  test('a connection that is always cut is given up, and the next push sends only the rest', async () => {
    const here = await place()
    const folder = await folderOf(model)
    const size = (request: SeenRequest): number => Number(request.headers['content-length'])
    here.hub.fail({ on: (request) => isStore(request) && size(request) === weights.byteLength, how: { kind: 'cut-upload', after: 200_000 } })
    // the small one has to be there before the large one is given up
    const patient = { ...here.settings, patience: { ...brisk, firstSeconds: 0.05 } }
    expect(await codeOf(pushed('org/new', folder, { settings: patient }))).toBe('hub.network')
    expect(here.uploads.arrivals).toEqual([sha256(small)])
    expect(here.uploads.messages).toEqual([])
    here.hub.heal()
    const { files } = await pushed('org/new', folder, { settings: here.settings })
    expect(here.uploads.arrivals).toEqual([sha256(small), sha256(weights)])
    expect(files.find(({ path }) => path === 'nested/second.safetensors')?.state).toBe('present')
    expect(await held(here, 'org/new')).toEqual(hashes(model))
  })

  test('a file that changes while it is pushed: nothing is committed', async () => {
    const here = await place()
    const folder = await folderOf(model)
    const onProgress: NonNullable<PushOptions['onProgress']> = ({ stage }) => void (stage.startsWith('upload') && utimes(join(folder, 'config.json'), 1, 1))
    const fault = await faultOf(pushed('org/new', folder, { settings: here.settings, onProgress }))
    expect([fault?.code, fault?.parts.what]).toEqual(['file.unreadable', 'the file changed while it was pushed'])
    expect(here.uploads.messages).toEqual([])
  })
})

describe('a large file in parts', () => {
  const parts = { partLength: 64_000 }
  const partsOf = (uploads: Uploads): string[] => uploads.arrivals.map((arrival) => arrival.split('#')[1] ?? '')

  test('is put together again', async () => {
    const here = await place([], parts)
    await pushed('org/new', await folderOf({ 'w.bin': weights }), { settings: here.settings })
    expect(partsOf(here.uploads).toSorted()).toEqual(['1', '2', '3', '4', '5'])
    expect(await held(here, 'org/new')).toEqual(hashes({ 'w.bin': weights }))
  })

  test('repeats a part that was cut, and no other', async () => {
    const here = await place([], parts)
    here.hub.fail({ on: ({ path }) => path.includes('/part/') && path.includes('/3?'), times: 2, how: { kind: 'cut-upload', after: 30_000 } })
    await pushed('org/new', await folderOf({ 'w.bin': weights }), { settings: here.settings })
    expect(partsOf(here.uploads).toSorted()).toEqual(['1', '2', '3', '4', '5'])
    expect(here.hub.requests.filter(isStore)).toHaveLength(7)
  })

  test('goes on with the parts that are there when the push is started again', async () => {
    const here = await place([], parts)
    const memoryFolder = await scratch()
    const folder = await folderOf({ 'w.bin': weights })
    here.hub.fail({ on: ({ path }) => path.includes('/part/') && path.includes('/4?'), how: { kind: 'status', status: 500 } })
    expect(await codeOf(pushed('org/new', folder, { settings: here.settings, memoryFolder }))).toBe('hub.server')
    const before = [...here.uploads.arrivals]
    expect(before.length).toBeGreaterThanOrEqual(3)
    here.hub.heal()
    const { sentBytes } = await pushed('org/new', folder, { settings: here.settings, memoryFolder })
    expect(partsOf(here.uploads).toSorted()).toEqual(['1', '2', '3', '4', '5'])
    expect(sentBytes).toBe(
      here.uploads.arrivals.slice(before.length).reduce((sum, part) => sum + (part.endsWith('#5') ? weights.byteLength - 4 * 64_000 : 64_000), 0),
    )
    expect(await held(here, 'org/new')).toEqual(hashes({ 'w.bin': weights }))
    expect(JSON.parse(await readFile(join(memoryFolder, (await readdir(memoryFolder))[0] ?? ''), 'utf8'))).toMatchObject({ uploads: {} })
  })

  test('begins anew when the store has forgotten the parts', async () => {
    const first = await place([], parts)
    const memoryFolder = await scratch()
    const folder = await folderOf({ 'w.bin': weights })
    first.hub.fail({ on: ({ path }) => path.includes('/part/') && path.includes('/4?'), how: { kind: 'status', status: 500 } })
    expect(await codeOf(pushed('org/new', folder, { settings: first.settings, memoryFolder }))).toBe('hub.server')
    first.hub.heal()
    // every address of the first layout is answered as an expired one
    const stale = first.hub.requests.filter(isStore).map(({ path }) => path.split('/')[2] ?? '')
    first.hub.fail({ on: ({ path }) => stale.some((upload) => path.includes(upload)), how: { kind: 'status', status: 403 } })
    await pushed('org/new', folder, { settings: first.settings, memoryFolder })
    expect(await held(first, 'org/new')).toEqual(hashes({ 'w.bin': weights }))
  })

  test('is there after all when only the answer to its completion was lost', async () => {
    const here = await place([], parts)
    here.hub.fail({ on: ({ path }) => path.startsWith('/lfs/complete'), times: 1, how: { kind: 'lost-answer' } })
    await pushed('org/new', await folderOf({ 'w.bin': weights }), { settings: here.settings })
    expect(partsOf(here.uploads).toSorted()).toEqual(['1', '2', '3', '4', '5'])
    expect(await held(here, 'org/new')).toEqual(hashes({ 'w.bin': weights }))
  })
})

describe('hashes', () => {
  test('of files that have not changed are not computed again', async () => {
    const here = await place()
    const memoryFolder = await scratch()
    const large = Buffer.concat([new Uint8Array(8), noise(1_500_000, 6)])
    const folder = await folderOf({ 'w.bin': large })
    const read = async (): Promise<boolean> => {
      let hashed = false
      const onProgress: NonNullable<PushOptions['onProgress']> = ({ stage }) => void (hashed ||= stage === 'hash')
      await pushed('org/new', folder, { settings: here.settings, memoryFolder, onProgress })
      return hashed
    }
    // a file changed just now could change again within the same tick of the clock: its hash is not kept
    expect([await read(), await read()]).toEqual([true, true])
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    expect([await read(), await read()]).toEqual([true, false])
    large[20] = (large[20] ?? 0) + 1
    await writeFile(join(folder, 'w.bin'), large)
    expect(await read()).toBe(true)
    expect(await held(here, 'org/new')).toEqual(hashes({ 'w.bin': large }))
  })
})

describe('two pushes at once', () => {
  test('of different folders to one repository both arrive', async () => {
    const here = await place([tinyModel()])
    const [a, b] = [await folderOf({ 'a.txt': 'a', 'w.bin': weights }), await folderOf({ 'b.txt': 'b', 'v.bin': small })]
    here.hub.fail({ on: isCommit, times: 1, how: { kind: 'status', status: 412 } })
    await Promise.all([pushed('org/tiny', a, { settings: here.settings }), pushed('org/tiny', b, { settings: here.settings })])
    expect(await held(here, 'org/tiny')).toMatchObject(hashes({ 'a.txt': 'a', 'b.txt': 'b', 'w.bin': weights, 'v.bin': small }))
  })

  test('of the same folder to a repository that is not there yet', async () => {
    const here = await place()
    const folder = await folderOf(model)
    const memoryFolder = await scratch()
    await Promise.all([
      pushed('org/new', folder, { settings: here.settings, memoryFolder }),
      pushed('org/new', folder, { settings: here.settings, memoryFolder }),
    ])
    expect(await held(here, 'org/new')).toEqual(hashes(model))
  })
})

describe('a push is refused', () => {
  const nothingSent = (hub: Hub): boolean => hub.requests.every(({ method }) => method === 'GET')

  test.each([
    ['offline', { HF_HUB_OFFLINE: '1' }, 'hub.offline', 'nothing can be pushed while the network is off'],
    ['without a token', { HF_TOKEN: '' }, 'hub.denied', 'pushing needs a token, and there is none'],
    ['with a token the hub does not know', { HF_TOKEN: 'hf_other' }, 'hub.denied', 'the token is not accepted'],
  ])('%s, before anything is sent', async (_, env, code, words) => {
    const here = await place([tinyModel()], { env })
    const fault = await faultOf(planPush('org/tiny', await folderOf(model), { settings: here.settings }))
    expect(fault?.code).toBe(code)
    expect(fault?.message).toContain(words)
    expect(fault?.hint).toBeDefined()
    expect(nothingSent(here.hub)).toBe(true)
  })

  test('with a token that may only read', async () => {
    const here = await place([tinyModel()], { role: 'read' })
    const fault = await faultOf(planPush('org/tiny', await folderOf(model), { settings: here.settings }))
    expect([fault?.code, fault?.parts.what]).toEqual(['hub.denied', 'the token may only read'])
  })

  test('with a fine-grained token that may not write here', async () => {
    const here = await place([tinyModel()], { role: 'fineGrained', owners: ['tester'] })
    const fault = await faultOf(pushed('org/tiny', await folderOf({ 'a.txt': 'a' }), { settings: here.settings }))
    expect([fault?.code, fault?.parts.what]).toEqual(['hub.denied', 'the token may not write here'])
    expect(fault?.hint).toContain('--create-pr')
  })

  test('to an organisation of others', async () => {
    const here = await place()
    const fault = await faultOf(pushed('others/new', await folderOf({ 'a.txt': 'a' }), { settings: here.settings }))
    expect([fault?.code, fault?.parts.what]).toEqual(['hub.denied', 'there is no such repository, and the token may not make it'])
  })

  test.each([
    [413, 'hub.limit', 'too large for the hub'],
    [402, 'hub.limit', 'the storage of the account is full'],
    [400, 'hub.server', 'the hub refuses what was sent'],
    [404, 'hub.missing', 'no such repository or revision'],
    [403, 'hub.denied', 'the token may not write here'],
    [401, 'hub.denied', 'the token is not accepted'],
    [429, 'hub.busy', 'the hub asks to slow down'],
    [500, 'hub.server', 'the hub is in trouble'],
    [412, 'hub.conflict', 'somebody else changed it at the same time'],
  ])('by a commit that is answered %i', async (status, code, words) => {
    const here = await place([tinyModel()])
    here.hub.fail({ on: isCommit, how: { kind: 'status', status, headers: { 'x-error-message': `you sent ${here.hub.token}` } } })
    const fault = await faultOf(pushed('org/tiny', await folderOf({ 'a.txt': 'a' }), { settings: here.settings }))
    expect(fault?.code).toBe(code)
    expect(fault?.message).toContain(words)
    expect(fault?.hint).toBeDefined()
    expect(`${fault?.message}${fault?.hint}`).not.toContain(here.hub.token)
  })

  test('by a store that takes nothing so large, before it was sent to the end', async () => {
    const here = await place()
    const long = Buffer.concat([new Uint8Array(8), noise(8_000_000, 5)])
    here.hub.fail({ on: isStore, how: { kind: 'early-status', status: 413 } })
    expect(await codeOf(pushed('org/new', await folderOf({ 'w.bin': long }), { settings: here.settings }))).toBe('hub.limit')
    const [sent, ...more] = here.hub.requests.filter(isStore)
    expect(more).toEqual([])
    expect(sent?.received).toBeLessThan(long.byteLength)
  })

  test('with a model card whose metadata are broken, before anything large is sent', async () => {
    const here = await place([tinyModel()])
    const fault = await faultOf(pushed('org/tiny', await folderOf({ 'README.md': '---\nlicense: mit\n', 'w.bin': weights }), { settings: here.settings }))
    expect([fault?.code, fault?.parts.seen]).toEqual(['format.yaml', 'the metadata block has no end'])
    expect(here.uploads.arrivals).toEqual([])
  })

  test.each([
    ['an empty folder', {}, {}, 'usage.value', 'the folder holds no file'],
    ['a folder of which nothing is chosen', { 'a.txt': 'a' }, { include: ['*.bin'] }, 'usage.value', 'no file of the folder is chosen'],
    ['a path that leads out', { 'a.txt': 'a' }, { pathInRepo: '../up' }, 'file.outside', 'the path leads out of its folder'],
    ['a path that is too long', { 'a.txt': 'a' }, { pathInRepo: 'x/'.repeat(3000) }, 'file.outside', 'the path is too long'],
    ['a path with a part that is too long', { 'a.txt': 'a' }, { pathInRepo: 'x'.repeat(300) }, 'file.outside', 'a part of the path is too long'],
    ['a path into .git', { 'a.txt': 'a' }, { pathInRepo: 'sub/.git' }, 'file.outside', 'the hub takes nothing under this name'],
    ['a commit as the branch', { 'a.txt': 'a' }, { revision: commit }, 'usage.value', 'a commit cannot be changed'],
    ['a pull request against another branch', { 'a.txt': 'a' }, { createPr: true, revision: 'x' }, 'usage.conflict', 'against main'],
  ] as const)('of %s', async (_, files, options, code, words) => {
    const here = await place([tinyModel()])
    const fault = await faultOf(planPush('org/tiny', await folderOf(files), { settings: here.settings, ...options }))
    expect(fault?.code).toBe(code)
    expect(fault?.message).toContain(words)
    expect(here.hub.requests).toEqual([])
  })

  test('of a folder that is not there, or has a name no file can have', async () => {
    const here = await place([tinyModel()])
    expect(await codeOf(planPush('org/tiny', './nowhere', { settings: here.settings }))).toBe('file.missing')
    expect(await codeOf(planPush('org/tiny', 'x'.repeat(5000), { settings: here.settings }))).toBe('file.missing')
    expect(await codeOf(planPush('org/tiny', undefined, { settings: here.settings }))).toBe('usage.value')
    expect(await codeOf(planPush('not a name', await folderOf(model), { settings: here.settings }))).toBe('hub.name')
  })

  test.each(['file', 'folder', 'loop', 'nowhere'])('of a folder with a link out of it: %s', async (kind) => {
    const here = await place([tinyModel()])
    const folder = await folderOf({ 'a.txt': 'a', 'in/b.txt': 'b' })
    const outside = await folderOf({ 'secret.txt': 's' })
    const target = { file: join(outside, 'secret.txt'), folder: outside, loop: '..', nowhere: 'gone.txt' }[kind] ?? ''
    await symlink(target, join(folder, 'in', 'link'))
    expect(await codeOf(planPush('org/tiny', folder, { settings: here.settings }))).toBe(kind === 'nowhere' ? 'file.missing' : 'file.outside')
  })

  test('but links inside the folder are followed', async () => {
    const here = await place()
    const folder = await folderOf({ 'a.txt': 'a', 'in/b.txt': 'b' })
    await symlink('../a.txt', join(folder, 'in', 'c.txt'))
    await symlink('in', join(folder, 'out'))
    const { files } = await planPush('org/new', folder, { settings: here.settings })
    expect(files.map(({ path }) => path)).toEqual(['a.txt', 'in/b.txt', 'in/c.txt', 'out/b.txt', 'out/c.txt'])
  })
})

describe('a server of another make', () => {
  test('that knows neither whoami nor validate-yaml nor verify is served too', async () => {
    const here = await place([tinyModel()])
    for (const unknown of ['whoami-v2', 'validate-yaml']) here.hub.fail({ on: ({ path }) => path.endsWith(unknown), how: { kind: 'status', status: 404 } })
    await pushed('org/tiny', await folderOf({ 'README.md': '# a', 'w.bin': weights }), { settings: here.settings })
    expect((await held(here, 'org/tiny'))['w.bin']).toBe(sha256(weights))
  })

  test('that answers with something else is told so', async () => {
    const here = await place([tinyModel()])
    here.hub.fail({ on: ({ path }) => path.includes('/preupload/'), how: { kind: 'bytes', bytes: Buffer.from('<html>log in</html>') } })
    expect(await codeOf(pushed('org/tiny', await folderOf(model), { settings: here.settings }))).toBe('hub.server')
  })
})

test('what the test hub stores is what git and git-lfs would call it', () => {
  // git hash-object and git lfs pointer of the same bytes, git 2.39
  expect(stored('hello\n').oid).toBe('ce013625030ba8dba906f756967f9e9ca394464a')
})
