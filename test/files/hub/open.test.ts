import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRepo } from '#files/hub'
import { hoursAgo } from '../../ages.ts'
import { blobName } from './server.ts'
import {
  blobs,
  brisk,
  codeOf,
  commit,
  faultOf,
  noise,
  older,
  sameBytes,
  scene,
  settingsFor,
  tinyModel,
} from './scene.ts'

const weights = noise(300_000, 7)

describe('a repository of the hub', () => {
  test('is written to the cache in the layout of huggingface_hub', async () => {
    const { cacheFolder, settings } = await scene([tinyModel(weights)])
    const files = await openRepo('org/tiny', { settings })
    const config = await files.local('1_Pooling/config.json')
    const model = await files.local('model.safetensors')

    const storage = join(cacheFolder, 'models--org--tiny')
    expect(files.name).toBe('org/tiny')
    expect(files.revision).toBe(commit)
    expect(readFileSync(join(storage, 'refs/main'), 'utf8')).toBe(commit)
    // the hashes that git and sha256sum give for these contents
    expect(blobName('{}')).toBe('9e26dfeeb6e641a33dae4961196235bdb965b21b')
    expect(blobs(cacheFolder)).toEqual([blobName({ lfs: weights }), blobName('{}')].sort())
    expect(config).toBe(join(storage, 'blobs', blobName('{}')))
    expect(readlinkSync(join(storage, 'snapshots', commit, '1_Pooling/config.json'))).toBe(
      `../../../blobs/${blobName('{}')}`,
    )
    expect(readlinkSync(join(storage, 'snapshots', commit, 'model.safetensors'))).toBe(
      `../../blobs/${blobName({ lfs: weights })}`,
    )
    expect(await sameBytes(model, weights)).toBe(true)
    expect(readdirSync(storage).sort()).toEqual(['blobs', 'refs', 'snapshots'])
    expect(readdirSync(join(cacheFolder, '.locks/models--org--tiny'))).toEqual([])
  })

  test('asks once for a branch, and nothing more when the files are cached', async () => {
    const { hub, settings } = await scene([tinyModel()])
    await (await openRepo('org/tiny', { settings })).text('config.json')
    hub.take()
    const files = await openRepo('org/tiny', { settings })
    expect(await files.text('config.json')).toBe('{"model_type":"bert"}')
    expect(await files.has('config.json')).toBe(true)
    expect(hub.take().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/models/org/tiny/revision/main',
    ])
  })

  test('at a commit asks nothing at all when the files are cached, absent ones included', async () => {
    const { hub, settings } = await scene([tinyModel()])
    const first = await openRepo(`org/tiny@${commit}`, { settings })
    expect(await first.has('modules.json')).toBe(false)
    await first.text('config.json')
    hub.take()
    const files = await openRepo(`org/tiny@${commit}`, { settings })
    expect(await files.text('config.json')).toBe('{"model_type":"bert"}')
    expect(await files.has('modules.json')).toBe(false)
    expect(await codeOf(files.local('modules.json'))).toBe('hub.missing')
    expect(hub.take()).toEqual([])
  })

  test('is found by tag, pull request, branch with a slash, and short commit', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel()])
    for (const [revision, expected] of [
      ['v1.0', older],
      ['refs/pr/1', older],
      ['feature/x', commit],
      [commit.slice(0, 8), commit],
    ] as const) {
      const files = await openRepo(`org/tiny@${revision}`, { settings })
      expect(files.revision).toBe(expected)
      await files.local('config.json')
      expect(readFileSync(join(cacheFolder, 'models--org--tiny/refs', revision), 'utf8')).toBe(expected)
    }
    expect(hub.requests.some(({ path }) => path === '/api/models/org/tiny/revision/refs%2Fpr%2F1')).toBe(true)
  })

  test('may be a data set, or a canonical name without an organisation', async () => {
    const { cacheFolder, settings } = await scene([
      {
        type: 'dataset',
        name: 'mteb/sts',
        commits: { [commit]: { 'data/test.jsonl': '{}\n' } },
        refs: { main: commit },
      },
      tinyModel(weights, { name: 'gpt2' }),
    ])
    expect(await (await openRepo('mteb/sts', { type: 'dataset', settings })).text('data/test.jsonl')).toBe('{}\n')
    expect(await (await openRepo('gpt2', { settings })).has('config.json')).toBe(true)
    await (await openRepo('gpt2', { settings })).local('config.json')
    expect(readdirSync(cacheFolder).sort()).toEqual(['.locks', 'datasets--mteb--sts', 'models--gpt2'])
  })

  test('lists its files page by page, once', async () => {
    const { hub, settings } = await scene([tinyModel()], { pageSize: 2 })
    const files = await openRepo('org/tiny', { settings })
    hub.take()
    expect(await files.list()).toEqual(['1_Pooling/config.json', 'config.json', 'model.safetensors'])
    expect(await files.list()).toHaveLength(3)
    expect(hub.take()).toHaveLength(2)
    expect(await files.has('model.safetensors')).toBe(true)
    expect(await files.has('modules.json')).toBe(false)
    expect(hub.take()).toEqual([])
  })

  test('does not follow a listing to another host', async () => {
    const { hub, settings } = await scene([tinyModel()])
    hub.fail({
      on: ({ path }) => path.includes('/tree/'),
      how: { kind: 'headers', headers: { link: '<http://127.0.0.1:9/api>; rel="next"' } },
    })
    expect(await codeOf((await openRepo('org/tiny', { settings })).list())).toBe('hub.server')
  })

  test('several callers of one file share one download', async () => {
    const { hub, settings } = await scene([tinyModel()])
    const files = await openRepo('org/tiny', { settings })
    const paths = await Promise.all([1, 2, 3].map(() => files.local('model.safetensors')))
    expect(new Set(paths).size).toBe(1)
    expect(hub.requests.filter(({ host }) => host === 'store')).toHaveLength(1)
  })

  test('has copies where links are switched off', async () => {
    const { hub, cacheFolder } = await scene([tinyModel(weights)])
    const settings = { ...settingsFor(hub, cacheFolder, { HF_HUB_DISABLE_SYMLINKS: '1' }) }
    const files = await openRepo('org/tiny', { settings })
    const model = await files.local('model.safetensors')
    expect(model).toBe(join(cacheFolder, 'models--org--tiny/snapshots', commit, 'model.safetensors'))
    expect(lstatSync(model).isFile()).toBe(true)
    expect(await sameBytes(model, weights)).toBe(true)
    expect(blobs(cacheFolder)).toEqual([])
    hub.take()
    await (await openRepo(`org/tiny@${commit}`, { settings })).local('model.safetensors')
    expect(hub.take()).toEqual([])
  })

  test('copies a blob that other snapshots link to', async () => {
    const { hub, cacheFolder, settings } = await scene([
      tinyModel(weights, { refs: { main: commit }, commits: { [commit]: { a: '{}' }, [older]: { b: '{}' } } }),
    ])
    await (await openRepo('org/tiny', { settings })).local('a')
    const copies = settingsFor(hub, cacheFolder, { HF_HUB_DISABLE_SYMLINKS: '1' })
    await (await openRepo(`org/tiny@${older}`, { settings: copies })).local('b')
    expect(blobs(cacheFolder)).toEqual([blobName('{}')])
    expect(lstatSync(join(cacheFolder, 'models--org--tiny/snapshots', older, 'b')).isFile()).toBe(true)
    expect(await (await openRepo('org/tiny', { settings })).text('a')).toBe('{}')
  })

  test('mends a snapshot link that leads nowhere', async () => {
    const { cacheFolder, settings } = await scene([tinyModel()])
    const files = await openRepo('org/tiny', { settings })
    await files.local('config.json')
    await rm(join(cacheFolder, 'models--org--tiny/blobs'), { recursive: true })
    expect(await files.has('config.json')).toBe(true)
    expect(await files.text('config.json')).toBe('{"model_type":"bert"}')
  })

  test.each(['../x', '/x', 'a\\b', 'C:x', 'a/../../b'])('refuses %j as a path of its own', async (path) => {
    const { hub, settings } = await scene([tinyModel()])
    const files = await openRepo(`org/tiny@${commit}`, { settings })
    expect(await codeOf(files.local(path))).toBe('file.outside')
    expect(await codeOf(files.has(path))).toBe('file.outside')
    expect(hub.requests).toEqual([])
  })

  test('is preferred to a folder of the same name when a revision is given', async () => {
    const { settings } = await scene([tinyModel()])
    const before = process.cwd()
    process.chdir(dirname(settings.cacheFolder))
    try {
      await mkdir('org/tiny', { recursive: true })
      expect((await openRepo('org/tiny', { settings })).name).toBe('./org/tiny')
      expect((await openRepo('org/tiny', { settings, revision: 'main' })).revision).toBe(commit)
    } finally {
      process.chdir(before)
    }
  })
})

