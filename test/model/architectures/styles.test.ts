/** Configs of families that come in several styles: what each key makes of a block, and what no style allows. */
import { describe, expect, test } from 'vitest'
import { specOf, type ModelSpec } from '#model/architectures'

function codeOf(config: Record<string, unknown>): string | undefined {
  try {
    specOf(config)
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no fault'
  }
}

const sizes = { hidden_size: 32, num_attention_heads: 4, num_hidden_layers: 2, vocab_size: 9 }

describe('Falcon', () => {
  const falcon = { model_type: 'falcon', ...sizes }
  const style = (config: Record<string, unknown>): unknown => {
    const { blocks, attention } = specOf({ ...falcon, ...config })
    return {
      placement: blocks[0]?.placement,
      layout: attention.layout,
      keyHeads: attention.keyHeads,
      positions: attention.positions.kind,
    }
  }

  test('of 7B is the default: one key head, one norm, in parallel', () => {
    expect(style({})).toEqual({ placement: 'parallel-one-norm', layout: 'qkv', keyHeads: 1, positions: 'rotary' })
  })

  test('of 40B groups keys and has a norm for each half unless one is asked for', () => {
    const grouped = { new_decoder_architecture: true, num_kv_heads: 2 }
    expect(style(grouped)).toEqual({ placement: 'parallel', layout: 'qkv-by-head', keyHeads: 2, positions: 'rotary' })
    expect(style({ ...grouped, num_ln_in_parallel_attn: 1 })).toMatchObject({ placement: 'parallel-one-norm' })
  })

  test('of RW has linear biases and one half after the other', () => {
    const rw = { alibi: true, multi_query: false, parallel_attn: false, bias: true }
    expect(style(rw)).toEqual({ placement: 'before', layout: 'qkv-by-head', keyHeads: 4, positions: 'alibi' })
    expect(specOf({ ...falcon, ...rw }).maxTokens).toBeUndefined()
  })

  test.each([
    [{ new_decoder_architecture: true, parallel_attn: false }, 'config.unsupported'],
    [{ new_decoder_architecture: true, num_ln_in_parallel_attn: 3 }, 'config.unsupported'],
    [{ num_ln_in_parallel_attn: 2 }, 'config.unsupported'],
    [{ new_decoder_architecture: true, num_kv_heads: 3 }, 'config.value'],
    [{ multi_query: false, num_kv_heads: 2 }, 'config.value'],
    [{ rope_scaling: { type: 'spiral', factor: 2 } }, 'config.unsupported'],
  ])('%j is refused', (config, code) => {
    expect(codeOf({ ...falcon, ...config })).toBe(code)
  })
})

describe('GPT-Neo', () => {
  const neo = { model_type: 'gpt_neo', hidden_size: 32, num_heads: 4, num_layers: 4, vocab_size: 9, window_size: 3 }
  const windows = (spec: ModelSpec): unknown => spec.blocks.map(({ window }) => window)

  test('reads its layers from patterns with how often they are repeated', () => {
    const patterns = [
      [['global', 'local'], 1],
      [['local'], 2],
    ]
    expect(windows(specOf({ ...neo, attention_types: patterns }))).toEqual([undefined, 3, 3, 3])
  })

  test('prefers the layers written out', () => {
    const written = ['local', 'global', 'global', 'local']
    expect(windows(specOf({ ...neo, attention_layers: written, attention_types: [[['global', 'local'], 2]] }))).toEqual(
      [3, undefined, undefined, 3],
    )
  })

  test.each([
    [{ attention_types: [[['global'], 3]] }, 'config.value'],
    [{ attention_types: [[['global'], 1e9]] }, 'config.value'],
    [{ attention_types: 'global' }, 'config.value'],
    [{ attention_types: [['global', 4]] }, 'config.value'],
    [{ attention_types: [[['sideways'], 4]] }, 'config.unsupported'],
  ])('%j is refused', (config, code) => {
    expect(codeOf({ ...neo, ...config })).toBe(code)
  })
})

