import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { dtypeBytes, dtypes, type Dtype } from '#core'
import { createSafetensorsWriter, openTensors, writeSafetensors } from '#files/formats'
import { codeOf, floats, safetensors, temporaryFolder, withFile } from './made-files.ts'

const folder = await temporaryFolder()
afterAll(folder.remove)

interface Tensor {
  name: string
  dtype: Dtype
  shape: number[]
  bytes: Uint8Array
}

const tensor = fc
  .record({
    name: fc.string({ unit: 'grapheme', maxLength: 12 }),
    dtype: fc.constantFrom(...(Object.keys(dtypes) as Dtype[])),
    shape: fc.array(fc.nat(4), { maxLength: 4 }),
  })
  .filter(({ name }) => name !== '__metadata__')
  .chain(({ name, dtype, shape }) => {
    const length = shape.reduce((product, size) => product * size, dtypeBytes(dtype))
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((bytes): Tensor => ({ name, dtype, shape, bytes }))
  })
const tensors = fc.uniqueArray(tensor, { selector: ({ name }) => name, maxLength: 8 })

describe('writing safetensors', () => {
  test('and reading gives the same tensors', async () => {
    const path = join(folder.path, 'round.safetensors')
    await fc.assert(
      fc.asyncProperty(tensors, fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }), async (list, metadata) => {
        await writeSafetensors(path, list, metadata)
        const source = await openTensors(path)
        expect([...source.names()].toSorted()).toEqual(list.map(({ name }) => name).toSorted())
        for (const { name, dtype, shape, bytes } of list) {
          expect(source.info(name)).toEqual({ name, dtype, shape, byteLength: bytes.length })
          expect(Buffer.compare(await source.read(name), bytes)).toBe(0)
          const { offset = 0, byteLength = 0 } = source.locate(name) ?? {}
          expect(
            readFileSync(path)
              .subarray(offset, offset + byteLength)
              .equals(bytes),
          ).toBe(true)
        }
        await source.close()
      }),
      { seed: 1, numRuns: 60 },
    )
  })

  test('keeps the order given, also of names like numbers, and aligns the data to 8 bytes', async () => {
    const path = join(folder.path, 'order.safetensors')
    const names = ['z', '10', '2', 'a']
    await writeSafetensors(
      path,
      names.map((name) => ({ name, dtype: 'F32' as const, shape: [1], bytes: floats(1) })),
    )
    const file = readFileSync(path)
    const length = Number(file.readBigUInt64LE())
    expect(length % 8).toBe(0)
    expect(Array.from(file.toString('utf8', 8, 8 + length).matchAll(/"(\w+)":\{/g), ([, name]) => name)).toEqual(names)
    const source = await openTensors(path)
    expect(source.names()).toEqual(names)
    await source.close()
  })

  test('takes tensors in pieces and in any order', async () => {
    const path = join(folder.path, 'pieces.safetensors')
    const writer = await createSafetensorsWriter(
      path,
      [
        { name: 'a', dtype: 'F32', shape: [3] },
        { name: 'b', dtype: 'U8', shape: [2] },
      ],
      { format: 'pt' },
    )
    await writer.write('b', Uint8Array.of(7, 8))
    await writer.write('a', floats(3), 8)
    await writer.write('a', floats(1, 2))
    expect(readdirSync(folder.path)).not.toContain('pieces.safetensors')
    await writer.finish()
    const source = await openTensors(path)
    expect(Buffer.compare(await source.read('a'), floats(1, 2, 3))).toBe(0)
    expect([...(await source.read('b'))]).toEqual([7, 8])
    await source.close()
  })

  test('that is not complete, or given up, leaves nothing behind', async () => {
    const path = join(folder.path, 'never.safetensors')
    const layout = [{ name: 'a', dtype: 'F32', shape: [2] }] as const
    const writer = await createSafetensorsWriter(path, layout)
    await writer.write('a', floats(1))
    expect(await codeOf(() => writer.finish())).toBe('tensor.shape')
    const other = await createSafetensorsWriter(path, layout)
    await other.abort()
    expect(readdirSync(folder.path).filter((name) => name.startsWith('never'))).toEqual([])
  })

  test.each([
    ['a name twice', [{ name: 'a' }, { name: 'a' }], 'usage.value'],
    ['the name of the metadata', [{ name: '__metadata__' }], 'usage.value'],
    ['half a character', [{ name: '\ud800' }], 'usage.value'],
    ['a negative size', [{ name: 'a', shape: [-1] }], 'tensor.shape'],
    ['bytes of another length', [{ name: 'a', shape: [3] }], 'tensor.shape'],
  ] as const)('refuses %s', async (_name, list, code) => {
    const full = list.map((part) => ({ dtype: 'F32' as const, shape: [2], bytes: floats(1, 2), ...part }))
    expect(await codeOf(() => writeSafetensors(join(folder.path, 'refused.safetensors'), full))).toBe(code)
    expect(readdirSync(folder.path).filter((name) => name.startsWith('refused'))).toEqual([])
  })

  test('refuses bytes outside, twice, or of no tensor', async () => {
    const writer = await createSafetensorsWriter(join(folder.path, 'range.safetensors'), [
      { name: 'a', dtype: 'U8', shape: [4] },
    ])
    expect(await codeOf(() => writer.write('a', Uint8Array.of(1, 2), 3))).toBe('tensor.shape')
    expect(await codeOf(() => writer.write('b', Uint8Array.of(1)))).toBe('tensor.missing')
    await writer.write('a', Uint8Array.of(1, 2))
    expect(await codeOf(() => writer.write('a', Uint8Array.of(1, 2), 1))).toBe('usage.conflict')
    await writer.abort()
  })

  test('into a folder that is not there is file.write', async () => {
    expect(await codeOf(() => writeSafetensors(join(folder.path, 'nowhere', 'x.safetensors'), []))).toBe('file.write')
  })

  test('replaces an older file whole', async () => {
    const path = join(folder.path, 'twice.safetensors')
    await writeSafetensors(path, [{ name: 'a', dtype: 'U8', shape: [100], bytes: new Uint8Array(100) }])
    await writeSafetensors(path, [])
    expect(statSync(path).size).toBe(16)
  })
})

