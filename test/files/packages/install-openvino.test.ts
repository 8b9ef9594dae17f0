import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hubSettings } from '#files/hub'
import { installOpenVino } from '#files/packages'
import { isNeeded, openVinoVersion, openVinoWheels } from '../../../src/files/packages/openvino-wheels.ts'
import { zip } from '../formats/made-files.ts'

const file = 'openvino-1-py3-none-any.whl'
const members = [
  { name: 'openvino/libs/libopenvino_c.so.1', bytes: Buffer.from('the C API'), deflate: true },
  { name: 'openvino/libs/libtbb.so.12', bytes: Buffer.from('threads') },
  { name: 'openvino/libs/libopenvino_intel_gpu_plugin.so', bytes: Buffer.from('not wanted') },
  { name: 'openvino/__init__.py', bytes: Buffer.from('not wanted') },
]
const wheelBytes = zip(members)
const sha256 = createHash('sha256').update(wheelBytes).digest('hex')
const settings = {
  ...hubSettings({}),
  patience: { ...hubSettings({}).patience, retries: 1, firstSeconds: 0.01, longestSeconds: 0.01 },
}

let home: string
let server: Server
let index: string
/** What the index answers by path; and what it was asked with. */
let pages: Record<string, { type?: string; body: string | Buffer }>
let asked: { url: string; authorization: string | undefined }[]

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'strata-packages-'))
  pages = { [`/files/${file}`]: { body: wheelBytes } }
  asked = []
  server = createServer(({ url = '', headers }, response) => {
    asked.push({ url, authorization: headers.authorization })
    const page = pages[url]
    response
      .writeHead(page === undefined ? 404 : 200, { 'content-type': page?.type ?? 'application/octet-stream' })
      .end(page?.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  index = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`
})

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(home, { recursive: true })
})

const html = (link: string) => ({
  type: 'text/html',
  body: `<html><a href="../../files/other.whl#sha256=0">other</a> <a rel='x' href='${link}'>it</a></html>`,
})
const json = (url: string) => ({
  type: 'application/vnd.pypi.simple.v1+json',
  body: JSON.stringify({ files: [{ url: 3 }, null, { filename: file, url }] }),
})
const install = (more = {}) => installOpenVino(home, { index, wheel: { file, sha256 }, settings, ...more })

describe('the libraries that are needed', () => {
  test.each([
    ['an index of HTML pages', html(`../../files/${file}#sha256=${sha256}`)],
    ['an index that answers in JSON', json(`../../files/${file}`)],
  ])('come from %s into a folder of their own, and nothing else', async (_, page) => {
    pages['/simple/openvino/'] = page
    expect(await install()).toEqual({ folder: join(home, openVinoVersion), version: openVinoVersion, fetched: true })
    expect(await readdir(home)).toEqual([openVinoVersion])
    expect((await readdir(join(home, openVinoVersion))).toSorted()).toEqual(['libopenvino_c.so.1', 'libtbb.so.12'])
    expect(await readFile(join(home, openVinoVersion, 'libopenvino_c.so.1'), 'utf8')).toBe('the C API')
  })

  test('are not fetched twice', async () => {
    pages['/simple/openvino/'] = html(`../../files/${file}`)
    await install()
    const before = asked.length
    expect(await install()).toMatchObject({ fetched: false })
    expect(asked.length).toBe(before)
  })

  test('are asked for without the token of the hub', async () => {
    pages['/simple/openvino/'] = html(`../../files/${file}`)
    await install({ settings: { ...settings, endpoint: index.replace('/simple', ''), token: () => 'hf_secret' } })
    expect(asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
  })
})

describe('refused, with nothing left behind:', () => {
  test.each([
    ['bytes of another hash', { [`/files/${file}`]: { body: zip([]) } }, 'hub.integrity'],
    [
      'an index without the file',
      { '/simple/openvino/': { type: 'text/html', body: '<a href="x.whl">x</a>' } },
      'hub.missing',
    ],
    ['a wheel that is not there', { [`/files/${file}`]: undefined }, 'hub.missing'],
    ['an index that is none', { '/simple/openvino/': undefined }, 'hub.missing'],
  ])('%s', async (_, changed, code) => {
    pages = { '/simple/openvino/': html(`../../files/${file}`), ...pages, ...changed } as typeof pages
    await expect(install()).rejects.toMatchObject({ code })
    expect(await readdir(home)).toEqual([])
  })

  test('a wheel without libraries', async () => {
    const other = zip([{ name: 'openvino/libs/readme.txt', bytes: Buffer.from('no libraries') }])
    pages = { '/simple/openvino/': html(`../../files/${file}`), [`/files/${file}`]: { body: other } }
    await expect(
      install({ wheel: { file, sha256: createHash('sha256').update(other).digest('hex') } }),
    ).rejects.toMatchObject({ code: 'format.zip' })
    expect(await readdir(home)).toEqual([])
  })

  test('the network switched off', async () => {
    await expect(install({ settings: { ...settings, offline: true } })).rejects.toMatchObject({ code: 'hub.offline' })
    expect(asked).toEqual([])
  })
})

test('every platform has one file of the release and a hash', () => {
  for (const wheel of Object.values(openVinoWheels)) {
    expect(wheel.file.startsWith(`openvino-${openVinoVersion}-`)).toBe(true)
    expect(wheel.sha256).toMatch(/^[0-9a-f]{64}$/)
  }
})

test.each([
  ['libopenvino.so.2640', true],
  ['libopenvino_c.so.2640', true],
  ['libopenvino_onnx_frontend.so.2640', true],
  ['libopenvino_intel_cpu_plugin.so', true],
  ['libopenvino_arm_cpu_plugin.so', true],
  ['libtbb.so.12', true],
  ['libtbbbind_2_5.so.3', true],
  ['libtbbmalloc.so.2', true],
  ['libhwloc.so.15', true],
  ['libopenvino.2640.dylib', true],
  ['libtbb.12.dylib', true],
  ['openvino_c.dll', true],
  ['tbb12.dll', true],
  ['libopenvino_intel_gpu_plugin.so', false],
  ['libopenvino_pytorch_frontend.so.2640', false],
  ['cache.json', false],
])('%s is needed: %s', (name, needed) => {
  expect(isNeeded(`openvino/libs/${name}`)).toBe(needed)
  expect(isNeeded(`elsewhere/${name}`)).toBe(false)
})