describe('what huggingface_hub left in the cache', () => {
  /** As its snapshot_download leaves it, listing of the commit included. */
  async function pythonCache(storage: string): Promise<void> {
    const snapshot = join(storage, 'snapshots', commit)
    for (const folder of [
      snapshot,
      join(storage, 'blobs'),
      join(storage, 'refs/refs/pr'),
      join(storage, 'trees'),
      join(storage, '.no_exist', commit),
    ]) {
      await mkdir(folder, { recursive: true })
    }
    await writeFile(join(storage, 'blobs', blobName('{}')), '{}')
    await symlink(`../../blobs/${blobName('{}')}`, join(snapshot, 'config.json'))
    await writeFile(join(storage, 'refs/main'), commit)
    await writeFile(join(storage, 'refs/refs/pr/3'), commit)
    await writeFile(join(storage, '.no_exist', commit, 'adapter_config.json'), '')
    await writeFile(
      join(storage, 'trees', `${commit}.json`),
      JSON.stringify({
        format_version: 1,
        files: { 'config.json': { size: 2, blob_id: 'x' }, 'big.bin': { size: 9, blob_id: 'y' } },
      }),
    )
  }

  test('is read offline by branch, pull request and commit', async () => {
    const { hub, cacheFolder } = await scene([])
    await pythonCache(join(cacheFolder, 'models--org--tiny'))
    const settings = settingsFor(hub, cacheFolder, { HF_HUB_OFFLINE: '1' })
    for (const revision of ['main', 'refs/pr/3', commit]) {
      const files = await openRepo(`org/tiny@${revision}`, { settings })
      expect(files.revision).toBe(commit)
      expect(await files.text('config.json')).toBe('{}')
      expect(await files.list()).toEqual(['big.bin', 'config.json'])
      expect(await codeOf(files.local('adapter_config.json'))).toBe('hub.missing')
      expect(await codeOf(files.local('big.bin'))).toBe('hub.offline')
      expect(await files.has('other.json')).toBe(false)
    }
    expect(hub.requests).toEqual([])
  })

  test('is believed about files that do not exist', async () => {
    const { hub, cacheFolder, settings } = await scene([
      tinyModel(weights, { commits: { [commit]: { 'adapter_config.json': '{}' } } }),
    ])
    await pythonCache(join(cacheFolder, 'models--org--tiny'))
    const files = await openRepo(`org/tiny@${commit}`, { settings })
    expect(await files.has('adapter_config.json')).toBe(false)
    expect(await codeOf(files.local('adapter_config.json'))).toBe('hub.missing')
    expect(hub.requests).toEqual([])
  })

  test('may be a snapshot folder of any name, which is then all there is', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel()])
    for (const revision of ['main-2024', '1.1', 'main']) {
      await mkdir(join(cacheFolder, 'datasets--org--data/snapshots', revision), { recursive: true })
      await writeFile(join(cacheFolder, 'datasets--org--data/snapshots', revision, 'README.md'), revision)
      const files = await openRepo('org/data', { type: 'dataset', revision, settings })
      expect(files.revision).toBe(revision)
      expect(await files.text('README.md')).toBe(revision)
      expect(await files.list()).toEqual(['README.md'])
      expect(await files.has('data.csv')).toBe(false)
      expect(await codeOf(files.local('data.csv'))).toBe('hub.missing')
    }
    expect(hub.requests).toEqual([])
  })

  test('with a ref that leads out of the cache is not followed', async () => {
    const { hub, cacheFolder } = await scene([])
    await mkdir(join(cacheFolder, 'models--org--tiny/refs'), { recursive: true })
    await writeFile(join(cacheFolder, 'models--org--tiny/refs/main'), '../../../..')
    expect(
      await codeOf(openRepo('org/tiny', { settings: settingsFor(hub, cacheFolder, { HF_HUB_OFFLINE: '1' }) })),
    ).toBe('hub.offline')
  })
})