describe('a safetensors file', () => {
  const a = { dtype: 'F32', shape: [1], data_offsets: [0, 4] }

  test.each([
    ['names in any order', { b: { ...a, data_offsets: [4, 8] }, a }, floats(1, 2)],
    ['metadata of strings', { __metadata__: { format: 'pt' }, a }, floats(1)],
    ['metadata that is null', { __metadata__: null, a }, floats(1)],
    ['fields it does not know', { a: { ...a, note: 'x' } }, floats(1)],
    ['no tensor at all', {}, floats()],
    ['spaces around the header', ` ${JSON.stringify({ a })}  `, floats(1)],
    ['an empty tensor with a huge side', { a: { dtype: 'F32', shape: [0, 2 ** 40], data_offsets: [0, 0] } }, floats()],
  ])('may hold %s', async (_name, header, data) => {
    await withFile(folder.path, safetensors(header, data), '.safetensors', async (source) => {
      const lengths = await Promise.all(source.names().map(async (name) => (await source.read(name)).length))
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(data.length)
    })
  })

  test.each([
    ['offsets as floats', '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0.0,4.0]}}', 'format.safetensors'],
    ['offsets with an exponent', '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4e0]}}', 'format.safetensors'],
    ['three offsets', { a: { ...a, data_offsets: [0, 4, 4] } }, 'format.safetensors'],
    ['a field twice', '{"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 'format.safetensors'],
    ['no shape', { a: { dtype: 'F32', data_offsets: [0, 4] } }, 'format.safetensors'],
    ['a dtype from the prototype', { a: { ...a, dtype: 'constructor' } }, 'tensor.dtype'],
    [
      'a shape that overflows before its zero',
      { a: { dtype: 'F32', shape: [2 ** 40, 2 ** 40, 0], data_offsets: [0, 0] } },
      'format.safetensors',
    ],
    [
      'half a character in a name',
      '{"\\ud800":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
      'format.safetensors',
    ],
    [
      'a size of -0',
      '{"a":{"dtype":"F32","shape":[-0],"data_offsets":[0,0]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}',
      'format.safetensors',
    ],
    ['an offset of -0', '{"a":{"dtype":"F32","shape":[1],"data_offsets":[-0,4]}}', 'format.safetensors'],
    ['a byte order mark', `\ufeff${JSON.stringify({ a })}`, 'format.safetensors'],
    ['text after the header', `${JSON.stringify({ a })}x`, 'format.safetensors'],
    ['two tensors over the same bytes', { a, b: a }, 'format.safetensors'],
  ])('with %s is refused', async (_name, header, code) => {
    expect(
      await codeOf(() => withFile(folder.path, safetensors(header, floats(1)), '.safetensors', async () => undefined)),
    ).toBe(code)
  })

  test('with more values than any model is refused before they take the memory', async () => {
    const header = `{"__metadata__":{"a":[${'0,'.repeat(2e6)}0]}}`
    await expect(
      withFile(folder.path, safetensors(header, floats()), '.safetensors', async () => undefined),
    ).rejects.toMatchObject({
      parts: { what: 'too many values', wanted: 'at most 2000000' },
    })
  })

  test('is recognised without its extension, even when it begins like a pickle', async () => {
    // Header length 640 is written 80 02 …: the mark of a pickle of protocol 2.
    const header = JSON.stringify({ a }).padEnd(640)
    await withFile(folder.path, safetensors(header, floats(1)), '.bin', async (source) =>
      expect(source.names()).toEqual(['a']),
    )
  })

  test('gives undefined for a name it does not have, and refuses to read it', async () => {
    await withFile(folder.path, safetensors({ a }, floats(1)), '.safetensors', async (source) => {
      for (const name of ['b', '__proto__', 'constructor']) {
        expect(source.info(name)).toBeUndefined()
        expect(source.locate(name)).toBeUndefined()
        expect(await codeOf(() => source.read(name))).toBe('tensor.missing')
      }
    })
  })

  test('reads into a buffer of its own, ready for typed arrays', async () => {
    await withFile(
      folder.path,
      safetensors(
        { b: { dtype: 'U8', shape: [1], data_offsets: [0, 1] }, a: { ...a, data_offsets: [1, 5] } },
        Buffer.concat([Buffer.of(9), floats(1.5)]),
      ),
      '.safetensors',
      async (source) => {
        const bytes = await source.read('a')
        expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, 4])
        expect(new Float32Array(bytes.buffer)[0]).toBe(1.5)
      },
    )
  })
})

describe('a path that is no file', () => {
  test('is refused by what it is', async () => {
    expect(await codeOf(() => openTensors(join(folder.path, 'absent.safetensors')))).toBe('file.missing')
    expect(await codeOf(() => openTensors(folder.path))).toBe('file.unreadable')
    expect(await codeOf(() => openTensors('/dev/null'))).toBe('file.unreadable')
  })
})
