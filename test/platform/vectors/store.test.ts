import { mkdtemp, readdir, rm, writeFile, mkdir, readFile, stat, chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore, type Slot } from '#platform/vectors'
import { blocksOf, codeOf, expectExact, numbered, put } from './vectors.ts'

const slots: Slot[] = [
  { name: 'h0', width: 4 },
  { name: 'h1', width: 4 },
  { name: 'last', width: 6 },
]
const model = { tensors: 'aa', tokenizer: 'bb', dtype: 'f32', pooling: 'mean', maxLength: 256, prompt: null }

let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'strata-store-'))))
afterEach(async () => rm(root, { recursive: true, force: true }))

describe('rows', () => {
  test('read back as they were appended, in any order, with repeats, by another opening of the store', async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom('', ' ', '\0', 'é', 'e\u0301'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(text, { maxLength: 12 }), { maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        async (batches, picks) => {
          const folder = await mkdtemp(join(root, 'case-'))
          const space = await openStore(folder).space(model, slots)
          for (const batch of batches) await put(space, batch)
          const all = batches.flat()
          const asked = all.length === 0 ? [] : all.map(() => all[(picks.next().value ?? 0) % all.length] ?? '')
          await expectExact(space, asked)
          const again = await openStore(folder).space(model, slots)
          expect(await again.missing([...all, ...all])).toEqual([])
          await expectExact(again, asked)
          await rm(folder, { recursive: true })
        },
      ),
      { seed: 1, numRuns: 25 },
    )
  })

  test('keep every bit of NaN, infinities, -0 and the smallest numbers', async () => {
    const values = new Float32Array([Number.NaN, Infinity, -Infinity, -0])
    const space = await openStore(root).space(model, [{ name: 'h0', width: 4 }])
    await space.append(['odd'], [values])
    expect(new Uint32Array((await space.read('h0', ['odd'])).data.buffer)).toEqual(new Uint32Array(values.buffer))
  })

  test('that are not stored are reported once each, by their first index', async () => {
    const space = await openStore(root).space(model, slots)
    await put(space, ['b'])
    expect(await space.missing(['a', 'b', 'a', 'c', 'b', 'c'])).toEqual([0, 3])
    expect(await space.missing([])).toEqual([])
  })

  test('of texts that come twice or are stored already take no room', async () => {
    const store = openStore(root)
    const space = await store.space(model, slots)
    await put(space, ['a', 'b', 'a'])
    const before = await store.usage()
    await put(space, ['b', 'a', 'a'])
    expect(await store.usage()).toEqual(before)
    expect(before.spaces[0]?.texts).toBe(2)
  })

  test('of more texts than a block holds make several blocks', async () => {
    const wide = [{ name: 'h0', width: 1 << 16 }] // 256 KiB a row: 256 rows fill a block
    const space = await openStore(root).space(model, wide)
    const texts = numbered(300)
    const values = new Float32Array(300 * (1 << 16))
    texts.forEach((_, i) => values.fill(i, i << 16, (i + 1) << 16))
    await space.append(texts, [values])
    expect((await blocksOf(root, space.id)).length).toBe(2)
    const read = await space.read('h0', ['text 299', 'text 0', 'text 256'])
    expect([0, 1, 2].map((i) => read.data[(i << 16) + 77])).toEqual([299, 0, 256])
  })

  test('of lone surrogates are those of U+FFFD, as tokenizers see them', async () => {
    const space = await openStore(root).space(model, slots)
    await put(space, ['a\ufffd'])
    expect(await space.missing(['a\ud800'])).toEqual([])
  })
})

