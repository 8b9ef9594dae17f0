import { describe, expect, test } from 'vitest'
import { cutConfig, specOf } from '#model/architectures'
import { bertConfig, llamaConfig } from './small-configs.ts'

const albert = {
  ...bertConfig,
  architectures: ['AlbertModel'],
  model_type: 'albert',
  hidden_act: 'gelu_new',
  embedding_size: 6,
  inner_group_num: 1,
}
const t5 = {
  architectures: ['T5ForConditionalGeneration'],
  model_type: 't5',
  d_ff: 12,
  d_kv: 4,
  d_model: 8,
  is_encoder_decoder: true,
  num_heads: 2,
  num_layers: 3,
  vocab_size: 11,
}
const gptNeo = {
  architectures: ['GPTNeoForCausalLM'],
  model_type: 'gpt_neo',
  activation_function: 'gelu_new',
  attention_types: [[['global', 'local'], 2]],
  attention_layers: ['global', 'local', 'global', 'local'],
  hidden_size: 8,
  num_heads: 2,
  num_layers: 4,
  vocab_size: 11,
  window_size: 5,
}

describe('the first blocks of a model in its own config', () => {
  test('every other word stays', () => {
    const { config, spec } = cutConfig({ ...bertConfig, another: { word: true } }, 1)
    expect(config).toEqual({ ...bertConfig, another: { word: true }, num_hidden_layers: 1 })
    expect(spec.blocks).toEqual(specOf(bertConfig).blocks.slice(0, 1))
  })

  test('a family says its layers under a key of its own, and under each that is there', () => {
    const gpt2 = { architectures: ['GPT2Model'], model_type: 'gpt2', n_embd: 8, n_head: 2, n_layer: 3, vocab_size: 11 }
    expect(cutConfig(gpt2, 2).config).toEqual({ ...gpt2, n_layer: 2 })
    expect(cutConfig({ ...gpt2, num_hidden_layers: 3 }, 2).config).toEqual({
      ...gpt2,
      n_layer: 2,
      num_hidden_layers: 2,
    })
  })

  test('what is said layer by layer is cut with them', () => {
    const types = ['sliding_attention', 'full_attention']
    const qwen = { ...llamaConfig, model_type: 'qwen2', use_sliding_window: true, sliding_window: 5 }
    expect(cutConfig({ ...qwen, layer_types: types }, 1).config['layer_types']).toEqual(['sliding_attention'])
    expect(
      cutConfig({ ...llamaConfig, model_type: 'smollm3', no_rope_layers: [0, 1] }, 1).config['no_rope_layers'],
    ).toEqual([0])
    const { config, spec } = cutConfig(gptNeo, 3)
    expect([config['attention_layers'], config['attention_types']]).toEqual([
      ['global', 'local', 'global'],
      [[['global', 'local', 'global'], 1]],
    ])
    expect(spec.blocks.map(({ window }) => window)).toEqual([undefined, 5, undefined])
  })

  test('layers in groups keep their groups, or are refused', () => {
    const grouped = { ...albert, num_hidden_layers: 5, num_hidden_groups: 2 }
    expect(cutConfig(grouped, 3).config).toMatchObject({ num_hidden_layers: 3, num_hidden_groups: 1 })
    // Of five layers three are of the first group; four layers in two groups would have two.
    expect(() => cutConfig(grouped, 4)).toThrow(expect.objectContaining({ code: 'config.unsupported' }) as Error)
  })

  test('of an encoder and a decoder the encoder is left, under its own class', () => {
    const { config, encoderClass } = cutConfig(t5, 2)
    expect(encoderClass).toBe('T5EncoderModel')
    expect(config).toMatchObject({ architectures: ['T5EncoderModel'], is_encoder_decoder: false, num_layers: 2 })
  })

  test('no blocks at all are no config', () => {
    expect(() => cutConfig(bertConfig, 0)).toThrow(expect.objectContaining({ code: 'config.unsupported' }) as Error)
  })
})
