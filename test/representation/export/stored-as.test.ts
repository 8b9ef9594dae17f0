import { expect, test } from 'vitest'
import { readFloat32 } from '#files/formats'
import { floatsAs, storedAs } from '../../../src/representation/export/stored-as.ts'
import { smallSource } from './small-source.ts'

const source = smallSource({
  wide: { dtype: 'F32', shape: [2], values: [1, 1 / 3] },
  half: { dtype: 'F16', shape: [1], values: [0.5] },
  whole: { dtype: 'I64', shape: [1], values: [7] },
  other: { dtype: 'F32', shape: [1], values: [9] },
})

test('numbers with a fraction are stored in the type asked for, others as they were', async () => {
  const stored = storedAs(source, ['wide', 'half', 'whole'], floatsAs('F16'))
  expect(['wide', 'half', 'whole'].map((name) => stored.info(name))).toMatchObject([
    { dtype: 'F16', shape: [2], byteLength: 4 },
    { dtype: 'F16', byteLength: 2 },
    { dtype: 'I64', byteLength: 8 },
  ])
  // 1/3 as float16: 11 bits of mantissa
  expect([...(await readFloat32(stored, 'wide'))]).toEqual([1, 0.333251953125])
})

test('what keeps its type stays where it lies, what changes lies nowhere', () => {
  const stored = storedAs(source, ['wide', 'half'], floatsAs('F16'))
  expect([stored.locate('wide'), stored.locate('half')?.path]).toEqual([undefined, '/small'])
  expect(storedAs(source, ['wide'], floatsAs(undefined)).locate('wide')?.path).toBe('/small')
})

test('what is not named is not there', async () => {
  const stored = storedAs(source, ['wide'], floatsAs('F32'))
  expect([stored.names(), stored.info('other'), stored.locate('other')]).toEqual([['wide'], undefined, undefined])
  await expect(stored.read('other')).rejects.toThrow(expect.objectContaining({ code: 'tensor.missing' }) as Error)
})

test('the identity tells types and choices apart', async () => {
  const identities = await Promise.all([
    storedAs(source, ['wide'], floatsAs('F16')).identity(),
    storedAs(source, ['wide'], floatsAs('F32')).identity(),
    storedAs(source, ['wide', 'half'], floatsAs('F32')).identity(),
  ])
  expect(new Set(identities).size).toBe(3)
})