describe('a space', () => {
  test('is another one when any part of its description or a slot changes, and the same when only the order of keys does', async () => {
    const store = openStore(root)
    const { id } = await store.space(model, slots)
    expect((await store.space({ ...model, maxLength: 128 }, slots)).id).not.toBe(id)
    expect((await store.space({ ...model, prompt: 'query: ' }, slots)).id).not.toBe(id)
    expect((await store.space(model, slots.slice(1))).id).not.toBe(id)
    expect((await store.space(Object.fromEntries(Object.entries(model).reverse()), slots)).id).toBe(id)
  })

  test('does not see the texts of another', async () => {
    const store = openStore(root)
    await put(await store.space(model, slots), ['a'])
    expect(await (await store.space({ ...model, pooling: 'cls' }, slots)).missing(['a'])).toEqual([0])
  })

  test('leaves no trace on disk before something is stored', async () => {
    const store = openStore(join(root, 'new', 'cache'))
    const space = await store.space(model, slots)
    expect(await space.missing(['a'])).toEqual([0])
    expect((await store.usage()).spaces).toEqual([])
    await space.close()
    expect(await readdir(root)).toEqual([])
  })

  test('notices what another opening of the store has added', async () => {
    const [one, two] = [await openStore(root).space(model, slots), await openStore(root).space(model, slots)]
    expect(await two.missing(['a'])).toEqual([0])
    await put(one, ['a'])
    await expectExact(two, ['a'])
    expect(await two.missing(['a'])).toEqual([])
  })

  test('throws cache.invalid for a text that is missing and for a slot it does not have', async () => {
    const space = await openStore(root).space(model, slots)
    await put(space, ['a'])
    await expect(space.read('h0', ['a', 'b', 'b'])).rejects.toMatchObject({
      code: 'cache.invalid',
      message: expect.stringContaining('2 of 3') as string,
    })
    expect(await codeOf(space.read('h9', ['a']))).toBe('cache.invalid')
  })

  test('refuses slots without a name of their own or a width, values that do not fit, and use after closing', async () => {
    const store = openStore(root)
    expect(await codeOf(store.space(model, []))).toBe('internal')
    expect(await codeOf(store.space(model, [...slots, { name: 'h0', width: 4 }]))).toBe('internal')
    expect(await codeOf(store.space(model, [{ name: 'h0', width: 0 }]))).toBe('internal')
    const space = await store.space(model, slots)
    expect(await codeOf(space.append(['a'], [new Float32Array(4)]))).toBe('internal')
    expect(
      await codeOf(
        space.append(
          ['a'],
          slots.map(() => new Float32Array(4)),
        ),
      ),
    ).toBe('internal')
    await space.close()
    await space.close()
    expect(await codeOf(space.missing(['a']))).toBe('internal')
  })
})

test('a hundred thousand texts are stored, found and read', async () => {
  const states = Array.from({ length: 4 }, (_, h) => ({ name: `h${h}`, width: 16 }))
  const space = await openStore(root).space(model, states)
  const texts = numbered(100_000)
  const row = (text: number, slot: number): number => text + slot / 8 // exact in float32
  for (let start = 0; start < texts.length; start += 5000) {
    const values = states.map((_, slot) =>
      Float32Array.from({ length: 5000 * 16 }, (_, i) => row(start + Math.floor(i / 16), slot)),
    )
    await space.append(texts.slice(start, start + 5000), values)
  }
  const again = await openStore(root).space(model, states)
  expect(await again.missing(texts)).toEqual([])
  const { data } = await again.read('h2', texts.toReversed())
  expect(data.every((value, i) => value === row(99_999 - Math.floor(i / 16), 2))).toBe(true)
})

describe('many small appends', () => {
  test('end in few blocks, every row of them exact', async () => {
    const space = await openStore(root).space(model, slots)
    const texts = numbered(150)
    for (const text of texts) await put(space, [text])
    const blocks = await blocksOf(root, space.id)
    expect(blocks.length).toBeLessThan(8)
    expect((await readdir(join(root, space.id))).length).toBe(blocks.length + 1) // and the description: no lock, no temporary file
    await expectExact(space, texts)
    await expectExact(await openStore(root).space(model, slots), texts.toReversed())
  })

  test('of overlapping texts from two openings lose nothing', async () => {
    const handles = [await openStore(root).space(model, slots), await openStore(root).space(model, slots)]
    const texts = numbered(60)
    await Promise.all(
      handles.map(async (handle, h) => {
        for (let i = 0; i < texts.length; i++)
          await put(handle, [texts[(h === 0 ? i : texts.length - 1 - i) % texts.length] ?? ''])
      }),
    )
    for (const handle of handles) await expectExact(handle, texts)
    expect((await openStore(root).usage()).spaces[0]?.texts).toBe(60)
  })

  test('pass over a damaged block when they are joined', async () => {
    const space = await openStore(root).space(model, slots)
    for (const text of numbered(7)) await put(space, [text])
    const [spoilt] = await blocksOf(root, space.id)
    const bytes = await readFile(spoilt ?? '')
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
    await writeFile(spoilt ?? '', bytes)
    for (const text of numbered(7, 'more')) await put(space, [text])
    const all = [...numbered(7), ...numbered(7, 'more')]
    const lost = await space.missing(all)
    expect(lost.length).toBe(1)
    await expectExact(
      space,
      all.filter((_, i) => !lost.includes(i)),
    )
  })
})

