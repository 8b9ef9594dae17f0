import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { filledHash } from '../../../src/platform/disk/filled-hash.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-filled-'))
  return () => rm(folder, { recursive: true })
})

const bytes = Buffer.alloc(3 * 2 ** 20 + 11, 'filled out of order ')

test('files that are filled in any order have the hashes of their bytes', async () => {
  const paths = ['a', 'b'].map((name) => join(folder, name))
  for (const path of paths) await writeFile(path, bytes)
  const hashes = filledHash(new Map(paths.map((path) => [path, bytes.length])))
  const cuts = [0, 5, 2 ** 20, 2 ** 21 + 1, bytes.length]
  for (const k of [2, 0, 3, 1]) {
    for (const path of paths) hashes.filled(path, cuts[k]!, cuts[k + 1]!)
    await turn()
  }
  const wanted = createHash('sha256').update(bytes).digest('hex')
  expect([...(await hashes.finish())]).toEqual(paths.map((path) => [path, wanted]))
  await hashes.close()
})

test('no more files are begun than may be open, and each is finished by somebody', async () => {
  const paths = ['c', 'd', 'e', 'f'].map((name) => join(folder, name))
  for (const path of paths) await writeFile(path, bytes)
  const taken = new Map<string, number>()
  const hashers = [0, 1].map((own) =>
    filledHash(new Map(paths.map((path) => [path, bytes.length])), {
      most: 1,
      claim: (path) => !taken.has(path) && taken.set(path, own).size > 0,
    }),
  )
  const filled = (from: number, to: number): void => {
    for (const hasher of hashers) for (const path of paths) hasher.filled(path, from, to)
  }
  filled(0, 2 ** 20)
  for (let k = 0; k < 20; k++) await turn()
  expect(taken.size).toBe(2)
  expect(new Set(taken.values())).toEqual(new Set([0, 1]))
  filled(2 ** 20, bytes.length)
  const found = (await Promise.all(hashers.map((hasher) => hasher.finish()))).flatMap((hashes) => [...hashes])
  const wanted = createHash('sha256').update(bytes).digest('hex')
  expect(found.length).toBe(4)
  expect(new Map(found)).toEqual(new Map(paths.map((path) => [path, wanted])))
  await Promise.all(hashers.map((hasher) => hasher.close()))
})

test('a gap, wherever it lies, is not passed over', async () => {
  const path = join(folder, 'gap')
  await writeFile(path, bytes)
  for (const [from, to] of [
    [1, bytes.length],
    [0, bytes.length - 1],
  ] as const) {
    const hashes = filledHash(new Map([[path, bytes.length]]))
    hashes.filled(path, from, to)
    await expect(hashes.finish()).rejects.toMatchObject({ code: 'internal' })
    await hashes.close()
  }
})

test('a file that cannot be read any more is a fault, not a hash', async () => {
  const path = join(folder, 'short')
  await writeFile(path, 'short')
  const hashes = filledHash(new Map([[path, 10]]))
  hashes.filled(path, 0, 10)
  await expect(hashes.finish()).rejects.toMatchObject({ code: 'file.unreadable' })
  await hashes.close()
})
