import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTensors, openTensorSet, readFloat32 } from '#files/formats'
import { shared, sharedPath } from '../../shared.ts'
import { codeOf } from './made-files.ts'
import { folderFiles } from './folder-files.ts'

/** The fault of every file in models/pico/hostile, or the values of its first tensor where the file is to be read. */
const expected: Record<string, Record<string, string | readonly number[]>> = {
  safetensors: {
    'ok.safetensors': [0, 1, 2, 3, 4, 5],
    'ok-empty-tensor.safetensors': [],
    'ok-padded-header.safetensors': [0, 0, 0, 0, 0, 0],
    'proto-key.safetensors': [0],
    'git-lfs-pointer.safetensors': 'format.lfs',
    'html.safetensors': 'format.lfs',
    'huge-rank.safetensors': 'format.limit',
    'unknown-dtype.safetensors': 'tensor.dtype',
    'wrong-types.safetensors': 'tensor.dtype',
  },
  pickle: { 'ok.bin': [0, 1, 2, 3, 4, 5], 'stride-zero-bomb.bin': 'format.limit', 'tensor-past-storage.bin': 'tensor.shape', 'truncated.bin': 'format.zip' },
  zip: { 'path-traversal.bin': [0, 1, 2, 3, 4, 5], 'bomb-50mb.npz': 'format.limit' },
  npy: { 'ok.npy': [0, 1, 2, 3, 4, 5], 'object-array.npy': 'tensor.dtype' },
}
const usual: Record<string, string> = { safetensors: 'format.safetensors', pickle: 'format.pickle', zip: 'format.zip', npy: 'format.npy' }

describe.skipIf(!shared).each(Object.keys(expected))('hostile %s', (kind) => {
  const folder = sharedPath('models', 'pico', 'hostile', kind)
  const cases = (shared ? readdirSync(folder) : []).map((name) => ({ name, path: join(folder, name), wanted: expected[kind]?.[name] ?? usual[kind] }))

  test.each(cases.filter(({ wanted }) => typeof wanted === 'string'))('$name is refused with $wanted', { timeout: 5_000 }, async ({ path, wanted }) => {
    const before = process.resourceUsage().maxRSS
    expect(await codeOf(() => openTensors(path))).toBe(wanted)
    // Peak of the process in KiB: bombs ask for 50 MB and more, code that is compiled on the way for a few.
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(24 * 1024)
  })

  test.each(cases.filter(({ wanted }) => typeof wanted !== 'string'))('$name is read', async ({ path, wanted }) => {
    const source = await openTensors(path)
    expect([...(await readFloat32(source, source.names()[0] ?? ''))]).toEqual(wanted)
    await source.close()
  })

  test('leaves no trace', () => {
    expect([folder, process.cwd(), '/tmp'].filter((place) => existsSync(join(place, 'PWNED')))).toEqual([])
  })
})

describe.skipIf(!shared)('hostile index', () => {
  test.each([
    ['etc-passwd', 'file.outside'],
    ['absolute', 'file.outside'],
    ['url', 'file.outside'],
    ['missing-shard', 'file.missing'],
    ['tensor-not-in-shard', 'tensor.missing'],
    ['wrong-types', 'format.json'],
  ])('%s is refused with %s', async (name, code) => {
    expect(await codeOf(() => openTensorSet(folderFiles(sharedPath('models', 'pico', 'hostile', 'index', name))))).toBe(code)
  })
})
