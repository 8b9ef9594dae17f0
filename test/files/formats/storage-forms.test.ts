import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { TensorSource } from '#core'
import { openTensorSet, readFloat32 } from '#files/formats'
import { shared, sharedPath } from '../../shared.ts'
import { folderFiles } from './folder-files.ts'

const pico = (...parts: string[]): string => sharedPath('models', 'pico', ...parts)

async function opened<T>(folder: string, use: (source: TensorSource) => Promise<T>): Promise<T> {
  const source = await openTensorSet(folderFiles(pico(folder)))
  try {
    return await use(source)
  } finally {
    await source.close()
  }
}

describe.skipIf(!shared)('storage variants of one bert', () => {
  test.each(['bert-bin', 'bert-bin-legacy', 'bert-bin-views', 'bert-bin-sharded', 'bert-sharded'])(
    '%s holds the tensors of the plain model, bit for bit',
    async (variant) => {
      await opened('bert', (plain) =>
        opened(`variants/${variant}`, async (source) => {
          const names = source.names().filter((name) => !name.endsWith('position_ids'))
          expect(names.toSorted()).toEqual(plain.names().toSorted())
          for (const name of names) {
            expect(source.info(name)).toEqual(plain.info(name))
            expect(Buffer.compare(await source.read(name), await plain.read(name))).toBe(0)
          }
        }),
      )
    },
  )

  test.each([
    'bert-bin',
    'bert-bin-legacy',
    'bert-bin-views',
    'bert-bin-sharded',
    'bert-sharded',
    'bert-f16',
    'bert-bf16',
    'bert-mixed-dtypes',
  ])('located bytes of %s are those that are read', async (variant) => {
    await opened(`variants/${variant}`, async (source) => {
      const different: string[] = []
      let located = 0
      for (const name of source.names()) {
        const place = source.locate(name)
        if (!place) continue
        located++
        const there = readFileSync(place.path).subarray(place.offset, place.offset + place.byteLength)
        if (!there.equals(await source.read(name))) different.push(name)
      }
      expect(different).toEqual([])
      expect(located).toBeGreaterThan(source.names().length / 2)
    })
  })

  test('only tensors stored transposed have no location', async () => {
    await opened('variants/bert-bin-views', async (source) => {
      const without = source.names().filter((name) => !source.locate(name))
      expect(without.length).toBeGreaterThan(0)
      expect(without.every((name) => source.info(name)?.shape.length === 2)).toBe(true)
    })
  })

  test('an expanded int64 buffer reads as the numbers it stands for', async () => {
    await opened('variants/bert-bin', async (source) => {
      const [name = ''] = source.names().filter((name) => name.endsWith('position_ids'))
      const { dtype, shape } = source.info(name) ?? {}
      expect([dtype, shape?.[0]]).toEqual(['I64', 1])
      expect([...(await readFloat32(source, name))]).toEqual(Array.from({ length: shape?.[1] ?? 0 }, (_, i) => i))
    })
  })

  // SOURCE.md gives the largest difference after rounding to each width.
  test.each([
    ['bert-f16', 3.2e-3],
    ['bert-bf16', 2.1e-2],
  ])('%s is the plain model, rounded', async (variant, largest) => {
    await opened('bert', (plain) =>
      opened(`variants/${variant}`, async (source) => {
        let worst = 0
        for (const name of source.names()) {
          const [a, b] = [await readFloat32(source, name), await readFloat32(plain, name)]
          for (const [i, value] of a.entries()) worst = Math.max(worst, Math.abs(value - (b[i] ?? Number.NaN)))
        }
        expect(worst).toBeGreaterThan(0)
        expect(worst).toBeLessThan(largest)
      }),
    )
  })

  test('every other folder opens', async () => {
    for (const variant of [
      'bert-prefixed-old-names',
      'gpt2-hub-layout',
      'llama-base-names',
      'llama-head-missing',
      'llama-tied',
      't5-full',
    ]) {
      expect(await opened(`variants/${variant}`, async (source) => source.names().length)).toBeGreaterThan(10)
    }
  })

  test('identity differs between widths and is the same each time', async () => {
    const [a, b, c] = await Promise.all(
      ['bert', 'variants/bert-f16', 'bert'].map((folder) => opened(folder, (source) => source.identity())),
    )
    expect(a).toMatch(/^[0-9a-f]{64}$/)
    expect(a).toBe(c)
    expect(a).not.toBe(b)
  })
})
