/**
 * Small tokenizers under many configurations against transformers 4.57.6 (oracles/tokenizer.py): ids, offsets,
 * masks, pairs, truncation, sides.
 */
import { describe, expect, test } from 'vitest'
import { type Encoded, loadTokenizer } from '#model/tokenizer'
import { memoryFiles } from './made-folder.ts'
import { goldenOf } from '../../golden-of.ts'

interface Golden {
  files: Record<string, string>
  texts: string[]
  pairs: [string, string][]
  repos: GoldenRepo[]
}

interface GoldenRepo {
  name: string
  links: Record<string, string>
  inline: Record<string, unknown>
  size: number
  pad_id: number | null
  padding_side: string
  truncation_side: string
  special: Record<string, string>
  ids: number[][]
  offsets: number[][]
  mask: number[][]
  cut: number[][]
  pair_ids: number[][]
  pair_types: number[][]
  pair_cut: number[][]
}

const golden = goldenOf<Golden>('model/tokenizer', 'transformers-4.57.6')
const { texts } = golden
const idsOf = (encoded: readonly Encoded[]): number[][] => encoded.map(({ ids }) => [...ids])

describe.each(golden.repos)('$name', (repo) => {
  const linked = Object.entries(repo.links).map(([path, file]) => [path, golden.files[file] ?? ''])
  const inline = Object.entries(repo.inline).map(([path, value]) => [path, JSON.stringify(value)])
  const open = () => loadTokenizer(memoryFiles(Object.fromEntries([...linked, ...inline]) as Record<string, string>))
  // The reference encodes a list of pairs with an empty second text as pairs, one such pair as a single text; ours is
  // the latter everywhere.
  const pairs = golden.pairs.filter(([, second]) => second !== '')

  test('has the same size, sides, padding and special tokens', async () => {
    const { vocabularySize: size, padId, paddingSide, truncationSide, specialTokens } = await open()
    expect({
      size,
      pad_id: padId ?? null,
      padding_side: paddingSide,
      truncation_side: truncationSide,
      special: specialTokens,
    }).toEqual({
      size: repo.size,
      pad_id: repo.pad_id,
      padding_side: repo.padding_side,
      truncation_side: repo.truncation_side,
      special: repo.special,
    })
  })

  test('gives the same ids, offsets and masks', async () => {
    const encoded = await (await open()).encodeBatch(texts, { offsets: true, specialTokensMask: true })
    expect(encoded.map(({ ids }, index) => [texts[index], [...ids]])).toEqual(
      repo.ids.map((ids, index) => [texts[index], ids]),
    )
    expect(encoded.map(({ offsets }) => [...(offsets ?? [])])).toEqual(repo.offsets)
    expect(encoded.map(({ specialTokensMask }) => [...(specialTokensMask ?? [])])).toEqual(repo.mask)
  })

  test('cuts texts and pairs at the same place', async () => {
    const tokenizer = await open()
    expect(idsOf(await tokenizer.encodeBatch(texts, { maxLength: 5 }))).toEqual(repo.cut)
    expect(idsOf(await tokenizer.encodePairs(pairs, { maxLength: 9 }))).toEqual(repo.pair_cut)
  })

  test('gives the same pairs', async () => {
    const encoded = await (await open()).encodePairs(pairs)
    expect(idsOf(encoded)).toEqual(repo.pair_ids)
    expect(encoded.map(({ typeIds }) => [...typeIds])).toEqual(repo.pair_types)
  })
})
