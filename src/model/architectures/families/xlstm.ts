/** xLSTM 7B (Beck et al. 2025): mLSTM in the place of attention, and gated MLPs. */
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { noAttention } from '../recurs.ts'
import { limits } from '../sizes.ts'

export const xlstm = {
  title: 'xLSTM',
  notes:
    'mLSTM: a matrix per head with exponential gates, both capped, layer norm per head, output gate; the reference takes pads for tokens',
  modelTypes: ['xlstm'],
  classes: ['xLSTM'],
  spec: (config) => {
    const max = { max: limits.width }
    const width = config.int('hidden_size', 4096, max)
    if (config.int('embedding_dim', width) !== width)
      throw config.unsupported('embedding_dim', `is not hidden_size, ${width}`)
    if (config.flag('use_bias', false)) throw config.unsupported('use_bias', 'norms with biases are not supported')
    config.only('add_out_norm', [true], 'is not read by the reference, which has that norm')
    const heads = config.int('num_heads', 8, { max: limits.heads })
    const columns = (key: string, usual: number): number => {
      const all = Math.floor(width * config.number(key, usual, { min: 0 }))
      if (all < 1 || all % heads !== 0) throw config.refuse(key, `makes ${all} columns of ${heads} heads`)
      return all / heads
    }
    config.only('weight_mode', ['single'], 'supports only single: a matrix for each projection')
    const multiple = config.int('ffn_round_up_to_multiple_of', 64, max)
    const inner = width * config.number('ffn_proj_factor', 2.667, { min: 1e-3, max: 1e3 })
    const epsilon = config.epsilon('norm_eps', 1e-6)
    const most = { min: 1e-3 }
    return {
      layers: config.int(['num_blocks', 'num_hidden_layers'], 32, { max: limits.layers }),
      width,
      vocabulary: config.int('vocab_size', undefined, { max: limits.vocabulary }),
      causal: true,
      maxTokens: undefined,
      padId: config.int('pad_token_id', 1, { min: -1 }),
      norm: { kind: 'rms', epsilon, weight: 'plain', bias: false },
      placement: 'before',
      attention: noAttention,
      scale: 0,
      mlp: {
        kind: 'gated',
        layout: 'separate',
        activation: 'silu',
        width: Math.floor((inner + multiple - 1) / multiple) * multiple,
        bias: false,
      },
      scan: {
        kind: 'mlstm',
        heads,
        keyWidth: columns('qk_dim_factor', 0.5),
        valueWidth: columns('v_dim_factor', 1),
        cap: config.number('gate_soft_cap', 15, most),
        epsilon: config.epsilon('eps', 1e-6),
        norm: {
          norm: { kind: 'layer', epsilon, weight: 'plain', bias: false },
          groups: heads,
          order: 'norm-first',
          activation: 'sigmoid',
          weightPer: 'column',
        },
      },
      final: { norm: true },
      heads: {
        causal: causalHead({
          tied: false,
          after: [{ do: 'softcap', cap: config.number('output_logit_soft_cap', 30, most) }],
        }),
      },
    }
  },
  prefixes: ['backbone.', ''],
  tensors: {
    'embed.token': 'embeddings.weight',
    'block.norm1': 'blocks.{i}.norm_mlstm.*',
    'block.scan.q': 'blocks.{i}.mlstm_layer.q.*',
    'block.scan.k': 'blocks.{i}.mlstm_layer.k.*',
    'block.scan.v': 'blocks.{i}.mlstm_layer.v.*',
    'block.scan.gate': 'blocks.{i}.mlstm_layer.ogate_preact.*',
    'block.scan.write': 'blocks.{i}.mlstm_layer.igate_preact.*',
    'block.scan.decay': 'blocks.{i}.mlstm_layer.fgate_preact.*',
    'block.scan.norm': 'blocks.{i}.mlstm_layer.multihead_norm.*',
    'block.scan.out': 'blocks.{i}.mlstm_layer.out_proj.*',
    'block.norm2': 'blocks.{i}.norm_ffn.*',
    'block.mlp.gate': 'blocks.{i}.ffn.proj_up_gate.*',
    'block.mlp.up': 'blocks.{i}.ffn.proj_up.*',
    'block.mlp.out': 'blocks.{i}.ffn.proj_down.*',
    'final.norm': 'out_norm.*',
    'head.causal': { outside: 'lm_head.weight' },
  },
  depth: { count: ['num_blocks', 'num_hidden_layers'] },
} as const satisfies Family
