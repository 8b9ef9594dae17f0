import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hubSettings } from '#files/hub'
import { installCuda } from '#files/packages'
import { type CudaWheel, cudaVersion, cudaWheels, placeIn } from '../../../src/files/packages/cuda-wheels.ts'
import { zip } from '../formats/made-files.ts'

const settings = {
  ...hubSettings({}),
  patience: { ...hubSettings({}).patience, retries: 1, firstSeconds: 0.01, longestSeconds: 0.01 },
}
const library = `before\0libonnxruntime.so.1\0VERS_${cudaVersion}`
const wheel = (name: string, needed: RegExp, members: Record<string, string>): CudaWheel & { bytes: Buffer } => {
  const bytes = zip(Object.entries(members).map(([member, text]) => ({ name: member, bytes: Buffer.from(text) })))
  const file = `${name}-1-py3-none-any.whl`
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { name, version: '1', needed, licence: 'MIT', byteLength: bytes.length, wheel: { file, sha256 }, bytes }
}
const wheels = [
  wheel('engine', /^lib(?:onnxruntime\.so\.1\.30\.0|provider\.so)$/, {
    'onnxruntime/capi/libonnxruntime.so.1.30.0': library,
    'onnxruntime/capi/libprovider.so': 'the provider',
    'onnxruntime/capi/libother.so': 'not wanted',
    'onnxruntime/LICENSE': 'MIT',
  }),
  wheel('maths', /^libmaths\.so\.13$/, {
    'nvidia/lib/libmaths.so.13': 'products',
    'maths-1.dist-info/licenses/License.txt': 'EULA',
  }),
]

let home: string
let server: Server
let index: string
let pages: Record<string, Buffer | string>
let asked: string[]
let engine: { version: string; binding: string; cudaLibrary: string }

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'strata-cuda-'))
  pages = Object.fromEntries(
    wheels.flatMap(({ name, wheel: { file }, bytes }) => [
      [`/simple/${name}/`, `<a href="../../files/${file}">it</a>`],
      [`/files/${file}`, bytes],
    ]),
  )
  asked = []
  server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const type = url.startsWith('/simple') ? 'text/html' : 'application/octet-stream'
    response.writeHead(pages[url] === undefined ? 404 : 200, { 'content-type': type }).end(pages[url])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  index = `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`
  await mkdir(join(home, 'package'))
  engine = {
    version: cudaVersion,
    binding: join(home, 'package', 'onnxruntime_binding.node'),
    cudaLibrary: 'libonnxruntime-gpu1',
  }
  await writeFile(engine.binding, 'needs\0libonnxruntime.so.1\0and others')
})

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  await rm(home, { recursive: true })
})

const cuda = () => join(home, 'cuda')
const install = (more: Parameters<typeof installCuda>[2] = {}) =>
  installCuda(cuda(), engine, { index, wheels, settings, ...more })

describe('the libraries', () => {
  test('of all wheels come into one folder, with the licences and a binding that asks for the library by its new name', async () => {
    const planned: string[] = []
    const bytes: number[] = []
    const installed = await install({
      onPlan: (plan) => planned.push(...plan.map(({ name }) => name)),
      onBytes: (done, total) => bytes.push(done, total),
    })
    expect(installed).toEqual({ folder: join(cuda(), cudaVersion), version: cudaVersion, fetched: true })
    expect(await readdir(cuda())).toEqual([cudaVersion])
    const read = (file: string) => readFile(join(installed.folder, file), 'utf8')
    expect((await readdir(installed.folder, { recursive: true })).toSorted()).toEqual([
      'libmaths.so.13',
      'libonnxruntime-gpu1',
      'libprovider.so',
      'licences',
      'licences/engine-LICENSE',
      'licences/maths-License.txt',
      'onnxruntime_binding.node',
    ])
    expect(await read('libmaths.so.13')).toBe('products')
    expect(await read('libonnxruntime-gpu1')).toBe(library.replace('libonnxruntime.so.1', 'libonnxruntime-gpu1'))
    expect(await read('onnxruntime_binding.node')).toBe('needs\0libonnxruntime-gpu1\0and others')
    expect(await readFile(engine.binding, 'utf8')).toBe('needs\0libonnxruntime.so.1\0and others')
    expect(planned).toEqual(['engine', 'maths'])
    const total = wheels.reduce((sum, { byteLength }) => sum + byteLength, 0)
    expect(bytes.at(-1)).toBe(total)
    expect(bytes.at(-2)).toBe(total)
  })

  test('are not fetched twice', async () => {
    await install()
    const before = asked.length
    expect(await install({ onPlan: () => expect.unreachable() })).toMatchObject({ fetched: false })
    expect(asked.length).toBe(before)
  })

  test('of a wheel that is finished are not fetched again after a failure', async () => {
    const { [`/files/${wheels[1]?.wheel.file}`]: missing = '', ...others } = pages
    pages = others
    await expect(install()).rejects.toMatchObject({ code: 'hub.missing' })
    expect(await readdir(cuda())).toEqual(['parts'])
    pages = { ...pages, [`/files/${wheels[1]?.wheel.file}`]: missing }
    asked = []
    const planned: string[] = []
    await install({ onPlan: (plan) => planned.push(...plan.map(({ name }) => name)) })
    expect(planned).toEqual(['maths'])
    expect(asked.filter((url) => url.includes('engine'))).toEqual([])
    expect(await readdir(cuda())).toEqual([cudaVersion])
  })
})