describe('offline', () => {
  test('nothing is asked, and what is missing is named with what to do', async () => {
    const { hub, cacheFolder } = await scene([tinyModel()])
    const settings = settingsFor(hub, cacheFolder, { TRANSFORMERS_OFFLINE: '1' })
    for (const reference of ['org/tiny', `org/tiny@${commit}`]) {
      const fault = await faultOf(openRepo(reference, { settings }))
      expect(fault?.code).toBe('hub.offline')
      expect(fault?.message).toContain(
        `org/tiny@${reference.includes('@') ? commit : 'main'}: not in the cache, and the network is off (HF_HUB_OFFLINE)`,
      )
      expect(fault?.hint).toContain('HF_HUB_OFFLINE')
    }
    expect(existsSync(cacheFolder)).toBe(false)
    expect(hub.requests).toEqual([])
  })

  test('what was downloaded before is all there is', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel()])
    await (await openRepo('org/tiny', { settings })).local('config.json')
    hub.take()
    const files = await openRepo('org/tiny', { settings: settingsFor(hub, cacheFolder, { HF_HUB_OFFLINE: '1' }) })
    expect(await files.list()).toEqual(['config.json'])
    expect(await files.has('model.safetensors')).toBe(false)
    expect(await codeOf(files.local('model.safetensors'))).toBe('hub.offline')
    expect(hub.take()).toEqual([])
  })
})

