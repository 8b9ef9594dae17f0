/** One meaning, many spellings: what releases of transformers have written over the years reads alike. */
import { describe, expect, test } from 'vitest'
import { configNotices, specOf, type ModelSpec, type Rotary } from '#model/architectures'
import { bertConfig, llamaConfig } from './small-configs.ts'

function tables(spec: ModelSpec): readonly Rotary[] {
  return spec.attention.positions.kind === 'rotary' ? spec.attention.positions.tables : []
}

/** `llamaConfig` rotates heads of 4 columns: two frequencies. */
function longrope(more: object): Record<string, unknown> {
  return { rope_scaling: { rope_type: 'longrope', short_factor: [1, 1], long_factor: [2, 2], ...more } }
}

const { rope_theta: _theta, ...unthetaed } = llamaConfig

describe('rotary positions', () => {
  test.each([
    ['rope_type', { rope_type: 'linear', factor: 2 }],
    ['type', { type: 'linear', factor: 2 }],
    ['both', { type: 'linear', rope_type: 'linear', factor: 2 }],
  ])('rope_scaling says its kind by %s', (_name, scaling) => {
    expect(tables(specOf({ ...llamaConfig, rope_scaling: scaling }))[0]?.scaling).toEqual({ kind: 'linear', factor: 2 })
  })

  test('rope_parameters of transformers 5 hold base, share and scaling', () => {
    const [rotary] = tables(
      specOf({
        ...unthetaed,
        rope_parameters: { rope_type: 'linear', factor: 2, rope_theta: 77, partial_rotary_factor: 0.5 },
      }),
    )
    expect(rotary).toEqual({
      width: 2,
      base: 77,
      interleaved: false,
      magnitude: 1,
      scaling: { kind: 'linear', factor: 2 },
    })
  })

  test('rope_parameters per layer type are told apart', () => {
    const gemma = { ...unthetaed, model_type: 'gemma3_text', head_dim: 4, sliding_window: 4, query_pre_attn_scalar: 4 }
    const parameters = {
      full_attention: { rope_type: 'linear', factor: 8, rope_theta: 500 },
      sliding_attention: { rope_type: 'default', rope_theta: 50 },
    }
    const old = specOf({
      ...gemma,
      rope_theta: 500,
      rope_local_base_freq: 50,
      rope_scaling: { rope_type: 'linear', factor: 8 },
    })
    expect(tables(specOf({ ...gemma, rope_parameters: parameters }))).toEqual(tables(old))
    expect(tables(old).map(({ base }) => base)).toEqual([500, 50])
  })

  test.each([null, undefined, {}])('rope_scaling %j is none', (scaling) => {
    expect(tables(specOf({ ...llamaConfig, rope_scaling: scaling }))[0]?.scaling).toEqual({ kind: 'default' })
  })

  // transformers 5.24.0: base, scaling and magnitude of LlamaRotaryEmbedding for such a config
  test.each<[string, Record<string, unknown>, Partial<Rotary>]>([
    ['a base inside', { rope_scaling: { rope_type: 'default', rope_theta: 5e5 } }, { base: 5e5 }],
    [
      'a base inside and one outside',
      { rope_theta: 1000, rope_scaling: { rope_type: 'linear', factor: 2, rope_theta: 5e5 } },
      { base: 5e5, scaling: { kind: 'linear', factor: 2 } },
    ],
    [
      'two kinds',
      { rope_scaling: { rope_type: 'linear', type: 'default', factor: 2 } },
      { scaling: { kind: 'linear', factor: 2 } },
    ],
    [
      'both sections',
      { rope_parameters: { rope_type: 'default', rope_theta: 77 }, rope_scaling: { rope_type: 'linear', factor: 2 } },
      { base: 10_000, scaling: { kind: 'linear', factor: 2 } },
    ],
    [
      'an empty older section',
      { rope_parameters: { rope_type: 'default', rope_theta: 77 }, rope_scaling: {} },
      { base: 77 },
    ],
    [
      'a trained length inside and one outside',
      {
        original_max_position_embeddings: 16,
        rope_scaling: { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32 },
      },
      { scaling: expect.objectContaining({ factor: 4, trainedLength: 16 }) as Rotary['scaling'], magnitude: 1.138629 },
    ],
    [
      'yarn with the lengths alone',
      { rope_scaling: { rope_type: 'yarn', factor: null, original_max_position_embeddings: 16 } },
      { scaling: expect.objectContaining({ factor: 4, trainedLength: 16 }) as Rotary['scaling'], magnitude: 1.138629 },
    ],
    [
      'llama3 without a trained length',
      { rope_scaling: { rope_type: 'llama3', factor: 4, low_freq_factor: 1, high_freq_factor: 4 } },
      { scaling: { kind: 'llama3', factor: 4, low: 1, high: 4, trainedLength: 64 } },
    ],
    [
      'longrope with factor and length',
      longrope({ factor: 8, original_max_position_embeddings: 32 }),
      { magnitude: 1.264911 },
    ],
    ['longrope with a length', longrope({ original_max_position_embeddings: 32 }), { magnitude: 1.095445 }],
    ['longrope with a factor', longrope({ factor: 8 }), { magnitude: 1.224745 }],
  ])('%s is read as transformers 5 does', (_name, config, { magnitude, ...wanted }) => {
    const [rotary] = tables(specOf({ ...unthetaed, max_position_embeddings: 64, ...config }))
    expect(rotary).toMatchObject(wanted)
    expect(rotary?.magnitude).toBeCloseTo(magnitude ?? 1, 6)
  })

  test.each<[Record<string, unknown>, string[]]>([
    [{}, []],
    [{ rope_scaling: { rope_type: 'default', rope_theta: 5e5 } }, []],
    [
      { rope_theta: 1000, rope_scaling: { rope_type: 'default', rope_theta: 5e5 } },
      ['two values of rope_theta: 500000 inside rope_scaling counts'],
    ],
    [{ rope_scaling: { rope_type: 'linear', type: 'default', factor: 2 } }, ['rope_type linear and type default']],
    [
      { rope_parameters: { rope_theta: 7 }, rope_scaling: { rope_type: 'linear', factor: 2 } },
      ['rope_scaling and rope_parameters: rope_scaling counts'],
    ],
    [{ model_type: 'gemma', hidden_act: 'gelu' }, ['hidden_act gelu of this family means its tanh approximation']],
    [{ model_type: 'gemma', hidden_act: 'gelu_pytorch_tanh' }, []],
    [{ hidden_act: 'gelu' }, []],
  ])('what is not clear in %j has a notice', (config, wanted) => {
    expect(configNotices({ ...unthetaed, ...config })).toEqual(
      wanted.map((part) => expect.stringContaining(part) as string),
    )
  })

  test('su is the older name of longrope, and its magnitude follows from the lengths', () => {
    const phi3 = {
      ...llamaConfig,
      model_type: 'phi3',
      max_position_embeddings: 48,
      original_max_position_embeddings: 16,
    }
    const [rotary] = tables(
      specOf({ ...phi3, rope_scaling: { type: 'su', short_factor: [1, 2], long_factor: [3, 4] } }),
    )
    expect(rotary?.scaling).toEqual({ kind: 'longrope', trainedLength: 16, short: [1, 2], long: [3, 4] })
    // √(1 + ln(48/16) / ln 16)
    expect(rotary?.magnitude).toBeCloseTo(1.1816, 4)
  })

  test('gelu of Gemma is its tanh approximation, as of no other family', () => {
    const activation = (config: object): string => {
      const { mlp } = specOf({ ...llamaConfig, ...config, hidden_act: 'gelu' })
      return 'activation' in mlp ? mlp.activation : ''
    }
    expect([activation({ model_type: 'gemma', head_dim: 4 }), activation({})]).toEqual(['gelu_new', 'gelu'])
  })

  test('yarn sharpens attention by 0.1 ln(factor) + 1 unless told otherwise', () => {
    const yarn = (more: object): number | undefined =>
      tables(specOf({ ...llamaConfig, rope_scaling: { rope_type: 'yarn', factor: 4, ...more } }))[0]?.magnitude
    expect(yarn({})).toBeCloseTo(0.1 * Math.log(4) + 1, 12)
    expect(yarn({ attention_factor: 1.5 })).toBe(1.5)
    expect(yarn({ mscale: 1, mscale_all_dim: 1 })).toBe(1)
  })
})