describe('GPT-J', () => {
  const gptj = { model_type: 'gptj', n_embd: 32, n_head: 4, n_layer: 2, vocab_size: 9 }

  test.each([{ rotary_dim: 10 }, { rotary_dim: 3 }, {}])('%j does not fit heads of eight columns', (config) => {
    expect(codeOf({ ...gptj, ...config })).toBe('config.value')
  })
})

describe('DeBERTa-v2', () => {
  const deberta = {
    model_type: 'deberta-v2',
    ...sizes,
    intermediate_size: 40,
    relative_attention: true,
    pos_att_type: ['c2p', 'p2c'],
  }

  test('reads a string with bars as the list it stands for', () => {
    const { positions } = specOf(deberta).attention
    expect(specOf({ ...deberta, pos_att_type: ' C2P | p2c' }).attention.positions).toEqual(positions)
    expect(positions).toMatchObject({
      kind: 'disentangled',
      keys: true,
      queries: true,
      shared: false,
      span: 512,
      logarithmic: false,
      norm: undefined,
    })
  })

  test('without absolute positions has no longest text', () => {
    expect(specOf(deberta).maxTokens).toBe(512)
    expect(specOf({ ...deberta, position_biased_input: false }).maxTokens).toBeUndefined()
  })

  test.each([
    [{ pos_att_type: 'p2p' }, 'config.unsupported'],
    [{ pos_att_type: [3] }, 'config.value'],
    [{ norm_rel_ebd: 'batch_norm' }, 'config.unsupported'],
    [{ position_buckets: 7 }, 'config.unsupported'],
    [{ position_buckets: 2 }, 'config.value'],
    [{ position_buckets: 256, max_relative_positions: 100 }, 'config.value'],
    [{ max_relative_positions: 2 ** 27 }, 'config.value'],
    [{ attention_head_size: 16 }, 'config.unsupported'],
    [{ pooler_hidden_size: 16 }, 'config.unsupported'],
    [{ conv_kernel_size: 4 }, 'config.value'],
    [{ conv_kernel_size: 3, conv_groups: 5 }, 'config.value'],
  ])('%j is refused', (config, code) => {
    expect(codeOf({ ...deberta, ...config })).toBe(code)
  })
})

describe('Mixtral', () => {
  const mixtral = { model_type: 'mixtral', ...sizes, intermediate_size: 40, num_key_value_heads: 2 }

  test('has a window only where one is written', () => {
    expect(specOf(mixtral).blocks[0]?.window).toBeUndefined()
    expect(specOf({ ...mixtral, sliding_window: 4 }).blocks[0]?.window).toBe(4)
  })

  test('cannot choose more experts than there are', () => {
    expect(codeOf({ ...mixtral, num_local_experts: 2, num_experts_per_tok: 3 })).toBe('config.value')
  })
})

describe('Mamba', () => {
  const mamba = { model_type: 'mamba', hidden_size: 40, num_hidden_layers: 2, vocab_size: 9 }

  test('takes a sixteenth of the width as rank, rounded up, where it is automatic', () => {
    expect(specOf({ ...mamba, time_step_rank: 'auto' }).blocks[0]?.scan).toMatchObject({ rank: 3 })
    expect(specOf(mamba).blocks[0]?.scan).toMatchObject({ rank: 3 })
    expect(specOf({ ...mamba, time_step_rank: 5 }).blocks[0]?.scan).toMatchObject({ rank: 5 })
  })

  test('is as wide inside as written, else by the factor', () => {
    expect(specOf({ ...mamba, expand: 1.5 }).blocks[0]?.scan).toMatchObject({ width: 60 })
    expect(specOf({ ...mamba, expand: 1.5, intermediate_size: 64 }).blocks[0]?.scan).toMatchObject({ width: 64 })
  })

  test.each([{ time_step_rank: 'best' }, { expand: 0 }, { expand: 1e11 }, { state_size: 0 }])(
    '%j is refused',
    (config) => {
      expect(codeOf({ ...mamba, ...config })).toBe('config.value')
    },
  )
})
