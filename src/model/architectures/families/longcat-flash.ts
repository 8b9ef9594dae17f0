/** LongCat-Flash (Meituan 2025): two latent attentions and two MLPs per layer, experts on a shortcut past the second. */
import { readDecoder } from '../decoder.ts'
import { expertRows, readExperts, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { readLatent } from '../latent.ts'
import { limits } from '../sizes.ts'
import { llama } from './llama.ts'

export const longcatFlash = {
  title: 'LongCat-Flash',
  notes:
    'two latent attentions and MLPs per layer, scaled by √(hidden_size / rank); experts read what the first MLP reads and are added after the second; zero_expert_num choices give the token itself',
  modelTypes: ['longcat_flash'],
  classes: ['LongcatFlash'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      epsilon: 1e-5,
      layersKey: 'num_layers',
      headWidth: 64,
      innerKey: ['ffn_hidden_size', 'intermediate_size'],
      base: 1e7,
    })
    const { width, layers, mlp } = decoder
    for (const key of ['mla_scale_q_lora', 'mla_scale_kv_lora'])
      config.only(key, [true], 'is not read by the reference, which always scales')
    config.only('zero_expert_type', ['identity'], 'is not read by the reference, whose zero experts give the token')
    if (config.int('num_hidden_layers', 2 * layers) !== 2 * layers)
      throw config.refuse('num_hidden_layers', 'is not twice num_layers', 2 * layers)
    const { attention, scale } = readLatent(config, decoder.attention.heads, {
      queryRank: 1536,
      interleaved: true,
      rotary: { base: 1e7 },
    })
    const { latent, headWidth } = attention
    if (latent?.queryRank === undefined) throw config.refuse('q_lora_rank', 'is none', 'a number')
    if (config.int('qk_head_dim', headWidth) !== headWidth)
      throw config.unsupported('qk_head_dim', `is not the sum of qk_nope_head_dim and qk_rope_head_dim, ${headWidth}`)
    const factors = { query: Math.sqrt(width / latent.queryRank), key: Math.sqrt(width / latent.rank) }
    const zeros = config.isNull('zero_expert_num')
      ? 0
      : config.int('zero_expert_num', 256, { min: 0, max: limits.experts })
    const experts = readExperts(config, {
      activation: mlp.activation,
      routing: { ...softmaxRouting, correction: true, scaling: config.number('routed_scaling_factor', 6) },
      experts: [['n_routed_experts', 'num_local_experts'], 512],
      perToken: [['moe_topk', 'num_experts_per_tok'], 12],
      width: [['expert_ffn_hidden_size', 'moe_intermediate_size'], 2048],
      idle: zeros === 0 ? undefined : { count: zeros, give: 'input' },
    })
    return {
      ...decoder,
      attention: { ...attention, latent: { ...latent, factors } },
      scale,
      mlp: { ...mlp, bias: false },
      blocksPerState: 2,
      block: (index) => ({
        i: Math.floor(index / 2),
        j: index % 2,
        shortcut: index % 2 === 0 ? experts : 'taken',
      }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.norm1': 'layers.{i}.input_layernorm.{j}.*',
    'block.norm2': 'layers.{i}.post_attention_layernorm.{j}.*',
    'block.attention.q': 'layers.{i}.self_attn.{j}.q_b_proj.*',
    'block.attention.latent.q': 'layers.{i}.self_attn.{j}.q_a_proj.*',
    'block.attention.latent.q.norm': 'layers.{i}.self_attn.{j}.q_a_layernorm.*',
    'block.attention.latent.kv': 'layers.{i}.self_attn.{j}.kv_a_proj_with_mqa.*',
    'block.attention.latent.kv.norm': 'layers.{i}.self_attn.{j}.kv_a_layernorm.*',
    'block.attention.latent.heads': 'layers.{i}.self_attn.{j}.kv_b_proj.*',
    'block.attention.out': 'layers.{i}.self_attn.{j}.o_proj.*',
    'block.mlp.gate': 'layers.{i}.mlps.{j}.gate_proj.*',
    'block.mlp.up': 'layers.{i}.mlps.{j}.up_proj.*',
    'block.mlp.out': 'layers.{i}.mlps.{j}.down_proj.*',
    ...expertRows('layers.{i}.mlp'),
    'block.mlp.router': 'layers.{i}.mlp.router.classifier.weight',
    'block.mlp.router.correction': 'layers.{i}.mlp.router.e_score_correction_bias',
  },
  depth: { count: ['num_layers'] },
} as const satisfies Family