describe('usage and clear', () => {
  test('show each space with its description, distinct texts, bytes and last use', async () => {
    const store = openStore(root)
    await put(await store.space(model, slots), ['a', 'b'])
    await put(await store.space({ ...model, pooling: 'cls' }, slots), ['a'])
    const { spaces, bytes, limit } = await store.usage()
    expect(spaces.map(({ description, texts }) => `${String(description['pooling'])} ${texts}`).sort()).toEqual([
      'cls 1',
      'mean 2',
    ])
    expect(spaces[0]?.description).toMatchObject({ tensors: 'aa', maxLength: 256, prompt: null })
    expect(bytes).toBe(spaces.reduce((sum, space) => sum + space.bytes, 0))
    expect(limit).toBe(50e9)
    const paths = await Promise.all(spaces.map(({ id }) => blocksOf(root, id)))
    expect(bytes).toBe(
      (await Promise.all(paths.flat().map(async (path) => (await stat(path)).size))).reduce((a, b) => a + b),
    )
    expect(spaces[0]?.lastUsed).toEqual(new Date((await stat(paths[0]?.[0] ?? '')).mtimeMs))
  })

  test('remove one space by the start of its id, or all, and nothing else in the folder', async () => {
    const store = openStore(root)
    const [one, two] = [await store.space(model, slots), await store.space({ ...model, pooling: 'cls' }, slots)]
    await put(one, ['a'])
    await put(two, ['a'])
    await writeFile(join(root, 'notes.txt'), 'mine')
    await mkdir(join(root, 'f'.repeat(64)))
    await writeFile(join(root, 'f'.repeat(64), 'notes.txt'), 'mine too')
    expect(await store.clear(one.id.slice(0, 12))).toMatchObject({ spaces: 1 })
    expect(await one.missing(['a'])).toEqual([0])
    expect(await two.missing(['a'])).toEqual([])
    expect(await codeOf(store.clear('no such id'))).toBe('usage.value')
    await store.clear()
    expect((await readdir(root)).sort()).toEqual(['f'.repeat(64), 'notes.txt'])
    expect(await readdir(join(root, 'f'.repeat(64)))).toEqual(['notes.txt'])
  })

  test('a description that was changed is not believed', async () => {
    const store = openStore(root)
    const space = await store.space(model, slots)
    await put(space, ['a'])
    await writeFile(
      join(root, space.id, 'space.json'),
      JSON.stringify({ layoutVersion: 1, description: { pooling: 'other' }, slots }),
    )
    expect((await store.usage()).spaces).toMatchObject([{ id: space.id, description: {}, texts: 0 }])
    await writeFile(join(root, space.id, 'space.json'), '{')
    expect((await store.usage()).bytes).toBeGreaterThan(0)
    await expectExact(await openStore(root).space(model, slots), ['a'])
  })
})

describe('a folder that may not be written', () => {
  test.skipIf(process.getuid?.() === 0)('still answers, and refuses to store', async () => {
    await put(await openStore(root).space(model, slots), ['a'])
    const { id } = await openStore(root).space(model, slots)
    await chmod(join(root, id), 0o500)
    const space = await openStore(root).space(model, slots)
    await expectExact(space, ['a'])
    expect(await codeOf(put(space, ['b']))).toBe('file.write')
    await chmod(join(root, id), 0o700)
  })

  test('because a file stands in its place is a file.write fault', async () => {
    await writeFile(join(root, 'file'), '')
    const space = await openStore(join(root, 'file')).space(model, slots)
    expect(await space.missing(['a'])).toEqual([0])
    expect(await codeOf(put(space, ['a']))).toBe('file.write')
  })
})
