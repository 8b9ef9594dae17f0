import * as fc from 'fast-check'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type HubSettings, openRepo, prefetch } from '#files/hub'
import type { OnProgress, Progress } from '#core'
import { blobName, type Failure, type Hub, type SeenRequest } from './server.ts'
import {
  blobs,
  brisk,
  codeOf,
  commit,
  faultOf,
  noise,
  requested,
  sameBytes,
  type Scene,
  scene,
  tinyModel,
  watch,
} from './scene.ts'

const weights = noise(300_000, 7)
const blob = blobName({ lfs: weights })

const isBody = ({ host, method }: SeenRequest): boolean => host === 'store' && method === 'GET'
const isConfigBody = ({ method, path }: SeenRequest): boolean =>
  method === 'GET' && path.endsWith('/resolve/' + commit + '/config.json')

function bodies(hub: Hub): readonly SeenRequest[] {
  return hub.take().filter(isBody)
}

async function model(settings: HubSettings, onProgress?: OnProgress): Promise<string> {
  return (await openRepo(`org/tiny@${commit}`, { settings, onProgress })).local('model.safetensors')
}

/** A scene with one failure of the weights' download. */
async function failing(how: Failure['how'], times = Infinity): Promise<Scene> {
  const made = await scene([tinyModel(weights)])
  made.hub.fail({ on: isBody, how, times })
  return made
}