describe('when the hub cannot be asked', () => {
  test.each([
    ['it hangs up', { kind: 'hang-up' }],
    ['it is in trouble', { kind: 'status', status: 503 }],
    ['it is busy', { kind: 'status', status: 429 }],
    ['it refuses', { kind: 'status', status: 401 }],
  ] as const)('because %s, a branch is what it was, with a notice', async (_, how) => {
    const { hub, settings } = await scene([tinyModel()])
    await (await openRepo('org/tiny', { settings })).local('config.json')
    hub.take()
    hub.fail({ on: () => true, how })
    const files = await openRepo('org/tiny', { settings })
    expect(files.revision).toBe(commit)
    expect(files.notice).toContain(`using org/tiny@${commit} from the cache`)
    expect(await files.text('config.json')).toBe('{"model_type":"bert"}')
    expect(hub.take()).toHaveLength(1)
  })

  test('a branch taken from the cache does not overwrite what another process learnt meanwhile', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel()])
    await (await openRepo('org/tiny', { settings })).local('config.json')
    hub.fail({ on: () => true, times: 1, how: { kind: 'hang-up' } })
    const files = await openRepo('org/tiny', { settings })
    const ref = join(cacheFolder, 'models--org--tiny/refs/main')
    await writeFile(ref, older)
    await files.local('model.safetensors')
    expect(readFileSync(ref, 'utf8')).toBe(older)
  })

  test('a revision that the hub does not know is no longer taken from the cache', async () => {
    const { hub, settings } = await scene([tinyModel()])
    await (await openRepo('org/tiny', { settings })).local('config.json')
    hub.fail({ on: () => true, how: { kind: 'status', status: 404, headers: { 'x-error-code': 'RevisionNotFound' } } })
    expect(await codeOf(openRepo('org/tiny', { settings }))).toBe('hub.missing')
  })

  test('the cached files stand for all if the network is gone, but not if the server is in trouble', async () => {
    const { hub, settings } = await scene([tinyModel()])
    await (await openRepo('org/tiny', { settings })).local('config.json')
    hub.fail({ on: () => true, times: 2, how: { kind: 'hang-up' } })
    const files = await openRepo(`org/tiny@${commit}`, { settings })
    expect(await files.has('modules.json')).toBe(false)
    expect(files.notice).toContain('taking the cached files for all')
    expect(await files.list()).toEqual(['config.json'])
    hub.fail({ on: () => true, how: { kind: 'status', status: 500 } })
    expect(await codeOf((await openRepo(`org/tiny@${commit}`, { settings })).has('modules.json'))).toBe('hub.server')
    hub.heal()
    // a guess was not recorded as the hub's word
    expect(await (await openRepo(`org/tiny@${commit}`, { settings })).has('model.safetensors')).toBe(true)
  })

  test('and nothing is cached, the fault says where the connection failed', async () => {
    const { hub, settings } = await scene([tinyModel()])
    hub.fail({ on: () => true, how: { kind: 'hang-up' } })
    expect(await codeOf(openRepo('org/tiny', { settings }))).toBe('hub.network')
    expect(hub.take()).toHaveLength(1 + brisk.retries)
    await hub.close()
    const fault = await faultOf(openRepo('org/tiny', { settings }))
    expect(fault?.message).toBe(`model org/tiny (${new URL(hub.endpoint).host}): the connection failed – ECONNREFUSED`)
  })
})

