import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRepo, planPush, push, type PushOptions } from '#files/hub'
import {
  folderOf,
  hashes,
  held,
  isCommit,
  isStore,
  model,
  place,
  pushed,
  sha256,
  small,
  weights,
} from './push-scene.ts'
import { codeOf, commit, scratch, tinyModel } from './scene.ts'
import { type FileSpec, stored } from './server.ts'

describe('a push', () => {
  test('makes the repository, sends large files to the store and commits once', async () => {
    const here = await place()
    const {
      url,
      commit: made,
      files,
      unchanged,
      sentBytes,
    } = await pushed('org/new', await folderOf(model), { settings: here.settings })
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
    expect(seen.map(({ headers }) => Number(headers['content-length'])).toSorted((a, b) => a - b)).toEqual([
      small.byteLength,
      weights.byteLength,
    ])
  })

  test.each([true, false])(
    'of the same folder again sends nothing and commits nothing (the hub tells hashes: %s)',
    async (tellsOids) => {
      const here = await place([], { tellsOids })
      const folder = await folderOf(model)
      const first = await pushed('org/new', folder, { settings: here.settings })
      here.hub.take()
      const second = await pushed('org/new', folder, { settings: here.settings })
      expect(second).toMatchObject({ unchanged: true, commit: first.commit, sentBytes: 0 })
      expect(new Set(second.files.map(({ state }) => state))).toEqual(new Set(['unchanged']))
      expect(here.hub.take().filter((request) => isStore(request) || isCommit(request))).toEqual([])
    },
  )

  test('of a changed folder sends what changed', async () => {
    const here = await place()
    const folder = await folderOf(model)
    await pushed('org/new', folder, { settings: here.settings })
    await writeFile(join(folder, 'config.json'), '{"a":2}')
    const second = await pushed('org/new', folder, { settings: here.settings, message: 'Second', description: 'why' })
    expect(second.files.filter(({ state }) => state !== 'unchanged')).toEqual([
      { path: 'config.json', size: 7, state: 'committed' },
    ])
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
    await pushed('org/tiny', join(folder, 'w.safetensors'), {
      settings: here.settings,
      pathInRepo: 'extra/v.safetensors',
    })
    expect((await held(here, 'org/tiny'))['extra/v.safetensors']).toBe(sha256(small))
    expect((await held(here, 'org/tiny'))['config.json']).toBeDefined()
  })

  test('under a path, with patterns, deleting what matches there', async () => {
    const before: Record<string, FileSpec> = {
      '.gitattributes': '*',
      'old/a.bin': 'x',
      'old/keep.txt': 'k',
      'a.bin': 'outside',
    }
    const here = await place([{ name: 'org/tiny', commits: { [commit]: before }, refs: { main: commit } }])
    const folder = await folderOf({ 'new.txt': 'n', 'skip.log': 's', 'deep/x.log': 's' })
    const options = {
      settings: here.settings,
      pathInRepo: 'old',
      include: ['*'],
      exclude: ['*.log'],
      remove: ['*.bin', '*'],
    }
    const plan = await planPush('org/tiny', folder, options)
    expect([plan.files.map(({ path }) => path), plan.deleted]).toEqual([['old/new.txt'], ['old/a.bin', 'old/keep.txt']])
    await push(plan, options)
    expect(Object.keys(await held(here, 'org/tiny'))).toEqual(['a.bin', 'old/new.txt'])
  })

  test('may only delete, but never .gitattributes', async () => {
    const here = await place([
      { name: 'org/tiny', commits: { [commit]: { '.gitattributes': '*', 'a.bin': 'x' } }, refs: { main: commit } },
    ])
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
    const { repo } = await pushed('mine', await folderOf({ 'a.txt': 'a' }), {
      settings: here.settings,
      isPrivate: true,
    })
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
    const before = await Promise.all(
      (await readdir(folder, { recursive: true })).map(async (path) => [
        path,
        (await stat(join(folder, path))).mtimeMs,
      ]),
    )
    await pushed('org/new', folder, { settings: here.settings, stateFolder: await scratch() })
    const after = await Promise.all(
      (await readdir(folder, { recursive: true })).map(async (path) => [
        path,
        (await stat(join(folder, path))).mtimeMs,
      ]),
    )
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
    const onProgress: NonNullable<PushOptions['onProgress']> = ({ stage }) =>
      void (stage.startsWith('upload') && stop.abort())
    const folder = await folderOf(model)
    expect(await codeOf(pushed('org/new', folder, { settings: here.settings, onProgress, signal: stop.signal }))).toBe(
      'run.cancelled',
    )
    expect(here.uploads.messages).toEqual([])
  })
})

describe('a server of another make', () => {
  test('that knows neither whoami nor validate-yaml nor verify is served too', async () => {
    const here = await place([tinyModel()])
    for (const unknown of ['whoami-v2', 'validate-yaml'])
      here.hub.fail({ on: ({ path }) => path.endsWith(unknown), how: { kind: 'status', status: 404 } })
    await pushed('org/tiny', await folderOf({ 'README.md': '# a', 'w.bin': weights }), { settings: here.settings })
    expect((await held(here, 'org/tiny'))['w.bin']).toBe(sha256(weights))
  })

  test('that answers with something else is told so', async () => {
    const here = await place([tinyModel()])
    here.hub.fail({
      on: ({ path }) => path.includes('/preupload/'),
      how: { kind: 'bytes', bytes: Buffer.from('<html>log in</html>') },
    })
    expect(await codeOf(pushed('org/tiny', await folderOf(model), { settings: here.settings }))).toBe('hub.server')
  })
})

test('what the test hub stores is what git and git-lfs would call it', () => {
  // git hash-object and git lfs pointer of the same bytes, git 2.39
  expect(stored('hello\n').oid).toBe('ce013625030ba8dba906f756967f9e9ca394464a')
})
