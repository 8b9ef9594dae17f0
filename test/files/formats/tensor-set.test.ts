import { mkdir, readFile, rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { openTensors, openTensorSet, readFloat32, writeSafetensors } from '#files/formats'
import { codeOf, floats, op, safetensors, temporaryFolder, tensorCode, torchZip } from './made-files.ts'
import { folderFiles } from './folder-files.ts'

const folder = await temporaryFolder()
afterAll(folder.remove)

/** A repository of files; a number stands for a safetensors file whose tensor `a` is that number. */
async function repository(
  name: string,
  files: Readonly<Record<string, number | string | Uint8Array>>,
): Promise<ReturnType<typeof folderFiles>> {
  const path = join(folder.path, name)
  for (const [file, content] of Object.entries(files)) {
    await mkdir(join(path, file, '..'), { recursive: true })
    if (typeof content === 'number')
      await writeSafetensors(join(path, file), [{ name: 'a', dtype: 'F32', shape: [1], bytes: floats(content) }])
    else await writeFile(join(path, file), content)
  }
  return folderFiles(path)
}

async function valueOf(
  files: ReturnType<typeof folderFiles>,
  options?: { weights?: string },
): Promise<number | undefined> {
  const source = await openTensorSet(files, options)
  try {
    return (await readFloat32(source, 'a'))[0]
  } finally {
    await source.close()
  }
}

const torch = torchZip(op.dict({ a: tensorCode({ count: 1, size: [1], stride: [1] }) }), { 0: floats(7) })
const index = (map: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ metadata: { total_size: 4 }, weight_map: map })

describe('the weights of a repository', () => {
  test('are the first of the usual names', async () => {
    const all = {
      'model.safetensors': 1,
      'model.safetensors.index.json': index({ a: 'x.safetensors' }),
      'x.safetensors': 2,
      'pytorch_model.bin': torch,
    }
    expect(await valueOf(await repository('all', all))).toBe(1)
    const { 'model.safetensors': _single, ...sharded } = all
    expect(await valueOf(await repository('sharded', sharded))).toBe(2)
    expect(await valueOf(await repository('torch', { 'pytorch_model.bin': torch }))).toBe(7)
    expect(
      await valueOf(
        await repository('torch-sharded', {
          'pytorch_model.bin.index.json': index({ a: 'part.bin' }),
          'part.bin': torch,
        }),
      ),
    ).toBe(7)
  })

  test('are named as in the repository, wherever they lie', async () => {
    const files = await repository('spoilt', { 'model.safetensors': 'no weights', 'blobs/0': torch })
    const source = await openTensorSet(files, { weights: 'blobs/0' })
    expect(source.name).toBe('spoilt/blobs/0')
    await source.close()
    await expect(openTensorSet(files)).rejects.toMatchObject({
      code: 'format.safetensors',
      parts: { place: 'spoilt/model.safetensors' },
    })
  })

  test('may be chosen by name, an index of a variant too', async () => {
    const files = await repository('named', {
      'model.safetensors': 1,
      'model.fp16.safetensors': 2,
      'model.safetensors.index.fp16.json': index({ a: 'model.fp16-00001-of-00001.safetensors' }),
      'model.fp16-00001-of-00001.safetensors': 3,
      '2_Dense/model.safetensors': 4,
      'deep/model.safetensors.index.json': index({ a: 'shards/x.safetensors' }),
      'deep/shards/x.safetensors': 5,
    })
    expect(await valueOf(files, { weights: 'model.fp16.safetensors' })).toBe(2)
    expect(await valueOf(files, { weights: 'model.safetensors.index.fp16.json' })).toBe(3)
    expect(await valueOf(files, { weights: '2_Dense/model.safetensors' })).toBe(4)
    expect(await valueOf(files, { weights: 'deep/model.safetensors.index.json' })).toBe(5)
    expect(await codeOf(() => openTensorSet(files, { weights: 'absent.safetensors' }))).toBe('file.missing')
  })

  test('that are only there in other formats are named in the hint', async () => {
    const error: unknown = await openTensorSet(
      await repository('other', { 'tf_model.h5': 'x', 'flax_model.msgpack': 'x', 'config.json': '{}' }),
    ).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(Fault)
    const { code, hint, message } = error as Fault
    expect(code).toBe('file.missing')
    expect(message).toContain('model.safetensors')
    expect(hint).toMatch(/tf_model\.h5.*flax_model\.msgpack|flax_model\.msgpack.*tf_model\.h5/)
    expect(await codeOf(async () => openTensorSet(await repository('empty', { 'config.json': '{}' })))).toBe(
      'file.missing',
    )
  })
})