describe('a hub that refuses', () => {
  const gated = tinyModel(weights, { name: 'org/gated', access: 'gated' })

  test('a gated model, without and with a token that has no access', async () => {
    const { hub, cacheFolder, settings } = await scene([gated], { granted: false })
    const without = await faultOf(openRepo('org/gated', { settings }))
    expect(without?.code).toBe('hub.denied')
    expect(without?.message).toBe(
      'org/gated@main: the model is gated – 401, GatedRepo, Access to org/gated is restricted. Please log in.',
    )
    expect(without?.hint).toBe(`ask for access at ${hub.endpoint}/org/gated and set HF_TOKEN`)
    const withToken = await faultOf(
      openRepo('org/gated', { settings: settingsFor(hub, cacheFolder, { HF_TOKEN: hub.token }) }),
    )
    expect(withToken?.code).toBe('hub.denied')
    expect(withToken?.message).toContain('403, GatedRepo')
  })

  test('opens with the right token, which goes to the hub and to no other host', async () => {
    const { hub, cacheFolder } = await scene([gated])
    const files = await openRepo('org/gated', { settings: settingsFor(hub, cacheFolder, { HF_TOKEN: hub.token }) })
    expect(await sameBytes(await files.local('model.safetensors'), weights)).toBe(true)
    await files.list()
    expect(
      hub.requests
        .filter(({ host }) => host === 'hub')
        .every(({ headers }) => headers.authorization === `Bearer ${hub.token}`),
    ).toBe(true)
    const stored = hub.requests.filter(({ host }) => host === 'store')
    expect(stored).toHaveLength(1)
    expect(stored.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  })

  test('a private model says that no token was sent', async () => {
    const { settings } = await scene([tinyModel(weights, { access: 'private' })])
    const fault = await faultOf(openRepo('org/tiny', { settings }))
    expect(fault?.code).toBe('hub.denied')
    expect(fault?.message).toContain('no token was sent')
  })

  test('distinguishes repository, revision and file', async () => {
    const { settings } = await scene([tinyModel()])
    expect((await faultOf(openRepo('org/none', { settings })))?.message).toContain(
      'org/none@main: no such model repository – 404, RepoNotFound',
    )
    expect((await faultOf(openRepo('org/tiny', { type: 'dataset', settings })))?.message).toContain(
      'no such dataset repository',
    )
    expect((await faultOf(openRepo('org/tiny@none', { settings })))?.message).toBe(
      'org/tiny@none: no such revision – none',
    )
    const fault = await faultOf((await openRepo('org/tiny', { settings })).local('none.json'))
    expect(fault?.code).toBe('hub.missing')
    expect(fault?.message).toBe(`org/tiny@${commit} › none.json: no such file in this repository`)
    for (const reference of ['org/none', 'org/tiny@none'])
      expect(await codeOf(openRepo(reference, { settings }))).toBe('hub.missing')
  })

  test('never gets its echo of the token into a message', async () => {
    const { hub, cacheFolder } = await scene([tinyModel()])
    const settings = settingsFor(hub, cacheFolder, { HF_TOKEN: 'hf_secret' })
    hub.fail({
      on: () => true,
      how: { kind: 'status', status: 403, headers: { 'x-error-message': 'you sent hf_secret' } },
    })
    const fault = await faultOf(openRepo('org/tiny', { settings }))
    expect(fault?.message).toContain('you sent …')
    expect(`${fault?.message}${fault?.hint}${fault?.stack}`).not.toContain('hf_secret')
  })

  test('asks again when it is busy or in trouble, as often as patience says', async () => {
    const { hub, settings } = await scene([tinyModel()])
    hub.fail({ on: () => true, times: 2, how: { kind: 'status', status: 503 } })
    expect((await openRepo('org/tiny', { settings })).revision).toBe(commit)
    expect(hub.take()).toHaveLength(3)
    hub.fail({ on: () => true, how: { kind: 'status', status: 500 } })
    expect(await codeOf(openRepo('org/tiny', { settings }))).toBe('hub.server')
    expect(hub.take()).toHaveLength(1 + brisk.retries)
  })

  test('that names a time is not asked before, and not at all if it is too far off', async () => {
    const { hub, settings } = await scene([tinyModel()])
    const hurried = { ...settings, patience: { ...brisk, totalSeconds: 0.5 } }
    hub.fail({ on: () => true, times: 1, how: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } })
    expect(await codeOf(openRepo('org/tiny', { settings: hurried }))).toBe('hub.busy')
    expect(hub.take()).toHaveLength(1)
    hub.fail({ on: () => true, times: 1, how: { kind: 'status', status: 429, headers: { 'retry-after': '0' } } })
    expect(await codeOf(openRepo('org/tiny', { settings: hurried }))).toBe('no fault')
    expect(hub.take()).toHaveLength(2)
    for (const headers of [
      { 'retry-after': '3600' },
      { 'retry-after': new Date(hoursAgo(-1)).toUTCString() },
      { ratelimit: '"api";r=0;t=3600' },
    ]) {
      hub.heal()
      hub.fail({ on: () => true, how: { kind: 'status', status: 429, headers } })
      const fault = await faultOf(openRepo('org/tiny', { settings }))
      expect(fault?.code).toBe('hub.busy')
      expect(hub.take()).toHaveLength(1)
    }
  })

  test.each([
    ['that is a login page', { kind: 'bytes', bytes: new TextEncoder().encode('<html>') }],
    ['that names a commit leading elsewhere', { kind: 'bytes', bytes: new TextEncoder().encode('{"sha":"../../x"}') }],
    ['that redirects in circles', { kind: 'status', status: 302, headers: { location: '/api/models/org/tiny' } }],
    ['that redirects to a file', { kind: 'status', status: 302, headers: { location: 'file:///etc/passwd' } }],
    ['of an unknown kind', { kind: 'status', status: 418 }],
  ] as const)('gives an answer %s', async (_, how) => {
    const { hub, settings } = await scene([tinyModel()])
    hub.fail({ on: () => true, how })
    expect(await codeOf(openRepo('org/tiny', { settings }))).toBe('hub.server')
  })

  test('follows a renamed repository', async () => {
    const { hub, settings } = await scene([tinyModel(weights, { name: 'neworg/tiny' })])
    hub.fail({
      on: ({ path }) => path.startsWith('/api/models/org/'),
      how: { kind: 'status', status: 307, headers: { location: '/api/models/neworg/tiny/revision/main' } },
    })
    hub.fail({
      on: ({ path }) => path.startsWith('/org/'),
      how: { kind: 'status', status: 307, headers: { location: `/neworg/tiny/resolve/${commit}/model.safetensors` } },
    })
    const files = await openRepo('org/tiny', { settings })
    expect(await sameBytes(await files.local('model.safetensors'), weights)).toBe(true)
  })

  test('whose file descriptions are not those of a hub is not believed', async () => {
    const { hub, settings } = await scene([tinyModel()])
    const files = await openRepo('org/tiny', { settings })
    for (const headers of [{ 'x-repo-commit': null }, { etag: null }, { etag: '"../../evil"' }]) {
      hub.heal()
      hub.fail({ on: ({ method }) => method === 'HEAD', how: { kind: 'headers', headers } })
      expect(await codeOf(files.local('config.json'))).toBe('hub.server')
    }
  })
})
