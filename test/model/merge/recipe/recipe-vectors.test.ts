import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { layoutOf } from '#model/merge'
import { layerPosition, type Setting, settingAt } from '../../../../src/model/merge/recipe/settings.ts'
import { joinVocabularies } from '../../../../src/model/merge/plan/join-vocabularies.ts'
import {
  meanOfOwners,
  paddingRow,
  tensorRows,
  type VocabularyPlan,
} from '../../../../src/model/merge/plan/vocabulary.ts'
import type { TokenizerRecipe } from '../../../../src/model/merge/recipe/recipe.ts'
import { shared, sharedPath } from '../../../shared.ts'

interface Vectors {
  parameter_vectors: { id: string; tensor: string; setting: Setting; t: number; expected: number | null }[]
  gradient_t: { slice_layers: number; t: number[] }[]
  shard_vectors: {
    max_shard_size: number
    tensors: [string, number][]
    expected_files: string[][]
    expected_names: string[]
    index_total_size: number
  }[]
  tokenizer_vectors: {
    models: Record<string, { tokens: string[]; added_tokens: string[]; config_vocab_size: number }>
    base_model: string
    cases: {
      id: string
      tokenizer: RawTokenizer
      expected: { vocab: string[]; per_model_rows: Record<string, number[]>; vocab_size: number }
    }[]
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
    const off = vectors.parameter_vectors.filter(({ id, tensor, setting, t, expected }) => {
      const value = settingAt(setting, tensor, t, id)
      // interpolation may round in its last bit
      return expected === null || value === null ? value !== expected : Math.abs(Number(value) - expected) > 1e-12
    })
    expect(off.map(({ id }) => id)).toEqual([])
    expect(vectors.parameter_vectors).toHaveLength(14)
  })

  test('positions of layers in a slice', () => {
    for (const { slice_layers: layers, t } of vectors.gradient_t)
      expect(t.map((_, i) => layerPosition(i, layers))).toEqual(t)
  })

  test('packing of shards', () => {
    for (const {
      max_shard_size: limit,
      tensors,
      expected_files: files,
      expected_names: names,
      index_total_size: total,
    } of vectors.shard_vectors) {
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
      const {
        tokens,
        added_tokens: added,
        config_vocab_size: rows,
      } = models[name] ?? { tokens: [], added_tokens: [], config_vocab_size: 0 }
      return {
        name,
        rows,
        json: {
          model: { type: 'WordLevel', vocab: Object.fromEntries(tokens.map((token, id) => [token, id])) },
          added_tokens: added.map((content, i) => ({ id: tokens.length + i, content, special: true })),
        },
      }
    })
    const seen = cases.map(({ id, tokenizer }) => {
      const { plan, tokenizer: made } = joinVocabularies(recipeOf(tokenizer), inputs, {
        models: names,
        base: names.indexOf(base),
      })
      return {
        id,
        vocab: tokensOf(made).slice(0, plan.tokens),
        per_model_rows: Object.fromEntries(names.map((name, k) => [name, rowsOf(plan, k)])),
        vocab_size: plan.rows,
      }
    })
    // means of a few numbers may round in their last bits
    const rounded = (rows: Record<string, number[]>): Record<string, number[]> =>
      Object.fromEntries(
        Object.entries(rows).map(([name, values]) => [name, values.map((value) => Math.round(value * 1e9) / 1e9)]),
      )
    expect(seen.map((one) => ({ ...one, per_model_rows: rounded(one.per_model_rows) }))).toEqual(
      cases.map(({ id, expected: { vocab, per_model_rows: rows, vocab_size: size } }) => ({
        id,
        vocab,
        per_model_rows: rounded(rows),
        vocab_size: size,
      })),
    )
  })
})

function tokensOf(json: unknown): (string | undefined)[] {
  const { added_tokens: added = [], model } = json as {
    added_tokens?: { id: number; content: string }[]
    model: { vocab: Record<string, number> }
  }
  const byId: (string | undefined)[] = []
  for (const [token, id] of [
    ...Object.entries(model.vocab),
    ...added.map(({ content, id }): [string, number] => [content, id]),
  ])
    byId[id] = token
  return byId
}

/** Rows of model k as the vectors make them up: 100 × (model + 1) + id. */
function rowsOf(plan: VocabularyPlan, k: number): number[] {
  const { rows: count, tokens } = plan
  const { picks, owners } = tensorRows(plan, [...plan.own.keys()], 'embedding')
  const value = (input: number, row: number): number => 100 * (input + 1) + row
  const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length
  const rows: number[] = []
  for (let row = 0; row < count; row++) {
    const [input = NaN, at = NaN] = [picks.get(k)?.input[row], picks.get(k)?.row[row]]
    if (input === meanOfOwners) rows.push(mean((owners.get(row) ?? []).map(([one, its]) => value(one, its))))
    else rows.push(input === paddingRow ? mean(rows.slice(0, tokens)) : value(input, at))
  }
  return rows
}

function recipeOf({ source, pad_to_multiple_of: pad, tokens = {} }: RawTokenizer): TokenizerRecipe {
  return {
    source: source === 'union' || source === 'base' ? source : { model: source },
    padToMultipleOf: pad,
    tokens: Object.fromEntries(
      Object.entries(tokens).map(([token, { source: model, force = false }]) => [
        token,
        { source: { kind: 'model', model }, force },
      ]),
    ),
  }
}
