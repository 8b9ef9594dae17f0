import fc from 'fast-check'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isList, reordered, textBlocks, textsAt, textSpool, type Texts } from '../../../src/task/rows/text-list.ts'

const folder = mkdtempSync(join(tmpdir(), 'strata-texts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The texts in memory, and on disk. */
function both(texts: readonly string[], batch = 3): { memory: Texts; disk: Texts; close: () => void } {
  const [memory, disk] = [textSpool({ folder }), textSpool({ folder, held: -1 })]
  for (let i = 0; i < texts.length; i += batch) for (const spool of [memory, disk]) spool.add(texts.slice(i, i + batch))
  const list = disk.finish()
  return { memory: memory.finish(), disk: list, close: () => isList(list) && list.close() }
}

describe('texts on disk', () => {
  test('are those in memory, in any order, repeated or not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(1000), { maxLength: 60 }),
        (texts, picks) => {
          const indexes = picks.map((pick) => pick % texts.length)
          const { memory, disk, close } = both(texts)
          try {
            expect(isList(disk)).toBe(true)
            expect(textsAt(disk, indexes)).toEqual(textsAt(memory, indexes))
            expect([...textBlocks(disk, 7)].flat()).toEqual(texts)
            expect([...textBlocks(memory, 7)].flat()).toEqual(texts)
            expect(
              textsAt(
                reordered(disk, indexes),
                indexes.map((_, i) => i),
              ),
            ).toEqual(indexes.map((index) => texts[index]))
          } finally {
            close()
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  test('texts far apart and long ones come back whole', () => {
    const texts = Array.from({ length: 200 }, (_, i) => `${i} `.repeat(i % 3 === 0 ? 20_000 : 10))
    const { disk, close } = both(texts, 50)
    const order = texts.map((_, i) => (i * 73) % texts.length)
    expect(textsAt(disk, order)).toEqual(order.map((i) => texts[i]))
    close()
  })

  test('leave no file behind, and cannot be read after they were closed', () => {
    const { disk, close } = both(['a', 'b'])
    close()
    expect(readdirSync(folder)).toEqual([])
    expect(() => textsAt(disk, [0])).toThrow(expect.objectContaining({ code: 'internal' }))
  })

  test('a folder that cannot be is a fault of writing', () => {
    const spool = textSpool({ folder: join(import.meta.filename, 'none'), held: 0 })
    expect(() => spool.add(['text'])).toThrow(expect.objectContaining({ code: 'file.write' }))
  })

  test('stay in memory while they are few', () => {
    const spool = textSpool({ folder })
    spool.add(['a', 'b'])
    expect(spool.finish()).toEqual(['a', 'b'])
  })
})
