import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { layoutOf } from '../../src/merge/index.ts'
import { layerPosition, type Setting, settingAt } from '../../src/merge/settings.ts'
import { joinVocabularies } from '../../src/merge/join-vocabularies.ts'
import { meanOfOwners, paddingRow } from '../../src/merge/vocabulary.ts'
import type { TokenizerRecipe } from '../../src/merge/recipe.ts'
import { shared, sharedPath } from '../shared.ts'

interface Vectors {
  parameter_vectors: { id: string; tensor: string; setting: Setting; t: number; expected: number | null }[]
  gradient_t: { slice_layers: number; t: number[] }[]
  shard_vectors: { max_shard_size: number; tensors: [string, number][]; expected_files: string[][]; expected_names: string[]; index_total_size: number }[]
  tokenizer_vectors: {
    models: Record<string, { tokens: string[]; added_tokens: string[]; config_vocab_size: number }>
    base_model: string
    cases: { id: string; tokenizer: RawTokenizer; expected: { vocab: string[]; per_model_rows: Record<string, number[]>; vocab_size: number } }[]
  }
}
interface RawTokenizer {
  source: string
  pad_to_multiple_of?: number
  tokens?: Record<string, { source: string; force?: boolean }>
}

describe.skipIf(!shared)('the recorded vectors of the configuration language', () => {
  let vectors: Vectors
  beforeAll(() => {
    vectors = JSON.parse(readFileSync(sharedPath('specs', 'merge_vectors.json'), 'utf8')) as Vectors
  })

  test('settings at a tensor', () => {
    for (const { id, tensor, setting, t, expected } of vectors.parameter_vectors) {
      const value = settingAt(setting, tensor, t, id)
      // interpolation may round in its last bit
      if (expected === null) expect(value, id).toBeNull()
      else expect(Math.abs(Number(value) - expected), id).toBeLessThan(1e-12)
    }
    expect(vectors.parameter_vectors).toHaveLength(14)
  })

  test('positions of layers in a slice', () => {
    for (const { slice_layers: layers, t } of vectors.gradient_t) expect(t.map((_, i) => layerPosition(i, layers))).toEqual(t)
  })

  test('packing of shards', () => {
    for (const { max_shard_size: limit, tensors, expected_files: files, expected_names: names, index_total_size: total } of vectors.shard_vectors) {
      const layout = layoutOf(
        tensors.map(([name, bytes]) => ({ name, dtype: 'U8', shape: [bytes] })),
        limit,
      )
      expect(layout.shards.map((shard) => shard.tensors.map(({ name }) => name))).toEqual(files)
      expect(layout.shards.map(({ file }) => file)).toEqual(names)
      expect(layout.totalBytes).toBe(total)
    }
  })

  test('joined vocabularies and the rows they take', () => {
    const { models, base_model: base, cases } = vectors.tokenizer_vectors
    const names = Object.keys(models)
    const inputs = names.map((name) => {
      const { tokens, added_tokens: added, config_vocab_size: rows } = models[name]!
      return {
        name,
        rows,
        json: {
          model: { type: 'WordLevel', vocab: Object.fromEntries(tokens.map((token, id) => [token, id])) },
          added_tokens: added.map((content, i) => ({ id: tokens.length + i, content, special: true })),
        },
      }
    })
    for (const { id, tokenizer, expected } of cases) {
      const { plan, tokenizer: made } = joinVocabularies(recipeOf(tokenizer), inputs, names, names.indexOf(base))
      expect(plan.rows, id).toBe(expected.vocab_size)
      const { added_tokens: added = [], model } = made as { added_tokens?: { id: number; content: string }[]; model: { vocab: Record<string, number> } }
      const byId: string[] = []
      for (const [token, row] of [...Object.entries(model.vocab), ...added.map(({ content, id: row }): [string, number] => [content, row])]) byId[row] = token
      expect(byId.slice(0, expected.vocab.length), id).toEqual(expected.vocab)
      names.forEach((name, k) => {
        const value = (input: number, row: number): number => 100 * (input + 1) + row
        const pick = plan.picks[k]!
        const rows: number[] = []
        for (let row = 0; row < plan.rows; row++) {
          const [input, at] = [pick.input[row]!, pick.row[row]!]
          const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length
          if (input === meanOfOwners) rows.push(mean((plan.owners.get(row) ?? []).map(([one, its]) => value(one, its))))
          else rows.push(input === paddingRow ? mean(rows.slice(0, plan.tokens)) : value(input, at))
        }
        rows.forEach((row, i) => expect(Math.abs(row - (expected.per_model_rows[name]?.[i] ?? NaN)), `${id} › ${name} › ${i}`).toBeLessThan(1e-9))
      })
    }
  })
})

function recipeOf({ source, pad_to_multiple_of: pad, tokens = {} }: RawTokenizer): TokenizerRecipe {
  return {
    source: source === 'union' || source === 'base' ? source : { model: source },
    padToMultipleOf: pad,
    tokens: Object.fromEntries(Object.entries(tokens).map(([token, { source: model, force = false }]) => [token, { source: { kind: 'model', model }, force }])),
  }
}
