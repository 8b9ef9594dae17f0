import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { zipMembers } from '#files/formats'
import { codeOf, temporaryFolder, zip, type ZipPart } from './made-files.ts'

const folder = await temporaryFolder()
afterAll(folder.remove)

let count = 0
async function written(bytes: Uint8Array): Promise<string> {
  const path = join(folder.path, `${count++}.zip`)
  await writeFile(path, bytes)
  return path
}
async function contents(path: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { name, size, bytes } of await zipMembers(path)) {
    const pieces: Uint8Array[] = []
    for await (const piece of bytes()) pieces.push(piece)
    found[name] = Buffer.concat(pieces).toString()
    expect(Buffer.concat(pieces)).toHaveLength(size)
  }
  return found
}
const long = 'abcdefgh\n'.repeat(100_000)
const parts: ZipPart[] = [
  { name: 'stored.jsonl', bytes: Buffer.from(long) },
  { name: 'deep/', bytes: Buffer.alloc(0) },
  { name: 'deep/packed.jsonl', bytes: Buffer.from(long), deflate: true },
  { name: 'empty.csv', bytes: Buffer.alloc(0) },
]
const wanted = { 'stored.jsonl': long, 'deep/packed.jsonl': long, 'empty.csv': '' }

describe('members of a zip archive', () => {
  test('come as streams, stored or deflated, folders left out', async () =>
    expect(await contents(await written(zip(parts)))).toEqual(wanted))
  test('of zip64 archives too', async () =>
    expect(await contents(await written(zip(parts, { large: true })))).toEqual(wanted))
  test('a member is read more than once', async () => {
    const [member] = await zipMembers(await written(zip(parts)))
    const lengths: number[] = []
    for (let i = 0; i < 2; i++) {
      let length = 0
      for await (const piece of member?.bytes() ?? []) length += piece.length
      lengths.push(length)
    }
    expect(lengths).toEqual([long.length, long.length])
  })
  test.each(['../out.jsonl', 'a/../../out.jsonl', '/etc/out.jsonl', 'c:/out.jsonl', 'a\\..\\out.jsonl'])(
    'the name %s is refused',
    async (name) => {
      const path = await written(zip([{ name, bytes: Buffer.from('x') }]))
      expect(await codeOf(() => zipMembers(path))).toBe('file.outside')
    },
  )
  test('bytes that are not those of the checksum are refused', async () => {
    const bytes = zip([{ name: 'a', bytes: Buffer.from('abc') }])
    bytes.write('x', bytes.indexOf('abc'))
    expect(await codeOf(async () => contents(await written(bytes)))).toBe('format.zip')
  })
  test('a member that gives more than it declares is stopped there', async () => {
    const bomb = zip([{ name: 'a', bytes: Buffer.alloc(50_000_000), deflate: true }])
    const directory = bomb.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
    bomb.writeUInt32LE(1000, directory + 24)
    let seen = 0
    const work = async (): Promise<void> => {
      for (const { bytes } of await zipMembers(await written(bomb)))
        for await (const piece of bytes()) seen += piece.length
    }
    expect(await codeOf(work)).toBe('format.zip')
    expect(seen).toBe(0)
  })
  test('an archive that was cut is refused', async () => {
    const bytes = zip(parts)
    expect(await codeOf(async () => contents(await written(bytes.subarray(0, bytes.length - 30))))).toBe('format.zip')
  })
})
