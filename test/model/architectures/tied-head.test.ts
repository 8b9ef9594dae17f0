import { describe, expect, test } from 'vitest'
import { decoderOf, tiedHead, untiedConfig } from '#model/architectures'
import { bertConfig, llamaConfig } from './small-configs.ts'

const names = ['model.embed_tokens.weight', 'model.layers.0.self_attn.q_proj.weight', 'model.norm.weight']
const encoderNames = ['bert.embeddings.word_embeddings.weight', 'cls.predictions.transform.dense.weight']

describe('the head that a config ties', () => {
  test.each<[string, Record<string, unknown>, readonly string[], string | undefined]>([
    ['a tied decoder', { ...llamaConfig, tie_word_embeddings: true }, names, 'lm_head.weight'],
    ['a decoder that is not tied', { ...llamaConfig, tie_word_embeddings: false }, names, undefined],
    [
      'a family that ties without a word',
      { model_type: 'gpt2', n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 9 },
      ['wte.weight'],
      'lm_head.weight',
    ],
    ['an encoder with its masked head', { ...bertConfig }, encoderNames, 'cls.predictions.decoder.weight'],
    ['an encoder alone', { ...bertConfig }, encoderNames.slice(0, 1), undefined],
    ['a family that is not known', { model_type: 'other', tie_word_embeddings: true }, names, 'lm_head.weight'],
  ])('%s', (_name, config, stored, head) => {
    expect(tiedHead(config, stored)?.head).toBe(head)
  })
})

describe('a config whose two tables are stored', () => {
  const tieOf = (config: Record<string, unknown>): unknown => untiedConfig(config)['tie_word_embeddings']

  test('no longer ties them, written or by default', () => {
    expect(tieOf({ ...llamaConfig, tie_word_embeddings: true })).toBe(false)
    expect(tieOf({ model_type: 'gpt2', n_embd: 8, n_layer: 1, n_head: 2, vocab_size: 9 })).toBe(false)
    expect(tieOf({ model_type: 'other', tie_word_embeddings: true })).toBe(false)
  })

  test('stays as it is where nothing was tied, and where the flag scales states too', () => {
    expect(tieOf({ ...llamaConfig, tie_word_embeddings: false })).toBe(false)
    expect(untiedConfig({ model_type: 'other' })).toEqual({ model_type: 'other' })
    expect(tieOf({ ...t5, model_type: 't5', tie_word_embeddings: true })).toBe(true)
  })
})

const t5 = { d_model: 8, d_kv: 4, d_ff: 16, num_layers: 1, num_heads: 2, vocab_size: 20, pad_token_id: 0 }

test('states are scaled in front of a tied head by T5, never by mT5', () => {
  const steps = (model: string): string[] =>
    decoderOf({ ...t5, model_type: model, tie_word_embeddings: true })?.spec.heads.causal?.steps.map(
      (step) => step.do,
    ) ?? []
  expect([steps('t5'), steps('mt5')]).toEqual([['scale', 'vocabulary'], ['vocabulary']])
})

test('a T5 that transformers 5 has written is tied, and says whether it scales', () => {
  const steps = (more: Record<string, unknown>): string[] =>
    decoderOf({ ...t5, model_type: 't5', ...more })?.spec.heads.causal?.steps.map((step) => step.do) ?? []
  expect(steps({ tie_word_embeddings: true, scale_decoder_outputs: false })).toEqual(['vocabulary'])
  expect(steps({ tie_word_embeddings: true, scale_decoder_outputs: true })).toEqual(['scale', 'vocabulary'])
  expect(steps({ tie_word_embeddings: false })).toEqual(['vocabulary'])
})