describe('a download', () => {
  test('that is cut goes on where it was', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    const { onProgress, reached } = watch()
    hub.fail({ on: isBody, times: 1, how: { kind: 'cut', after: 100_000, until: reached(100_000) } })
    hub.fail({ on: isBody, times: 1, how: { kind: 'cut', after: 100_000, until: reached(200_000) } })
    expect(await sameBytes(await model(settings, onProgress), weights)).toBe(true)
    expect(bodies(hub).map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=100000-', 'bytes=200000-'])
    expect(blobs(cacheFolder)).toEqual([blob])
  })

  test('that is cut again and again without a byte gives up, keeps what it has, and goes on next time', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    const { onProgress, reached } = watch()
    hub.fail({ on: isBody, times: 1, how: { kind: 'cut', after: 120_000, until: reached(120_000) } })
    hub.fail({ on: isBody, how: { kind: 'cut', after: 0 } })
    expect(await codeOf(model(settings, onProgress))).toBe('hub.network')
    expect(existsSync(join(cacheFolder, 'models--org--tiny/snapshots', commit, 'model.safetensors'))).toBe(false)
    expect(blobs(cacheFolder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\..*\.incomplete$/)])
    expect(bodies(hub)).toHaveLength(1 + 1 + brisk.retries)
    hub.heal()
    expect(await sameBytes(await model(settings), weights)).toBe(true)
    const [last] = bodies(hub)
    expect([last?.headers.range, last?.sent]).toEqual(['bytes=120000-', 180_000])
    expect(blobs(cacheFolder)).toEqual([blob])
  })

  test('that loses a little each time succeeds all the same: gaining bytes makes the count of tries start anew', async () => {
    const { hub, settings } = await scene([tinyModel(weights)])
    const { onProgress, reached } = watch()
    for (let part = 1; part < 30; part++)
      hub.fail({ on: isBody, times: 1, how: { kind: 'cut', after: 10_000, until: reached(part * 10_000) } })
    expect(await sameBytes(await model(settings, onProgress), weights)).toBe(true)
    expect(bodies(hub)).toHaveLength(30)
  })

  test('that stands still is cut and goes on', async () => {
    const { hub, settings } = await failing({ kind: 'stall', after: 50_000 }, 1)
    const impatient = { ...settings, patience: { ...brisk, stallSeconds: 0.3 } }
    expect(await sameBytes(await model(impatient), weights)).toBe(true)
    expect(bodies(hub).map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=50000-'])
  })

  test('that stands still for good is a fault of the network', async () => {
    const { settings } = await failing({ kind: 'stall', after: 0 })
    const fault = await faultOf(model({ ...settings, patience: { ...brisk, retries: 1, stallSeconds: 0.1 } }))
    expect(fault?.code).toBe('hub.network')
    expect(fault?.message).toContain('the transfer stands still – nothing for 0.1 s')
  })

  test('whose answer does not come is a fault of the network', async () => {
    const { hub, settings } = await scene([tinyModel(weights)])
    const never = new Promise<void>(() => undefined)
    hub.fail({ on: () => true, how: { kind: 'silence', until: never } })
    const fault = await faultOf(model({ ...settings, patience: { ...brisk, retries: 1, answerSeconds: 0.1 } }))
    expect(fault?.code).toBe('hub.network')
    expect(fault?.message).toContain('no answer – nothing for 0.1 s')
  })

  test('starts anew when the server ignores ranges', async () => {
    const { hub, settings } = await scene([tinyModel(weights)])
    const { onProgress, reached } = watch()
    hub.fail({ on: isBody, times: 1, how: { kind: 'cut', after: 100_000, until: reached(100_000) } })
    hub.fail({ on: isBody, how: { kind: 'no-range' } })
    expect(await sameBytes(await model(settings, onProgress), weights)).toBe(true)
    expect(bodies(hub).map(({ status, sent }) => [status, sent])).toEqual([
      [200, 100_000],
      [200, 300_000],
    ])
  })

  test.each(['bytes 0-199999/300000', 'bytes 100000-299999/9', 'bytes */300000', 'nonsense', null])(
    'starts anew when the server lies about its range: %s',
    async (value) => {
      const { hub, settings } = await scene([tinyModel(weights)])
      const { onProgress, reached } = watch()
      hub.fail({ on: isBody, times: 1, how: { kind: 'cut', after: 100_000, until: reached(100_000) } })
      hub.fail({ on: isBody, times: 1, how: { kind: 'headers', headers: { 'content-range': value } } })
      expect(await sameBytes(await model(settings, onProgress), weights)).toBe(true)
      expect(bodies(hub).map(({ headers, status }) => [headers.range, status])).toEqual([
        [undefined, 200],
        ['bytes=100000-', 206],
        [undefined, 200],
      ])
    },
  )

  test('starts anew when the range is refused', async () => {
    const { hub, settings } = await scene([tinyModel(weights)])
    const { onProgress, reached } = watch()
    hub.fail({ on: isBody, times: 1, how: { kind: 'cut', after: 100_000, until: reached(100_000) } })
    hub.fail({ on: isBody, times: 1, how: { kind: 'status', status: 416 } })
    expect(await sameBytes(await model(settings, onProgress), weights)).toBe(true)
    expect(bodies(hub).map(({ status }) => status)).toEqual([200, 416, 200])
  })

  test('of a file in git is continued only while it is the same file', async () => {
    const { hub, settings } = await scene([
      tinyModel(weights, { commits: { [commit]: { 'config.json': noise(1000, 3) } } }),
    ])
    const { onProgress, reached } = watch()
    hub.fail({ on: isConfigBody, times: 1, how: { kind: 'cut', after: 300, until: reached(300) } })
    await (await openRepo('org/tiny', { settings, onProgress })).local('config.json')
    const [first, second] = hub.take().filter(isConfigBody)
    expect(first?.headers['if-range']).toBeUndefined()
    expect([second?.headers.range, second?.headers['if-range'], second?.status]).toEqual([
      'bytes=300-',
      `"${blobName(noise(1000, 3))}"`,
      206,
    ])
  })

  test.each([429, 500, 502, 503])('meets %i and tries again', async (status) => {
    const { hub, settings } = await failing({ kind: 'status', status }, 2)
    expect(await sameBytes(await model(settings), weights)).toBe(true)
    expect(bodies(hub)).toHaveLength(3)
  })

  test.each([
    [401, 'hub.denied', 1],
    [403, 'hub.denied', 1],
    [404, 'hub.missing', 1],
    [429, 'hub.busy', 1 + brisk.retries],
    [500, 'hub.server', 1 + brisk.retries],
    [503, 'hub.server', 1 + brisk.retries],
  ] as const)('that always meets %i is %s after %i requests', async (status, code, requests) => {
    const { hub, cacheFolder, settings } = await failing({ kind: 'status', status })
    expect(await codeOf(model(settings))).toBe(code)
    expect(bodies(hub)).toHaveLength(requests)
    expect(blobs(cacheFolder)).toEqual([])
  })

  test('of no bytes is an empty file', async () => {
    const { settings } = await scene([
      tinyModel(weights, { commits: { [commit]: { empty: '', 'empty.bin': { lfs: new Uint8Array() } } } }),
    ])
    const files = await openRepo('org/tiny', { settings })
    expect(await files.bytes('empty')).toEqual(new Uint8Array())
    expect(await files.bytes('empty.bin')).toEqual(new Uint8Array())
  })

  test('asks for names with every kind of character as they are', async () => {
    const name = 'a folder/ünï#?%&=+ 名.txt'
    const { settings } = await scene([tinyModel(weights, { commits: { [commit]: { [name]: 'here' } } })])
    expect(await (await openRepo('org/tiny', { settings })).text(name)).toBe('here')
  })

  test('without a size from the hub is measured by its hash', async () => {
    const { hub, settings } = await scene([tinyModel(weights)])
    hub.fail({ on: ({ method }) => method === 'HEAD', how: { kind: 'headers', headers: { 'x-linked-size': null } } })
    expect(await sameBytes(await model(settings), weights)).toBe(true)
  })

  test('stopped by its signal is cancelled and goes on next time', async () => {
    const { hub, cacheFolder, settings } = await failing({ kind: 'stall', after: 150_000 }, 1)
    const stop = new AbortController()
    const files = await openRepo(`org/tiny@${commit}`, {
      settings,
      signal: stop.signal,
      onProgress: ({ done }) => {
        if (done === 150_000) stop.abort()
      },
    })
    expect(await codeOf(files.local('model.safetensors'))).toBe('run.cancelled')
    expect(readdirSync(join(cacheFolder, '.locks/models--org--tiny'))).toEqual([])
    hub.take()
    expect(await sameBytes(await model(settings), weights)).toBe(true)
    expect(bodies(hub)[0]?.headers.range).toBe('bytes=150000-')
  })

  test('reports bytes of the file and its size', async () => {
    const { settings } = await scene([tinyModel(weights)])
    const seen: Progress[] = []
    await (
      await openRepo('org/tiny', { settings, onProgress: (progress) => seen.push(progress) })
    ).local('model.safetensors')
    expect(seen[0]).toEqual({ stage: 'download model.safetensors', done: 0, total: 300_000, unit: 'bytes' })
    expect(seen.at(-1)?.done).toBe(300_000)
    expect(seen.every(({ done }, i) => i === 0 || done >= (seen[i - 1]?.done ?? 0))).toBe(true)
  })

  test('into a folder that cannot be written to says so', async () => {
    const { settings, cacheFolder } = await scene([tinyModel(weights)])
    await mkdir(join(cacheFolder, '..'), { recursive: true })
    await writeFile(cacheFolder, 'a file where the cache should be')
    const fault = await faultOf(model(settings))
    expect(fault?.code).toBe('file.write')
    expect(fault?.hint).toContain('HF_HOME')
  })
})

