/** SentencePiece's `.model` files against transformers, and files that are not what they claim to be. */
import { describe, expect, test } from 'vitest'
import { fault, type RepoFiles } from '#core'
import { loadTokenizer } from '#model/tokenizer'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  readonly path: string
  readonly model: string
  readonly config: Readonly<Record<string, unknown>>
  readonly ids: readonly (readonly number[])[]
  readonly pairs: readonly (readonly number[])[]
}

interface Golden {
  readonly texts: readonly string[]
  readonly pairs: readonly (readonly [string, string])[]
  readonly cases: Readonly<Record<string, Case>>
}

const { texts, pairs, cases } = goldenOf<Golden>('model/tokenizer', 'sentencepiece')

function filesOf(contents: Readonly<Record<string, Uint8Array>>): RepoFiles {
  const bytes = async (path: string): Promise<Uint8Array> => {
    const found = Object.hasOwn(contents, path) ? contents[path] : undefined
    if (found === undefined) throw fault('file.missing', { place: path, what: 'no such file' })
    return found
  }
  return {
    name: 'made',
    revision: undefined,
    list: async () => Object.keys(contents),
    has: async (path) => Object.hasOwn(contents, path),
    local: async (path) => path,
    bytes,
    text: async (path) => Buffer.from(await bytes(path)).toString(),
  }
}

const folderOf = (path: string, model: Uint8Array, config: object): RepoFiles =>
  filesOf({ [path]: model, 'tokenizer_config.json': Buffer.from(JSON.stringify(config)) })

describe.each(Object.entries(cases))('%s', (_, { path, model, config, ids, pairs: pairIds }) => {
  test('token ids are those of the reference', async () => {
    const tokenizer = await loadTokenizer(folderOf(path, Buffer.from(model, 'base64'), config))
    const encoded = await tokenizer.encodeBatch(texts)
    expect(encoded.map((one) => Array.from(one.ids))).toEqual(ids)
    const together = await tokenizer.encodePairs(pairs)
    expect(together.map((one) => Array.from(one.ids))).toEqual(pairIds)
  })
})

const piece = (...inner: readonly number[]): number[] => [0x0a, inner.length, ...inner]

test.each<[string, readonly number[], string]>([
  ['no bytes', [], 'it has no pieces'],
  ['a number that does not end', [0x80, 0x80], 'a number that does not end'],
  ['eleven bytes of a number', Array.from({ length: 12 }, () => 0xff), 'a number that does not end'],
  ['a field past the end', [0x0a, 0xff, 0xff, 0x7f, 0], 'a field runs past the end'],
  ['a group', [0x0b], 'a field of an unknown kind'],
  ['a piece that is not UTF-8', piece(0x0a, 1, 0xff), 'not UTF-8'],
  ['a score that is no number', piece(0x0a, 1, 0x61, 0x15, 0, 0, 0xc0, 0x7f), 'the score of a piece'],
  ['a model of words', [...piece(0x0a, 1, 0x61), 0x12, 2, 0x18, 3], 'a kind that is not read'],
  ['BPE for a class with unigrams', [...piece(0x0a, 1, 0x61), 0x12, 2, 0x18, 2], 'not the kind of model'],
  ['one piece', piece(0x0a, 1, 0x61), 'no piece'],
])('%s is refused', async (_, bytes, words) => {
  const config = { tokenizer_class: 'AlbertTokenizer' }
  await expect(loadTokenizer(folderOf('spiece.model', Uint8Array.from(bytes), config))).rejects.toThrow(
    expect.objectContaining({ code: 'tokenizer.invalid', message: expect.stringContaining(words) as string }) as Error,
  )
})

test('a class that is not read from such files says so', async () => {
  const config = { tokenizer_class: 'XLNetTokenizer' }
  await expect(loadTokenizer(folderOf('spiece.model', new Uint8Array(1), config))).rejects.toThrow(
    /SentencePiece model/,
  )
})
