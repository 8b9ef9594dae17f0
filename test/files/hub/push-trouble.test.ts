import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pythonRandom } from '#platform/random'
import { openRepo, type PushOptions } from '#files/hub'
import { hoursAgo } from '../../ages.ts'
import { until } from '../../until.ts'
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
import { brisk, codeOf, faultOf, noise, scratch, tinyModel } from './scene.ts'
import type { SeenRequest } from './server.ts'
import type { Uploads } from './upload-server.ts'

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
    await pushed('org/new', await folderOf({ 'w.bin': long }), {
      settings: { ...here.settings, patience: { ...brisk, stallSeconds: 0.3 } },
    })
    expect(here.uploads.arrivals).toEqual([sha256(long)])
  })

  test('a connection that is always cut is given up, and the next push sends only the rest', async () => {
    const here = await place()
    const folder = await folderOf(model)
    const size = (request: SeenRequest): number => Number(request.headers['content-length'])
    here.hub.fail({
      on: (request) => isStore(request) && size(request) === weights.byteLength,
      how: { kind: 'cut-upload', after: 200_000 },
    })
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
    const onProgress: NonNullable<PushOptions['onProgress']> = ({ stage }) =>
      void (stage.startsWith('upload') && utimes(join(folder, 'config.json'), 1, 1))
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
    here.hub.fail({
      on: ({ path }) => path.includes('/part/') && path.includes('/3?'),
      times: 2,
      how: { kind: 'cut-upload', after: 30_000 },
    })
    await pushed('org/new', await folderOf({ 'w.bin': weights }), { settings: here.settings })
    expect(partsOf(here.uploads).toSorted()).toEqual(['1', '2', '3', '4', '5'])
    expect(here.hub.requests.filter(isStore)).toHaveLength(7)
  })

  test('goes on with the parts that are there when the push is started again', async () => {
    const here = await place([], parts)
    const stateFolder = await scratch()
    const folder = await folderOf({ 'w.bin': weights })
    here.hub.fail({
      on: ({ path }) => path.includes('/part/') && path.includes('/4?'),
      // the other parts come first: one that is under way may arrive, and be sent again
      how: { kind: 'status', status: 500, until: () => until(() => here.uploads.arrivals.length === 4) },
    })
    expect(await codeOf(pushed('org/new', folder, { settings: here.settings, stateFolder }))).toBe('hub.server')
    const before = [...here.uploads.arrivals]
    here.hub.heal()
    const { sentBytes } = await pushed('org/new', folder, { settings: here.settings, stateFolder })
    expect(partsOf(here.uploads).toSorted()).toEqual(['1', '2', '3', '4', '5'])
    expect([before.length, sentBytes]).toEqual([4, 64_000])
    expect(await held(here, 'org/new')).toEqual(hashes({ 'w.bin': weights }))
    expect(JSON.parse(await readFile(join(stateFolder, (await readdir(stateFolder))[0] ?? ''), 'utf8'))).toMatchObject({
      uploads: {},
    })
  })

  test('begins anew when the store has forgotten the parts', async () => {
    const first = await place([], parts)
    const stateFolder = await scratch()
    const folder = await folderOf({ 'w.bin': weights })
    first.hub.fail({
      on: ({ path }) => path.includes('/part/') && path.includes('/4?'),
      how: { kind: 'status', status: 500 },
    })
    expect(await codeOf(pushed('org/new', folder, { settings: first.settings, stateFolder }))).toBe('hub.server')
    first.hub.heal()
    // every address of the first layout is answered as an expired one
    const stale = first.hub.requests.filter(isStore).map(({ path }) => path.split('/')[2] ?? '')
    first.hub.fail({
      on: ({ path }) => stale.some((upload) => path.includes(upload)),
      how: { kind: 'status', status: 403 },
    })
    await pushed('org/new', folder, { settings: first.settings, stateFolder })
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
    const stateFolder = await scratch()
    const large = Buffer.concat([new Uint8Array(8), noise(1_500_000, 6)])
    const folder = await folderOf({ 'w.bin': large })
    const read = async (): Promise<boolean> => {
      let hashed = false
      const onProgress: NonNullable<PushOptions['onProgress']> = ({ stage }) => void (hashed ||= stage === 'hash')
      await pushed('org/new', folder, { settings: here.settings, stateFolder, onProgress })
      return hashed
    }
    // a file changed just now, or later, could change again within the same tick of the clock: its hash is not kept
    const later = hoursAgo(-1) / 1000
    await utimes(join(folder, 'w.bin'), later, later)
    expect([await read(), await read()]).toEqual([true, true])
    const earlier = hoursAgo(1) / 1000
    await utimes(join(folder, 'w.bin'), earlier, earlier)
    await until(async () => !(await read()), { milliseconds: 200 })
    large[20] = (large[20] ?? 0) + 1
    await writeFile(join(folder, 'w.bin'), large)
    expect(await read()).toBe(true)
    expect(await held(here, 'org/new')).toEqual(hashes({ 'w.bin': large }))
  })
})

describe('two pushes at once', () => {
  test('of different folders to one repository both arrive', async () => {
    const here = await place([tinyModel()])
    const [a, b] = [
      await folderOf({ 'a.txt': 'a', 'w.bin': weights }),
      await folderOf({ 'b.txt': 'b', 'v.bin': small }),
    ]
    here.hub.fail({ on: isCommit, times: 1, how: { kind: 'status', status: 412 } })
    await Promise.all([
      pushed('org/tiny', a, { settings: here.settings }),
      pushed('org/tiny', b, { settings: here.settings }),
    ])
    expect(await held(here, 'org/tiny')).toMatchObject(
      hashes({ 'a.txt': 'a', 'b.txt': 'b', 'w.bin': weights, 'v.bin': small }),
    )
  })

  test('of the same folder to a repository that is not there yet', async () => {
    const here = await place()
    const folder = await folderOf(model)
    const stateFolder = await scratch()
    await Promise.all([
      pushed('org/new', folder, { settings: here.settings, stateFolder }),
      pushed('org/new', folder, { settings: here.settings, stateFolder }),
    ])
    expect(await held(here, 'org/new')).toEqual(hashes(model))
  })
})