describe('bytes that are not those of the repository', () => {
  const other = noise(300_000, 8)

  test('are refused and removed', async () => {
    const { hub, cacheFolder, settings } = await failing({ kind: 'bytes', bytes: other })
    const fault = await faultOf(model(settings))
    expect(fault?.code).toBe('hub.integrity')
    expect(fault?.parts.wanted).toBe(blob)
    expect(fault?.parts.seen).toBe(blobName({ lfs: other }))
    expect(blobs(cacheFolder)).toEqual([])
    expect(existsSync(join(cacheFolder, 'models--org--tiny/snapshots'))).toBe(false)
    expect(bodies(hub)).toHaveLength(1)
  })

  test('are noticed in files of git, too', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    hub.fail({ on: isConfigBody, how: { kind: 'bytes', bytes: new TextEncoder().encode('{"model_type":"bart"}') } })
    expect(await codeOf((await openRepo('org/tiny', { settings })).local('config.json'))).toBe('hub.integrity')
    expect(blobs(cacheFolder)).toEqual([])
  })

  test.each([
    ['fewer', weights.subarray(0, 299_000)],
    ['more', noise(301_000, 7)],
    ['none', new Uint8Array()],
  ])('because they are %s are refused', async (_, bytes) => {
    const { cacheFolder, settings } = await failing({ kind: 'bytes', bytes })
    const fault = await faultOf(model(settings))
    expect(fault?.code).toBe('hub.integrity')
    expect(fault?.parts.wanted).toBe('300000 bytes')
    expect(blobs(cacheFolder)).toEqual([])
  })

  test('of a wrong announced size are refused', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    for (const size of ['299999', '300001']) {
      hub.heal()
      hub.fail({ on: ({ method }) => method === 'HEAD', how: { kind: 'headers', headers: { 'x-linked-size': size } } })
      expect(await codeOf(model(settings))).toBe('hub.integrity')
    }
    expect(blobs(cacheFolder)).toEqual([])
  })

  test('in an old beginning cost one more download, not the file', async () => {
    const { hub, cacheFolder, settings } = await scene([tinyModel(weights)])
    await mkdir(join(cacheFolder, 'models--org--tiny/blobs'), { recursive: true })
    await writeFile(join(cacheFolder, 'models--org--tiny/blobs', `${blob}.incomplete`), other.subarray(0, 80_000))
    expect(await sameBytes(await model(settings), weights)).toBe(true)
    expect(bodies(hub).map(({ headers }) => headers.range)).toEqual(['bytes=80000-', undefined])
  })

  test('joined from two transfers that do not fit are fetched whole once, then refused', async () => {
    const { hub, settings } = await scene([tinyModel(weights)])
    const { onProgress, reached } = watch()
    hub.fail({ on: isBody, times: 1, how: { kind: 'cut', after: 50_000, until: reached(50_000) } })
    hub.fail({ on: isBody, how: { kind: 'bytes', bytes: other } })
    expect(await codeOf(model(settings, onProgress))).toBe('hub.integrity')
    expect(bodies(hub).map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=50000-', undefined])
  })
})

