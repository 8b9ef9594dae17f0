/** DBRX (Databricks 2024): LayerNorm, one clipped matrix for queries, keys and values, 16 experts in three stacked tensors. */
import type { ConfigReader } from '../config-reader.ts'
import { readExperts, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth, limits, readSizes } from '../sizes.ts'

export const dbrx = {
  title: 'DBRX',
  notes:
    'LayerNorm without bias, fused [q | k | v] clipped by clip_qkv, softmax over all experts, shares divided by their p-norm',
  modelTypes: ['dbrx'],
  classes: ['Dbrx'],
  spec: (config) => {
    const sizes = readSizes(config, { layers: 'n_layers', width: 'd_model', heads: 'n_heads' })
    const { width, heads } = sizes
    const [attention, ffn] = [config.section('attn_config'), config.section('ffn_config')]
    const headWidth = dividedWidth(config, width, heads, 'n_heads')
    const keyHeads = attention?.int('kv_n_heads', 1, { max: limits.heads }) ?? 1
    if (heads % keyHeads !== 0) throw config.refuse('n_heads', `are not divided by ${keyHeads} key heads`)
    if (ffn === undefined) throw config.refuse('ffn_config', 'is missing')
    const base = attention?.optionalNumber('rope_theta') ?? 10_000
    return {
      ...sizes,
      causal: true,
      maxTokens: config.int('max_seq_len', 2048),
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      norm: { kind: 'layer', epsilon: 1e-5, weight: 'plain', bias: false },
      placement: 'before',
      attention: {
        heads,
        keyHeads,
        headWidth,
        layout: 'qkv',
        clip: attention?.optionalNumber('clip_qkv', { min: 0 }),
        bias: { qkv: false, out: false },
        positions: { kind: 'rotary', tables: [readRotary(config, { headWidth, base })] },
      },
      mlp: readExperts(ffn, {
        activation: ffn.section('ffn_act_fn')?.activation('name', 'silu') ?? 'silu',
        routing: { ...softmaxRouting, normalized: readOrder(ffn) },
        experts: ['moe_num_experts', 4],
        perToken: ['moe_top_k', 1],
        width: ['ffn_hidden_size', 3584],
        stacked: { in: 'out-in', out: 'in-out', interleaved: false },
      }),
      final: { norm: true },
      heads: { causal: causalHead({ tied: false }) },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'wte.weight',
    'block.norm1': 'blocks.{i}.norm_attn_norm.norm_1.*',
    'block.attention.qkv': 'blocks.{i}.norm_attn_norm.attn.Wqkv.*',
    'block.attention.out': 'blocks.{i}.norm_attn_norm.attn.out_proj.*',
    'block.norm2': 'blocks.{i}.norm_attn_norm.norm_2.*',
    'block.mlp.router': 'blocks.{i}.ffn.router.layer.*',
    'block.mlp.stacked.gate': 'blocks.{i}.ffn.experts.mlp.w1',
    'block.mlp.stacked.up': 'blocks.{i}.ffn.experts.mlp.v1',
    'block.mlp.stacked.out': 'blocks.{i}.ffn.experts.mlp.w2',
    'final.norm': 'norm_f.*',
    'head.causal': { outside: 'lm_head.weight' },
  },
  depth: { count: ['n_layers'] },
} as const satisfies Family

function readOrder(ffn: ConfigReader): number | undefined {
  const key = 'moe_normalize_expert_weights'
  return ffn.isNull(key) ? undefined : ffn.number(key, 1, { min: 1e-3, max: 1e3 })
}
