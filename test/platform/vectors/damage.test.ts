import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { openStore, type Slot, type VectorSpace } from '#platform/vectors'
import { vectorsOf } from './vectors.ts'

const slots: Slot[] = [
  { name: 'h0', width: 3 },
  { name: 'h1', width: 5 },
]
const texts = ['a', 'b', 'c', 'd', 'e']

let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'strata-damage-'))))
afterEach(async () => rm(root, { recursive: true, force: true }))

/** A fresh store with the five texts in one block. */
async function stored(name: string): Promise<{ space: VectorSpace; block: string; folder: string }> {
  const folder = join(root, name)
  const space = await openStore(folder).space({ model: 'm' }, slots)
  await space.append(texts, vectorsOf(texts, slots))
  const [block] = (await readdir(join(folder, space.id))).filter((file) => file.endsWith('.block'))
  return { space, folder, block: join(folder, space.id, block ?? '') }
}

/**
 * Reads every text of every slot from a new opening: a row that comes back at all must be the one that was stored.
 * Returns how many came back.
 */
async function readable(folder: string): Promise<number> {
  const space = await openStore(folder).space({ model: 'm' }, slots)
  const expected = vectorsOf(texts, slots)
  let rows = 0
  for (const [slot, { name, width }] of slots.entries()) {
    for (const [i, text] of texts.entries()) {
      try {
        expect((await space.read(name, [text])).data).toEqual(expected[slot]?.subarray(i * width, (i + 1) * width))
        rows++
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'cache.invalid') throw error
      }
    }
  }
  return rows
}

/** After any damage the texts can be stored again and are then exact. */
async function repairable(folder: string): Promise<void> {
  const space = await openStore(folder).space({ model: 'm' }, slots)
  const missing = (await space.missing(texts)).map((i) => texts[i] ?? '')
  await space.append(missing, vectorsOf(missing, slots))
  for (const { name } of slots) await space.read(name, texts)
  expect(await readable(folder)).toBe(texts.length * slots.length)
}

describe('a block', () => {
  test('with any one bit flipped gives no wrong row', async () => {
    const { block, folder } = await stored('flip')
    const good = await readFile(block)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: good.length * 8 - 1 }), async (bit) => {
        const bad = Buffer.from(good)
        bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        await writeFile(block, bad)
        expect(await readable(folder)).toBeLessThan(texts.length * slots.length)
        await repairable(folder)
      }),
      { seed: 2, numRuns: 150 },
    )
  })

  test('with a range overwritten or zeroed gives no wrong row', async () => {
    const { block, folder } = await stored('range')
    const good = await readFile(block)
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: good.length - 1 }),
        fc.oneof(
          fc.uint8Array({ minLength: 1, maxLength: 64 }),
          fc.integer({ min: 1, max: 256 }).map((n) => new Uint8Array(n)),
        ),
        async (at, patch) => {
          const bad = Buffer.from(good)
          bad.set(patch.subarray(0, bad.length - at), at)
          await writeFile(block, bad)
          const rows = await readable(folder)
          expect(rows < texts.length * slots.length || bad.equals(good)).toBe(true)
          await repairable(folder)
        },
      ),
      { seed: 3, numRuns: 100 },
    )
  })

  test('cut anywhere, or with bytes after its end, gives no row', async () => {
    const { block, folder } = await stored('cut')
    const good = await readFile(block)
    for (let length = 0; length < good.length; length += 7) {
      await writeFile(block, good.subarray(0, length))
      expect(await readable(folder)).toBe(0)
    }
    for (const extra of [1, 16, good.length]) {
      await writeFile(block, Buffer.concat([good, Buffer.alloc(extra)]))
      expect(await readable(folder)).toBe(0)
    }
    await repairable(folder)
  })

  test('cut while it is open makes its texts missing', async () => {
    const { space, block } = await stored('open')
    await truncate(block, 300)
    await expect(space.read('h1', texts)).rejects.toMatchObject({ code: 'cache.invalid' })
    expect(await space.missing(texts)).toEqual([0, 1, 2, 3, 4])
  })

  test('whose rows changed places gives no wrong row', async () => {
    const { block, folder } = await stored('swap')
    const good = await readFile(block)
    const [values, row] = [good.length - 5 * (5 * 4 + 4), 5 * 4] // the last slot: five rows of five values, then their checks
    const bad = Buffer.from(good)
    good.copy(bad, values, values + row, values + 2 * row)
    good.copy(bad, values + row, values, values + row)
    const checks = values + 5 * row
    good.copy(bad, checks, checks + 4, checks + 8)
    good.copy(bad, checks + 4, checks, checks + 4)
    await writeFile(block, bad)
    expect(await readable(folder)).toBeLessThan(10)
  })

  test('of another space is passed over, even with the same slots', async () => {
    const { block, folder } = await stored('one')
    const other = await openStore(folder).space({ model: 'other' }, slots)
    await other.append(['z'], vectorsOf(['z'], slots))
    await copyFile(block, join(folder, other.id, block.slice(block.lastIndexOf('/') + 1)))
    expect(await (await openStore(folder).space({ model: 'other' }, slots)).missing(texts)).toEqual([0, 1, 2, 3, 4])
  })
})

test('reading one layer touches no byte of another', async () => {
  const { block, folder } = await stored('poison')
  const bytes = await readFile(block)
  const h1 = bytes.length - 5 * (5 * 4 + 4)
  bytes.fill(0xff, h1)
  await writeFile(block, bytes)
  const space = await openStore(folder).space({ model: 'm' }, slots)
  expect((await space.read('h0', texts)).data).toEqual(vectorsOf(texts, slots)[0])
  await expect(space.read('h1', texts)).rejects.toMatchObject({ code: 'cache.invalid' })
})

test('files and folders that are no blocks are left alone and do no harm', async () => {
  const { space, folder } = await stored('foreign')
  const inside = join(folder, space.id)
  const names = ['readme.txt', `${'a'.repeat(32)}.block.bak`, `${'a'.repeat(31)}.block`]
  for (const name of names) await writeFile(join(inside, name), 'mine')
  await writeFile(join(inside, `${'b'.repeat(32)}.block`), 'not a block')
  await writeFile(join(inside, `${'c'.repeat(32)}.block`), '')
  await mkdir(join(inside, `${'d'.repeat(32)}.block`))
  await mkdir(join(folder, 'models'))
  expect(await readable(folder)).toBe(10)
  await openStore(folder).usage()
  await openStore(folder).trim(0)
  expect(await readdir(inside)).toEqual(expect.arrayContaining(names))
  expect(await readdir(folder)).toContain('models')
})

test('what a killed writer left behind is ignored, and removed once it is old', async () => {
  const { space, folder, block } = await stored('temporary')
  const inside = join(folder, space.id)
  const [young, old] = [join(inside, `.${'1'.repeat(24)}.tmp`), join(inside, `.${'2'.repeat(24)}.tmp`)]
  for (const path of [young, old]) await copyFile(block, path)
  const yesterday = new Date(Date.UTC(2024, 0, 1))
  await utimes(old, yesterday, yesterday)
  expect(await readable(folder)).toBe(10)
  const left = await readdir(inside)
  expect(left).toContain(`.${'1'.repeat(24)}.tmp`)
  expect(left).not.toContain(`.${'2'.repeat(24)}.tmp`)
})