describe('what an earlier attempt left', () => {
  async function withLeftover(name: string, length: number): Promise<Scene & { leftover: string }> {
    const made = await scene([tinyModel(weights)])
    const folder = join(made.cacheFolder, 'models--org--tiny/blobs')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, name), weights.subarray(0, length))
    return { ...made, leftover: join(folder, name) }
  }

  test.each([`${blob}.incomplete`, `${blob}.released-0a1b2c3d.incomplete`, `${blob}.deadbeef-1-0a1b2c3d.incomplete`])(
    'as %s is continued, then gone',
    async (name) => {
      const { hub, cacheFolder, settings } = await withLeftover(name, 200_000)
      expect(await sameBytes(await model(settings), weights)).toBe(true)
      expect(bodies(hub).map(({ headers }) => headers.range)).toEqual(['bytes=200000-'])
      expect(blobs(cacheFolder)).toEqual([blob])
    },
  )

  test('whole needs no byte more', async () => {
    const { hub, settings } = await withLeftover(`${blob}.incomplete`, 300_000)
    expect(await sameBytes(await model(settings), weights)).toBe(true)
    expect(bodies(hub)).toEqual([])
  })

  test('longer than the file is not used', async () => {
    const { hub, settings, leftover } = await withLeftover(`${blob}.incomplete`, 300_000)
    await truncate(leftover, 300_001)
    expect(await sameBytes(await model(settings), weights)).toBe(true)
    expect(bodies(hub).map(({ headers }) => headers.range)).toEqual([undefined])
  })

  test('that another program still writes to is copied, never written to or removed', async () => {
    const { hub, settings, leftover } = await withLeftover(`${blob}.incomplete`, 100_000)
    const growing = requested(hub, isBody).then(() => writeFile(leftover, weights.subarray(0, 110_000)))
    hub.fail({ on: isBody, times: 1, how: { kind: 'stall', after: 0, until: growing } })
    expect(await sameBytes(await model(settings), weights)).toBe(true)
    expect(Buffer.compare(readFileSync(leftover), weights.subarray(0, 110_000))).toBe(0)
  })

  test('by a process that lives is not touched', async () => {
    const { hub, settings } = await scene([tinyModel(weights)])
    // the first download stands still, so that its partial file is there and in use
    const first = new AbortController()
    hub.fail({ on: isBody, times: 1, how: { kind: 'stall', after: 100_000 } })
    // its beat is slow: on a busy machine the other one would otherwise see it live until the stalled body is given up
    const slow = { ...settings, patience: { ...brisk, beatSeconds: 600 } }
    const waiting = openRepo(`org/tiny@${commit}`, { settings: slow, signal: first.signal }).then((files) =>
      codeOf(files.local('model.safetensors')),
    )
    await requested(hub, isBody)
    await writeFile(
      join(settings.cacheFolder, '.locks/models--org--tiny', `${blob}.strata.lock`),
      'deadbeef-1-00000000',
    ) // as if the lock were stolen
    const second = await model({ ...settings, patience: { ...brisk, beatSeconds: 0.02 } })
    expect(await sameBytes(second, weights)).toBe(true)
    expect(bodies(hub).map(({ headers }) => headers.range)).toEqual([undefined, undefined])
    expect(blobs(settings.cacheFolder).filter((name) => name.endsWith('.incomplete'))).toHaveLength(1)
    first.abort()
    expect(await waiting).toBe('run.cancelled')
    expect(await sameBytes(second, weights)).toBe(true)
  })
})