describe('an index', () => {
  test('joins shards into one source', async () => {
    const path = join(folder.path, 'joined')
    await mkdir(path)
    await writeSafetensors(join(path, '1.safetensors'), [{ name: 'a', dtype: 'F32', shape: [1], bytes: floats(1) }])
    await writeSafetensors(join(path, '2.safetensors'), [{ name: 'b', dtype: 'F32', shape: [2], bytes: floats(2, 3) }])
    await writeFile(join(path, 'model.safetensors.index.json'), index({ b: '2.safetensors', a: '1.safetensors' }))
    const source = await openTensorSet(folderFiles(path))
    expect(source.names()).toEqual(['b', 'a'])
    expect(source.info('b')?.shape).toEqual([2])
    expect([...(await readFloat32(source, 'b'))]).toEqual([2, 3])
    expect(source.locate('b')).toEqual({
      path: join(path, '2.safetensors'),
      offset: expect.any(Number) as number,
      byteLength: 8,
    })
    expect(source.info('__proto__')).toBeUndefined()
    expect(await codeOf(() => source.read('c'))).toBe('tensor.missing')
    expect(await source.identity()).toMatch(/^[0-9a-f]{64}$/)
    await source.close()
  })

  test.each([
    '../x.safetensors',
    '/x.safetensors',
    'a/../../x.safetensors',
    'https://host/x.safetensors',
    'C:\\x.safetensors',
    'a\\x.safetensors',
    './x.safetensors',
    '',
    'a//x.safetensors',
    'x\0.safetensors',
  ])('may not name the shard %j', async (shard) => {
    expect(
      await codeOf(async () =>
        openTensorSet(await repository('outside', { 'model.safetensors.index.json': index({ a: shard }) })),
      ),
    ).toBe('file.outside')
  })

  test.each([
    ['no weight_map', '{}', 'format.json'],
    ['a number for a shard', index({ a: 1 }), 'format.json'],
    ['broken JSON', '{"weight_map": {', 'format.json'],
    ['nothing but a list', '[]', 'format.json'],
    ['a shard that is absent', index({ a: 'x.safetensors' }), 'file.missing'],
  ])('with %s is refused', async (_name, text, code) => {
    expect(
      await codeOf(async () => openTensorSet(await repository('refused', { 'model.safetensors.index.json': text }))),
    ).toBe(code)
  })
})

describe('identity', () => {
  const one = safetensors({ a: { dtype: 'F32', shape: [1], data_offsets: [0, 4] } }, floats(1))

  async function identityOf(path: string): Promise<string> {
    const source = await openTensors(path)
    try {
      return await source.identity()
    } finally {
      await source.close()
    }
  }

  test('follows the bytes, the names and the shapes, not the path', async () => {
    const paths = ['a', 'b', 'c', 'd'].map((name) => join(folder.path, `${name}.safetensors`))
    const [a = '', b = '', c = '', d = ''] = paths
    await writeFile(a, one)
    await writeFile(b, one)
    await writeFile(c, safetensors({ a: { dtype: 'F32', shape: [1], data_offsets: [0, 4] } }, floats(2)))
    await writeFile(d, safetensors({ a: { dtype: 'U32', shape: [1], data_offsets: [0, 4] } }, floats(1)))
    expect(await identityOf(a)).toBe(await identityOf(b))
    expect(new Set(await Promise.all([a, c, d].map(identityOf))).size).toBe(3)
  })

  test('is computed again when the file is replaced, at the same size and time too', async () => {
    const path = join(folder.path, 'changed.safetensors')
    const time = new Date(1_700_000_000_000)
    const seen = new Set<string>()
    for (const value of [1, 2]) {
      await writeFile(
        `${path}.new`,
        safetensors({ a: { dtype: 'F32', shape: [1], data_offsets: [0, 4] } }, floats(value)),
      )
      await utimes(`${path}.new`, time, time)
      await rename(`${path}.new`, path)
      seen.add(await identityOf(path))
    }
    expect(seen.size).toBe(2)
  })

  test('of shards follows which of them a tensor is read from', async () => {
    const both = (a: number, b: number): Uint8Array =>
      safetensors(
        {
          a: { dtype: 'F32', shape: [1], data_offsets: [0, 4] },
          b: { dtype: 'F32', shape: [1], data_offsets: [4, 8] },
        },
        floats(a, b),
      )
    const seen = new Set<string>()
    for (const [a, b] of [
      ['1.safetensors', '2.safetensors'],
      ['2.safetensors', '1.safetensors'],
    ] as const) {
      const path = join(folder.path, `shards-${a}`)
      await mkdir(path)
      await writeFile(join(path, '1.safetensors'), both(1, 2))
      await writeFile(join(path, '2.safetensors'), both(3, 4))
      await writeFile(join(path, 'model.safetensors.index.json'), index({ a, b }))
      const source = await openTensorSet(folderFiles(path))
      seen.add(await source.identity())
      await source.close()
    }
    expect(seen.size).toBe(2)
  })

  test('of a blob of the hub cache comes from its name', async () => {
    const hash = createHash('sha256').update(one).digest('hex')
    const plain = join(folder.path, 'plain.safetensors')
    await writeFile(plain, one)
    await mkdir(join(folder.path, 'repo', 'blobs'), { recursive: true })
    await writeFile(join(folder.path, 'repo', 'blobs', hash), one)
    await symlink(join('blobs', hash), join(folder.path, 'repo', 'model.safetensors'))
    expect(await identityOf(join(folder.path, 'repo', 'model.safetensors'))).toBe(await identityOf(plain))
    // A name that is another hash shows that the bytes were not read.
    const other = join(folder.path, 'repo', 'blobs', '0'.repeat(64))
    await writeFile(other, one)
    expect(await identityOf(other)).not.toBe(await identityOf(plain))
    expect((await readFile(other)).equals(one)).toBe(true)
  })
})
