import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { claimed, claimsOf } from '../../../../src/model/merge/engine/claims.ts'
import { hashThread } from '../../../../src/model/merge/engine/hash-thread.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-hash-thread-'))
  return () => rm(folder, { recursive: true })
})

const bytes = Buffer.alloc(2 ** 21 + 7, 'hashed by another thread ')
const sha256 = createHash('sha256').update(bytes).digest('hex')

async function files(...names: string[]): Promise<string[]> {
  const paths = names.map((name) => join(folder, name))
  for (const path of paths) await writeFile(path, bytes)
  return paths
}

test('files are hashed by another thread as they fill, but those that others have claimed', async () => {
  const [output, input, taken] = (await files('output', 'input', 'taken')) as [string, string, string]
  const claims = claimsOf([input, taken])
  expect([claimed(claims, taken), claimed(claims, taken), claimed(claims, output)]).toEqual([true, false, true])
  const thread = hashThread({ sizes: new Map([output, input, taken].map((path) => [path, bytes.length])), claims })
  for (const path of [taken, output, input]) {
    thread.filled(path, 2 ** 20, bytes.length)
    thread.filled(path, 0, 2 ** 20)
  }
  expect([...(await thread.finish())]).toEqual([
    [output, sha256],
    [input, sha256],
  ])
  expect(claimed(claims, input)).toBe(false)
  await thread.close()
})

test('what cannot be read is a fault; a thread that is closed while it hashes ends', async () => {
  const [path] = (await files('short')) as [string]
  const short = hashThread({ sizes: new Map([[path, bytes.length + 1]]), claims: claimsOf([]) })
  short.filled(path, 0, bytes.length + 1)
  await expect(short.finish()).rejects.toMatchObject({ code: 'file.unreadable' })
  await short.close()
  const missing = hashThread({ sizes: new Map([[join(folder, 'missing'), 1]]), claims: claimsOf([]) })
  missing.filled(join(folder, 'missing'), 0, 1)
  await expect(missing.finish()).rejects.toMatchObject({ code: 'file.unreadable' })
  await missing.close()
  const closed = hashThread({ sizes: new Map([[path, bytes.length]]), claims: claimsOf([]) })
  closed.filled(path, 0, bytes.length)
  await closed.close()
  await expect(closed.finish()).rejects.toMatchObject({ code: 'internal' })
})