describe('prefetch', () => {
  const spec = tinyModel(weights, {
    commits: {
      [commit]: {
        'a.json': '{"a":1}',
        'b.bin': { lfs: noise(200_000, 2) },
        'c.bin': { lfs: noise(100_000, 3) },
        'd.bin': { lfs: noise(5, 4) },
      },
    },
  })

  test('brings only the named files, once each, and counts their bytes', async () => {
    const { hub, cacheFolder, settings } = await scene([spec])
    const files = await openRepo('org/tiny', { settings })
    await files.local('a.json')
    hub.take()
    const seen: Progress[] = []
    await prefetch(files, ['a.json', 'b.bin', 'c.bin', './c.bin'], { onProgress: (progress) => seen.push(progress) })
    expect(bodies(hub)).toHaveLength(2)
    expect(seen.at(-1)).toEqual({ stage: 'download org/tiny', done: 300_000, total: 300_000, unit: 'bytes' })
    expect(seen.every(({ total }) => total === 300_000)).toBe(true)
    expect(readdirSync(join(cacheFolder, 'models--org--tiny/snapshots', commit)).sort()).toEqual([
      'a.json',
      'b.bin',
      'c.bin',
    ])
    hub.take()
    await prefetch(files, ['a.json', 'b.bin', 'c.bin'])
    expect(hub.take()).toEqual([])
  })

  test('fetches nothing if one of the files does not exist', async () => {
    const { hub, settings } = await scene([spec])
    expect(await codeOf(prefetch(await openRepo('org/tiny', { settings }), ['b.bin', 'none.bin']))).toBe('hub.missing')
    expect(bodies(hub)).toEqual([])
  })

  test('stops the others when one fails, throws that fault, and keeps what came in', async () => {
    const { hub, cacheFolder, settings } = await scene([spec])
    hub.fail({
      on: ({ path }) => path.includes(blobName({ lfs: noise(200_000, 2) })),
      how: { kind: 'stall', after: 150_000 },
    })
    hub.fail({
      on: ({ path }) => path.includes(blobName({ lfs: noise(100_000, 3) })),
      how: { kind: 'status', status: 403 },
    })
    expect(await codeOf(prefetch(await openRepo('org/tiny', { settings }), ['b.bin', 'c.bin']))).toBe('hub.denied')
    expect(blobs(cacheFolder).every((name) => name.endsWith('.incomplete'))).toBe(true)
  })

  test('has never more downloads under way than allowed', async () => {
    const { hub, settings } = await scene([spec])
    await prefetch(await openRepo('org/tiny', { settings }), ['b.bin', 'c.bin', 'd.bin'], { concurrency: 1 })
    const order = hub.requests
      .filter(({ method }) => method === 'HEAD' || method === 'GET')
      .map(({ method, host }) => `${method} ${host}`)
    expect(order).toEqual([
      'GET hub',
      'HEAD hub',
      'HEAD hub',
      'HEAD hub',
      'GET hub',
      'GET store',
      'GET hub',
      'GET store',
      'GET hub',
      'GET store',
    ])
    expect(await codeOf(prefetch(await openRepo('org/tiny', { settings }), ['b.bin'], { concurrency: 0 }))).toBe(
      'usage.value',
    )
  })

  test('stops by its signal', async () => {
    const { settings } = await scene([spec])
    expect(
      await codeOf(prefetch(await openRepo('org/tiny', { settings }), ['b.bin'], { signal: AbortSignal.abort() })),
    ).toBe('run.cancelled')
  })

  test('brings two files of the same contents', async () => {
    const twin = { lfs: noise(1000, 5) }
    const { cacheFolder, settings } = await scene([
      tinyModel(weights, { commits: { [commit]: { 'x.bin': twin, 'y.bin': twin } } }),
    ])
    const files = await openRepo('org/tiny', { settings })
    await prefetch(files, ['x.bin', 'y.bin'])
    expect(await files.local('x.bin')).toBe(await files.local('y.bin'))
    expect(blobs(cacheFolder)).toEqual([blobName(twin)])
  })
})

test('however often and wherever a transfer is cut, the file is whole in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 5000 }),
      fc.boolean(),
      fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 3 }),
      async (length, lfs, cuts) => {
        const bytes = noise(length, 11)
        const { hub, settings } = await scene([
          tinyModel(weights, { commits: { [commit]: { file: lfs ? { lfs: bytes } : bytes } } }),
        ])
        const on = ({ method, host }: SeenRequest): boolean => method === 'GET' && host === (lfs ? 'store' : 'hub')
        for (const after of cuts) hub.fail({ on, times: 1, how: { kind: 'cut', after } })
        const files = await openRepo(`org/tiny@${commit}`, { settings })
        expect(await sameBytes(await files.local('file'), bytes)).toBe(true)
      },
    ),
    { seed: 5, numRuns: 60 },
  )
})