describe('layer types', () => {
  const qwen = { ...llamaConfig, model_type: 'qwen2', num_hidden_layers: 3, sliding_window: 5 }
  const windows = (config: object): (number | undefined)[] => specOf(config).blocks.map(({ window }) => window)

  test('are derived where they are left out', () => {
    expect(windows({ ...qwen, use_sliding_window: true, max_window_layers: 1 })).toEqual([undefined, 5, 5])
    expect(windows({ ...qwen, use_sliding_window: false, max_window_layers: 1 })).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('count where they are written', () => {
    const types = ['sliding_attention', 'full_attention', 'sliding_attention']
    expect(windows({ ...qwen, use_sliding_window: true, max_window_layers: 1, layer_types: types })).toEqual([
      5,
      undefined,
      5,
    ])
  })

  test.each([
    [['full_attention'], 'config.value'],
    [['full_attention', 'chunked_attention', 'full_attention'], 'config.unsupported'],
  ])('%j are refused', (types, code) => {
    expect(() => specOf({ ...qwen, use_sliding_window: true, layer_types: types })).toThrow(
      expect.objectContaining({ code }) as Error,
    )
  })

  test('a window of null is none, a missing one the default', () => {
    const mistral = { ...llamaConfig, model_type: 'mistral' }
    expect(windows({ ...mistral, sliding_window: null })).toEqual([undefined, undefined])
    expect(windows(mistral)).toEqual([4096, 4096])
  })
})

describe('the class named in architectures', () => {
  test.each([
    ['BertModel', undefined],
    ['BertForMaskedLM', 'masked'],
    ['BertForPreTraining', 'masked'],
    ['BertForSequenceClassification', 'sequence'],
    ['BertLMHeadModel', 'causal'],
    ['BertForTokenClassification', undefined],
  ])('%s carries head %s', (className, head) => {
    expect(specOf({ ...bertConfig, architectures: [className] }).head).toBe(head)
  })

  test.each([
    ['BertForMaskedLM', 'bert'],
    ['XLMRobertaForSequenceClassification', 'xlm-roberta'],
    ['CamembertModel', 'camembert'],
  ])('%s stands for a missing model type (%s)', (className, modelType) => {
    expect(specOf({ ...bertConfig, model_type: undefined, architectures: [className] }).modelType).toBe(modelType)
  })

  test.each([
    ['LlamaForCausalLM', 'llama'],
    ['GPTNeoXForCausalLM', 'gpt_neox'],
    ['Qwen2Model', 'qwen2'],
    ['Gemma3ForCausalLM', 'gemma3_text'],
    ['Gemma3TextModel', 'gemma3_text'],
  ])('%s stands for a missing model type of a decoder (%s)', (className, modelType) => {
    expect(
      specOf({ ...llamaConfig, model_type: undefined, rotary_pct: 0.5, architectures: [className] }).modelType,
    ).toBe(modelType)
  })
})

describe('sizes of other families', () => {
  test('positions in front of the first one do not count as room', () => {
    expect(specOf({ ...bertConfig, model_type: 'roberta', pad_token_id: 1 }).maxTokens).toBe(14)
    expect(specOf({ ...bertConfig, model_type: 'mpnet' }).maxTokens).toBe(14)
    expect(specOf(bertConfig).maxTokens).toBe(16)
  })

  test('labels come by number from id2label, else from num_labels', () => {
    expect(specOf({ ...bertConfig, id2label: { 1: 'b', 0: 'a' } }).labels).toEqual(['a', 'b'])
    expect(specOf({ ...bertConfig, num_labels: 2 }).labels).toEqual(['LABEL_0', 'LABEL_1'])
    expect(specOf(bertConfig).labels).toBeUndefined()
  })

  test('a decoder of BERT looks back only', () => {
    expect(specOf({ ...bertConfig, is_decoder: true }).causal).toBe(true)
    expect(specOf(bertConfig).causal).toBe(false)
  })

  test.each([
    ['relu', { kind: 'plain', activation: 'relu' }],
    ['gated-gelu', { kind: 'gated', activation: 'gelu_new' }],
    ['gated-silu', { kind: 'gated', activation: 'silu' }],
  ])('feed_forward_proj %s', (written, mlp) => {
    const t5 = { model_type: 't5', d_model: 8, d_kv: 4, d_ff: 12, num_heads: 2, num_layers: 2, vocab_size: 11 }
    expect(specOf({ ...t5, feed_forward_proj: written }).mlp).toMatchObject(mlp)
    expect(() => specOf({ ...t5, feed_forward_proj: `double-${written}-x` })).toThrow(
      expect.objectContaining({ code: 'config.value' }) as Error,
    )
  })
})