describe('refused:', () => {
  test('bytes of another hash', async () => {
    pages = { ...pages, [`/files/${wheels[0]?.wheel.file}`]: zip([]) }
    await expect(install()).rejects.toMatchObject({ code: 'hub.integrity' })
    expect(await readdir(cuda(), { recursive: true })).not.toContain(cudaVersion)
  })

  test('another release of the engine', async () => {
    engine = { ...engine, version: '1.31.0' }
    await expect(install()).rejects.toMatchObject({
      code: 'engine.device',
      parts: { seen: '1.31.0', wanted: cudaVersion },
    })
    expect(asked).toEqual([])
  })

  test('a binding that asks for no such library', async () => {
    await writeFile(engine.binding, 'needs nothing')
    await expect(install()).rejects.toMatchObject({ code: 'engine.device', parts: { place: engine.binding } })
    expect(await readdir(cuda())).toEqual(['parts'])
  })

  test('the network switched off', async () => {
    await expect(install({ settings: { ...settings, offline: true } })).rejects.toMatchObject({ code: 'hub.offline' })
    expect(asked).toEqual([])
  })
})

test('a platform without CUDA is refused, and those that have it are named', async () => {
  if (cudaWheels[`${process.platform}-${process.arch}`] !== undefined) return
  await expect(installCuda(cuda(), engine, { index, settings })).rejects.toMatchObject({
    code: 'engine.device',
    parts: { wanted: ['linux-x64'] },
  })
})

describe('the pinned wheels', () => {
  const pinned = Object.values(cudaWheels).flat()

  test.each(pinned)(
    '$name has a release, a hash, a size and a licence',
    ({ name, version, wheel: { file, sha256 }, byteLength, licence }) => {
      expect(file.startsWith(`${name.replaceAll('-', '_')}-${version}-`)).toBe(true)
      expect(sha256).toMatch(/^[0-9a-f]{64}$/)
      expect(byteLength).toBeGreaterThan(1e6)
      expect(licence).toMatch(/\S/)
    },
  )

  test.each([
    ['onnxruntime-gpu', 'onnxruntime/capi/libonnxruntime_providers_cuda.so', 'libonnxruntime_providers_cuda.so'],
    ['onnxruntime-gpu', 'onnxruntime/capi/libonnxruntime.so.1.30.0', 'libonnxruntime.so.1.30.0'],
    ['onnxruntime-gpu', 'onnxruntime/capi/libonnxruntime_providers_tensorrt.so', undefined],
    ['onnxruntime-gpu', 'onnxruntime/ThirdPartyNotices.txt', 'licences/onnxruntime-gpu-ThirdPartyNotices.txt'],
    ['nvidia-cublas', 'nvidia/cu13/lib/libcublasLt.so.13', 'libcublasLt.so.13'],
    ['nvidia-cublas', 'nvidia/cu13/lib/libnvblas.so.13', undefined],
    ['nvidia-cublas', 'nvidia/cu13/include/cublas.h', undefined],
    ['nvidia-cuda-nvrtc', 'nvidia/cu13/lib/libnvrtc-builtins.so.13.2', 'libnvrtc-builtins.so.13.2'],
    ['nvidia-cudnn-cu13', 'nvidia/cudnn/lib/libcudnn_engines_precompiled.so.9', 'libcudnn_engines_precompiled.so.9'],
  ])('of %s: %s → %s', (name, member, place) => {
    const one = pinned.find((each) => each.name === name)
    expect(one && placeIn(one)(member)).toBe(place)
  })
})
