/** GGUF: blocks against gguf-py bit by bit, the container, and files made to break the reader. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGguf, openTensors } from '#files/formats'
import { goldenOf } from '../../golden-of.ts'
import { gguf, type MadeGguf, text, u32, u64 } from './made-gguf.ts'
import { faultOf, temporaryFolder, withFile } from './made-files.ts'

interface BlockCase {
  readonly type: number
  readonly columns: number
  readonly blocks: string
  readonly values: string
}

const { cases } = goldenOf<{ cases: Readonly<Record<string, BlockCase>> }>('files/formats', 'gguf-blocks')
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))
const floats = (...values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer)

test.each(Object.entries(cases))(
  '%s is decoded as gguf-py does, to the last bit',
  async (_, { type, columns, blocks, values }) => {
    const file = gguf({ tensors: [{ name: 'a', shape: [3, columns], type, bytes: bytesOf(blocks) }] })
    await withFile(folder.path, file, '.gguf', async (source) => {
      expect(source.info('a')).toEqual({ name: 'a', dtype: 'F32', shape: [3, columns], byteLength: 12 * columns })
      expect(source.locate('a')).toBeUndefined()
      expect(Buffer.from(await source.read('a')).toString('base64')).toBe(values)
    })
  },
)

describe('the container', () => {
  const made: MadeGguf = {
    pairs: [
      ['general.architecture', { text: 'llama' }],
      ['llama.block_count', { u32: 2 }],
      ['llama.rope.freq_base', { f32: 10_000 }],
      ['tokenizer.ggml.add_bos_token', { bool: true }],
      ['tokenizer.ggml.tokens', { texts: ['<s>', 'ä', ''] }],
      ['tokenizer.ggml.token_type', { ints: [3, 1, 1] }],
      ['tokenizer.ggml.scores', { floats: [0, -1, -2] }],
    ],
    tensors: [
      { name: 'norm', shape: [3], type: 0, bytes: floats(1, 2, 3) },
      { name: 'half', shape: [2, 1], type: 1, bytes: new Uint8Array([0, 60, 0, 64]) },
    ],
  }

  test.each([2, 3])('version %i is read: pairs, shapes, places', async (version) => {
    const path = join(folder.path, `made-${version}.gguf`)
    await writeFile(path, gguf({ ...made, version }))
    const { metadata, tensors } = await openGguf(path)
    expect(Object.fromEntries(metadata)).toEqual({
      'general.architecture': 'llama',
      'llama.block_count': 2,
      'llama.rope.freq_base': 10_000,
      'tokenizer.ggml.add_bos_token': true,
      'tokenizer.ggml.tokens': ['<s>', 'ä', ''],
      'tokenizer.ggml.token_type': [3, 1, 1],
      'tokenizer.ggml.scores': [0, -1, -2],
    })
    expect(tensors.names()).toEqual(['norm', 'half'])
    expect(tensors.info('half')).toMatchObject({ dtype: 'F16', shape: [2, 1] })
    expect(await tensors.read('norm')).toEqual(floats(1, 2, 3))
    expect(tensors.locate('half')).toMatchObject({ byteLength: 4 })
    await tensors.close()
  })

  test('a file may be longer than a piece of its header', async () => {
    const words = Array.from({ length: 200_000 }, (_, i) => `word ${i}`)
    const path = join(folder.path, 'long.gguf')
    await writeFile(path, gguf({ pairs: [['words', { texts: words }]] }))
    const { metadata, tensors } = await openGguf(path)
    expect(metadata.get('words')).toEqual(words)
    await tensors.close()
  })
})

const one = (more: object): MadeGguf => ({
  tensors: [{ name: 'a', shape: [2], type: 0, bytes: floats(1, 2), ...more }],
})
const head = (...parts: readonly Buffer[]): Buffer => Buffer.concat([Buffer.from('GGUF'), u32(3), ...parts])

test.each<[string, Buffer, string, string]>([
  ['no bytes after the mark', Buffer.from('GGUF'), 'format.gguf', 'header runs past the end of the file'],
  ['version 1', gguf({ version: 1 }), 'format.gguf', 'a version that is not read – 1'],
  ['big-endian', gguf({ version: 3 << 24 }), 'format.gguf', 'big-endian'],
  ['2^60 tensors', head(u64(2n ** 60n), u64(0)), 'format.gguf', 'more tensors than the file can hold'],
  ['2^60 pairs', head(u64(0), u64(2n ** 60n)), 'format.gguf', 'more pairs than the file can hold'],
  ['more pairs than are there', gguf({ ...one({}), pairCount: 3 }), 'format.gguf', 'key  occurs twice'],
  ['a key of 2^62 bytes', head(u64(0), u64(1), u64(2n ** 62n), u64(0), u64(0)), 'format.gguf', 'bytes of a text'],
  [
    'a list of 2^62 values',
    head(u64(0), u64(1), text('k'), u32(9), u32(4), u64(2n ** 62n)),
    'format.gguf',
    'values of k',
  ],
  ['a list of lists', head(u64(0), u64(1), text('k'), u32(9), u32(9), u64(1)), 'format.gguf', 'lists of lists'],
  ['a value of type 13', head(u64(0), u64(1), text('k'), u32(13), u64(1)), 'format.gguf', 'unknown type – 13'],
  [
    'a list of type 13',
    head(u64(0), u64(1), text('k'), u32(9), u32(13), u64(1), u64(1)),
    'format.gguf',
    'unknown type – 13',
  ],
  [
    'a key twice',
    gguf({
      pairs: [
        ['k', { u32: 1 }],
        ['k', { u32: 2 }],
      ],
    }),
    'format.gguf',
    'key k occurs twice',
  ],
  [
    'a key that is not UTF-8',
    head(u64(0), u64(1), u64(1), Buffer.from([255]), u32(4), u64(1)),
    'format.gguf',
    'not UTF-8',
  ],
  ['five dimensions', gguf(one({ shape: [1, 1, 1, 1, 2] })), 'format.gguf', 'too many dimensions – 5'],
  ['an unknown type', gguf(one({ type: 99 })), 'tensor.dtype', 'a type that is not read – 99'],
  ['a type whose blocks are not read', gguf(one({ type: 16 })), 'tensor.dtype', 'IQ2_XXS'],
  ['rows that are no whole blocks', gguf(one({ type: 2, shape: [48] })), 'tensor.shape', 'no whole blocks of Q4_0'],
  ['a tensor past the end', gguf(one({ shape: [9] })), 'format.gguf', 'tensor ends past the file'],
  ['a shape of 2^62 rows', gguf(one({ shape: [2 ** 52, 2 ** 52] })), 'format.gguf', 'tensor ends past the file'],
  ['an offset past the end', gguf(one({ offset: 2 ** 40 })), 'format.gguf', 'tensor ends past the file'],
  ['an offset that is not aligned', gguf(one({ offset: 4 })), 'format.gguf', 'data is not aligned'],
  [
    'an alignment of 0',
    gguf({ ...one({}), pairs: [['general.alignment', { u32: 0 }]] }),
    'format.gguf',
    'not an alignment – 0',
  ],
  [
    'tensors that overlap',
    gguf({
      tensors: [
        { name: 'a', shape: [16], type: 0, bytes: new Uint8Array(64) },
        { name: 'b', shape: [2], type: 0, bytes: floats(1, 2), offset: 32 },
      ],
    }),
    'format.gguf',
    'tensors overlap',
  ],
  [
    'a name twice',
    gguf({
      tensors: [
        { name: 'a', shape: [2], type: 0, bytes: floats(1, 2) },
        { name: 'a', shape: [2], type: 0, bytes: floats(1, 2) },
      ],
    }),
    'format.gguf',
    'tensor a occurs twice',
  ],
  [
    'a file cut within its header',
    gguf({ pairs: [['k', { text: 'a long text' }]] }).subarray(0, 40),
    'format.gguf',
    'header runs past the end',
  ],
])('%s is refused', async (_, bytes, code, words) => {
  const path = join(folder.path, 'hostile.gguf')
  await writeFile(path, bytes)
  const fault = await faultOf(async () => (await openTensors(path)).close())
  expect(fault?.code).toBe(code)
  expect(fault?.message).toMatch(new RegExp(words.replaceAll(/[.^$()[\]]/g, String.raw`\$&`)))
  expect(fault?.message).toContain(path)
})
