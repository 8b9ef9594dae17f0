import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Fault, FaultParts } from '#core'
import { openVinoHome } from '#platform/runtime'
import { findOpenVino } from '../../../src/platform/runtime/openvino-places.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'strata-places-'))
})
afterEach(() => rm(folder, { recursive: true }))

const file = { linux: 'libopenvino_c.so.2640', darwin: 'libopenvino_c.2640.dylib', win32: 'openvino_c.dll' }[
  process.platform as 'linux'
]

async function put(...parts: string[]): Promise<string> {
  const path = join(folder, ...parts)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, '')
  return path
}

/** An environment in which nothing but the folder of this test counts. */
const environment = (more: Record<string, string> = {}) => ({ PATH: '', STRATA_CACHE: join(folder, 'cache'), ...more })

test('named by folder, by file, by the folder of a Python environment', async () => {
  const library = await put('site-packages', 'openvino', 'libs', file)
  for (const named of [
    library,
    dirname(library),
    join(folder, 'site-packages'),
    join(folder, 'site-packages', 'openvino'),
  ])
    expect(findOpenVino(environment({ STRATA_OPENVINO: named }))).toBe(library)
})

test('the one that was named, then the newest that was fetched, then one of an active Python environment', async () => {
  const python = await put(
    'venv',
    ...(process.platform === 'win32' ? ['Lib'] : ['lib', 'python3.12']),
    'site-packages',
    'openvino',
    'libs',
    file,
  )
  const active = environment({ VIRTUAL_ENV: join(folder, 'venv') })
  expect(findOpenVino(active)).toBe(python)
  await put('cache', 'openvino', '2026.4.0', file)
  const newest = await put('cache', 'openvino', '2026.10.0', file)
  await put('cache', 'openvino', '2026.11.0.partial', file)
  expect(openVinoHome(active)).toBe(join(folder, 'cache', 'openvino'))
  expect(findOpenVino(active)).toBe(newest)
  const named = await put('mine', file)
  expect(findOpenVino({ ...active, STRATA_OPENVINO: named })).toBe(named)
})

test('an environment is found by its python on the PATH', async () => {
  const windows = process.platform === 'win32'
  const python = await put('venv', ...(windows ? ['python.exe'] : ['bin', 'python3']))
  const library = await put(
    'venv',
    ...(windows ? ['Lib'] : ['lib', 'python3.12']),
    'site-packages',
    'openvino',
    'libs',
    file,
  )
  expect(findOpenVino(environment({ PATH: dirname(python) }))).toBe(library)
})

test('says where it looked and what to do, unless the system has one', () => {
  let parts: Partial<FaultParts> = {}
  try {
    parts = {
      seen: join(folder, 'cache', 'openvino'),
      hint: `strata doctor --install openvino: not needed for ${findOpenVino(environment())}`,
    }
  } catch (error) {
    parts = (error as Fault).parts
  }
  expect(parts).toMatchObject({
    seen: expect.stringContaining(join(folder, 'cache', 'openvino')),
    hint: expect.stringContaining('strata doctor --install openvino'),
  })
})
