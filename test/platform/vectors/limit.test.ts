import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { openStore } from '#platform/vectors'
import { blocksOf, codeOf, expectExact, numbered, put, vectorsOf } from './vectors.ts'

const model = { tensors: 'aa', tokenizer: 'bb', dtype: 'f32', pooling: 'mean', maxLength: 256, prompt: null }

let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'strata-limit-'))))
afterEach(async () => rm(root, { recursive: true, force: true }))

describe('the limit', () => {
  const one = [{ name: 'h0', width: 256 }]
  const age = async (path: string, minutes: number): Promise<void> => {
    const date = new Date(Date.UTC(2024, 0, 1) - minutes * 60_000)
    await utimes(path, date, date)
  }

  test('evicts blocks in the order of their last use, a read being one', async () => {
    const space = await openStore(root).space(model, one)
    for (const text of ['a', 'b', 'c', 'd']) await put(space, [text])
    await space.close()
    const paths = new Map<string, string>()
    for (const text of ['a', 'b', 'c', 'd']) {
      const reader = await openStore(root).space(model, one)
      const before = new Map(
        await Promise.all(
          (await blocksOf(root, space.id)).map(async (path) => {
            await age(path, 1)
            return [path, (await stat(path)).mtimeMs] as const
          }),
        ),
      )
      await reader.read('h0', [text])
      for (const [path, time] of before) if ((await stat(path)).mtimeMs !== time) paths.set(text, path)
    }
    expect(new Set(paths.values()).size).toBe(4)
    for (const [i, text] of ['c', 'a', 'd', 'b'].entries()) await age(paths.get(text) ?? '', 40 - i * 10)
    await (await openStore(root).space(model, one)).read('h0', ['c']) // the oldest becomes the newest
    const store = openStore(root)
    const { bytes } = await store.usage()
    await store.trim(bytes / 2)
    expect(await (await store.space(model, one)).missing(['a', 'b', 'c', 'd'])).toEqual([0, 3])
  })

  test('is respected by a store whose handles are closed, the newest texts being kept', async () => {
    const limitBytes = 40_000
    const store = openStore(root, { limitBytes })
    for (let round = 0; round < 12; round++) {
      const space = await store.space({ ...model, round }, one)
      await put(space, numbered(9))
      await space.close()
      expect((await store.usage()).bytes).toBeLessThanOrEqual(limitBytes)
      const again = await store.space({ ...model, round }, one)
      expect(await again.missing(numbered(9))).toEqual([])
      await again.close()
    }
  })

  test('does not take what an open handle has written, read or asked for; closing gives it free', async () => {
    const store = openStore(root, { limitBytes: 1 })
    const writer = await store.space(model, one)
    await put(writer, ['written'])
    await put(writer, ['too'])
    await expectExact(writer, ['written', 'too'])
    const reader = await store.space(model, one)
    expect(await reader.missing(['written'])).toEqual([])
    await writer.close()
    expect(await store.trim(0)).toMatchObject({ bytes: (await store.usage()).bytes })
    await expectExact(reader, ['written'])
    await reader.close()
    expect(await store.usage()).toEqual({ spaces: [], bytes: 0, limit: 1 })
    expect(await readdir(root)).toEqual([])
  })

  test('is respected by one handle that goes from one piece of work to the next', async () => {
    const limitBytes = 40_000
    const store = openStore(root, { limitBytes })
    const space = await store.space(model, one)
    for (let task = 0; task < 12; task++) {
      const texts = numbered(9, `task ${task}, text`)
      expect((await space.missing(texts)).length).toBe(9)
      for (const text of texts) await put(space, [text])
      await expectExact(space, texts)
      expect((await store.usage()).bytes).toBeLessThanOrEqual(limitBytes)
    }
    // Thrice the limit as one piece of work is kept whole.
    const many = numbered(120)
    await space.missing(many)
    for (let start = 0; start < many.length; start += 10) await put(space, many.slice(start, start + 10))
    await expectExact(space, many)
    expect((await store.usage()).bytes).toBeGreaterThan(2 * limitBytes)
    await space.missing([])
    await put(space, ['next'])
    expect((await store.usage()).bytes).toBeLessThanOrEqual(limitBytes)
  })

  test('holds when several stores trim at once', async () => {
    for (let i = 0; i < 20; i++) {
      const space = await openStore(root).space({ ...model, i }, one)
      await put(space, numbered(4))
      await space.close()
    }
    const { bytes } = await openStore(root).usage()
    const limit = bytes / 2
    const trimmed = await Promise.all(Array.from({ length: 4 }, () => openStore(root).trim(limit)))
    const left = await openStore(root).usage()
    expect(left.bytes).toBeLessThanOrEqual(limit)
    expect(left.bytes).toBeGreaterThan(limit - bytes / 20 - 1) // nobody removed more than the last block too much
    expect(left.spaces.length).toBe(10)
    expect(trimmed.length).toBe(4)
  })

  test('that another process enforces makes texts missing, and they can be stored again', async () => {
    const space = await openStore(root).space(model, one)
    await put(space, ['a', 'b'])
    await openStore(root).trim(0)
    expect(await codeOf(space.read('h0', ['a']))).toBe('cache.invalid')
    expect(await space.missing(['a', 'b'])).toEqual([0, 1])
    await put(space, ['b'])
    await expectExact(space, ['b'])
  })

  test('enforced while others write and read never gives a wrong row', async () => {
    const texts = numbered(120)
    const writer = { writing: true }
    const write = async (): Promise<void> => {
      const space = await openStore(root).space(model, one)
      for (let start = 0; start < texts.length; start += 2) await put(space, texts.slice(start, start + 2))
      writer.writing = false
    }
    const trim = async (): Promise<void> => {
      while (writer.writing) await openStore(root).trim(30_000)
    }
    const read = async (): Promise<number> => {
      const space = await openStore(root).space(model, one)
      let rows = 0
      while (writer.writing) {
        const missing = new Set(await space.missing(texts))
        const stored = texts.filter((_, index) => !missing.has(index))
        const data = await space.read('h0', stored).then(
          (read) => read.data,
          (error: unknown) => error,
        )
        if (data instanceof Fault && data.code === 'cache.invalid') continue
        expect(data).toEqual(vectorsOf(stored, one)[0])
        rows += stored.length
      }
      return rows
    }
    const [, , rows] = await Promise.all([write(), trim(), read()])
    expect(rows).toBeGreaterThan(0)
  })

  test('must be a number of bytes', async () => {
    expect(() => openStore(root, { limitBytes: Number.NaN })).toThrow(Fault)
    expect(await codeOf(openStore(root).trim(-1))).toBe('usage.value')
  })
})
