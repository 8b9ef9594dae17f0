/** CANINE's tokenizer, which needs no file, against transformers. */
import { describe, expect, test } from 'vitest'
import type { RepoFiles } from '#core'
import { loadTokenizer } from '#model/tokenizer'
import { goldenOf } from '../../golden-of.ts'
import { memoryFiles } from './made-folder.ts'

interface Case {
  readonly files: Readonly<Record<string, unknown>>
  readonly ids: readonly (readonly number[])[]
  readonly pairs: readonly (readonly number[])[]
  readonly types: readonly (readonly number[])[]
  readonly decoded: readonly string[]
  readonly bare: readonly string[]
  readonly pad: number
  readonly size: number
}

interface Golden {
  readonly texts: readonly string[]
  readonly pairs: readonly (readonly [string, string])[]
  readonly cases: Readonly<Record<string, Case>>
}

const { texts, pairs, cases } = goldenOf<Golden>('model/tokenizer', 'code-points')

const filesOf = (contents: Readonly<Record<string, unknown>>): RepoFiles =>
  memoryFiles(
    Object.fromEntries(Object.entries(contents).map(([path, value]) => [path, JSON.stringify(value)])),
    'made',
  )

describe.each(Object.entries(cases))('%s', (_, golden) => {
  test('ids, types and decoded texts are those of the reference', async () => {
    const tokenizer = await loadTokenizer(filesOf(golden.files))
    const encoded = await tokenizer.encodeBatch(texts)
    expect(encoded.map((one) => Array.from(one.ids))).toEqual(golden.ids)
    const together = await tokenizer.encodePairs(pairs, { keepEmpty: true })
    expect(together.map((one) => Array.from(one.ids))).toEqual(golden.pairs)
    expect(together.map((one) => Array.from(one.typeIds))).toEqual(golden.types)
    expect([tokenizer.padId, tokenizer.vocabularySize]).toEqual([golden.pad, golden.size])
    const decode = (skipSpecialTokens: boolean) =>
      Promise.all(golden.ids.map((ids) => tokenizer.decode(ids, { skipSpecialTokens })))
    expect(await decode(false)).toEqual(golden.decoded)
    expect(await decode(true)).toEqual(golden.bare)
  })

  test('bare ids, offsets and tokens are those of the characters', async () => {
    const tokenizer = await loadTokenizer(filesOf(golden.files))
    const { ids, ends } = await tokenizer.encodeBare(texts)
    expect(Array.from(ids)).toEqual(texts.flatMap((text) => Array.from(text, (one) => one.codePointAt(0))))
    expect(ends.at(-1)).toBe(ids.length)
    const [first] = await tokenizer.encodeBatch(['é😀\uD800'], { offsets: true })
    expect(Array.from(first?.ids ?? [])).toEqual([0xe000, 0xe9, 0x1f600, 0xfffd, 0xe001])
    expect(Array.from(first?.offsets ?? [])).toEqual([0, 0, 0, 1, 1, 2, 2, 3, 0, 0])
    expect(tokenizer.tokens([0xe9, 0x1f600, 0x110000])).toEqual(['é', '😀', undefined])
  })
})

test('an added token of several characters is refused', async () => {
  const files = filesOf({ 'config.json': { model_type: 'canine' }, 'tokenizer_config.json': { mask_token: '[MASK]' } })
  await expect(loadTokenizer(files)).rejects.toMatchObject({ code: 'tokenizer.invalid' })
})
