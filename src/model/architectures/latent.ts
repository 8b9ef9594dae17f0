/** Multi-head latent attention from a config (DeepSeek-V2 and its relatives). */
import type { ConfigReader } from './config-reader.ts'
import type { FamilySpec } from './family.ts'
import { readRotary, readScoreMagnitude, type RotaryOptions } from './rotary.ts'
import { limits } from './sizes.ts'
import type { IndexerSpec, LatentSpec } from './latent-spec.ts'
import type { NormSpec, SlotNames } from './spec.ts'

/** Values of a configuration class where config.json leaves them out. */
export interface LatentDefaults {
  /** Undefined where queries are projected at once. */
  readonly queryRank?: number | undefined
  readonly rank?: number
  readonly rotated?: number
  readonly plain?: number
  readonly value?: number
  readonly interleaved?: boolean
  /** Epsilon of the latent norms, which the reference leaves at its default. */
  readonly epsilon?: number
  readonly rotary?: Omit<RotaryOptions, 'headWidth'>
  /** True where `partial_rotary_factor` counts from all columns of a head. */
  readonly ofWhole?: boolean
  readonly indexer?: { readonly heads: number; readonly interleaved: boolean }
}

/** Attention and scale of every block; `heads` as many keys. Throws `config.unsupported` for fewer key heads. */
export function readLatent(
  config: ConfigReader,
  heads: number,
  usual: LatentDefaults = {},
): Pick<FamilySpec, 'attention'> & { readonly scale: number } {
  const max = { max: limits.width }
  const queryRank = config.isNull('q_lora_rank')
    ? undefined
    : (config.optionalInt('q_lora_rank', max) ?? usual.queryRank)
  const rotated = config.int('qk_rope_head_dim', usual.rotated ?? 64, max)
  const headWidth = config.int('qk_nope_head_dim', usual.plain ?? 128, max) + rotated
  if (config.int('num_key_value_heads', heads, { max: limits.heads }) !== heads)
    throw config.unsupported('num_key_value_heads', `latent attention has as many keys as its ${heads} heads`)
  const bias = config.flag('attention_bias', false)
  const norm: NormSpec = { kind: 'rms', epsilon: usual.epsilon ?? 1e-6, weight: 'plain', bias: false }
  const latent: LatentSpec = {
    queryRank,
    rank: config.int('kv_lora_rank', usual.rank ?? 512, max),
    rotated,
    norm,
    factors: undefined,
    indexer: usual.indexer === undefined ? undefined : readIndexer(config, usual.indexer, rotated),
  }
  const interleaved = usual.interleaved ?? config.flag('rope_interleave', true)
  const share = usual.ofWhole === true ? { headWidth, fraction: rotated / headWidth } : { headWidth: rotated }
  const rotary = { ...readRotary(config, { ...share, ...usual.rotary }), interleaved }
  if (rotary.width !== rotated)
    throw config.refuse('partial_rotary_factor', `rotates ${rotary.width} columns`, `${rotated}, as qk_rope_head_dim`)
  return {
    attention: {
      heads,
      headWidth,
      valueWidth: config.int('v_head_dim', usual.value ?? 128, max),
      latent,
      bias: { qkv: bias, out: bias },
      positions: { kind: 'rotary', tables: [rotary] },
    },
    scale: headWidth ** -0.5 * readScoreMagnitude(config),
  }
}

/** Throws `config.value` for heads that are narrower than their rotated columns. */
function readIndexer(
  config: ConfigReader,
  usual: { readonly heads: number; readonly interleaved: boolean },
  rotated: number,
): IndexerSpec {
  const width = config.int('index_head_dim', 128, { max: limits.width })
  if (width < rotated) throw config.refuse('index_head_dim', 'is below qk_rope_head_dim', `≥ ${rotated}`)
  return {
    heads: config.int('index_n_heads', usual.heads, { max: limits.heads }),
    width,
    top: config.int('index_topk', 2048),
    interleaved: usual.interleaved,
    own: true,
  }
}

export const latentRows: SlotNames = {
  'block.attention.q': ['layers.{i}.self_attn.q_b_proj.*', 'layers.{i}.self_attn.q_proj.*'],
  'block.attention.latent.q': 'layers.{i}.self_attn.q_a_proj.*',
  'block.attention.latent.q.norm': 'layers.{i}.self_attn.q_a_layernorm.*',
  'block.attention.latent.kv': 'layers.{i}.self_attn.kv_a_proj_with_mqa.*',
  'block.attention.latent.kv.norm': 'layers.{i}.self_attn.kv_a_layernorm.*',
  'block.attention.latent.heads': 'layers.{i}.self_attn.kv_b_proj.*',
}
