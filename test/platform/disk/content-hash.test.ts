import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { fileHash } from '../../../src/platform/disk/content-hash.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-content-'))
  return () => rm(folder, { recursive: true })
})

test('files of any length have the hashes of their bytes', async () => {
  // around the pieces in which they are read
  for (const length of [0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 2 ** 21, 3 * 2 ** 20 + 5]) {
    const bytes = Buffer.alloc(length, 'of any length ')
    const path = join(folder, String(length))
    await writeFile(path, bytes)
    expect(await fileHash(path)).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})

test('a blob that its cache has named by its hash is not read; nothing is a fault', async () => {
  const name = 'a'.repeat(64)
  await mkdir(join(folder, 'blobs'))
  await writeFile(join(folder, 'blobs', name), 'something else')
  expect(await fileHash(join(folder, 'blobs', name))).toBe(name)
  await expect(fileHash(join(folder, 'nothing'))).rejects.toMatchObject({ code: 'file.missing' })
})
