/** GLM-4.5 (GLM-4.5 Team 2025), and Solar Open and Sarvam-M, which differ in defaults: DeepSeek-V3's experts under grouped keys. */
import type { ConfigReader } from '../config-reader.ts'
import { type MixtureDefaults, mixtureRows, readMixture } from '../corrected-mixture.ts'
import { readDecoder, type DecoderDefaults } from '../decoder.ts'
import type { Family, FamilySpec } from '../family.ts'
import { llama } from './llama.ts'
import { qwen3 } from './qwen3.ts'

function readGlm4Moe(
  config: ConfigReader,
  usual: DecoderDefaults & { readonly norms: boolean; readonly mixture: MixtureDefaults },
): FamilySpec {
  const decoder = readDecoder(config, usual)
  const { qkv } = decoder.attention.bias
  const queryKeyNorm = { over: 'head', norm: decoder.norm } as const
  return {
    ...decoder,
    attention: {
      ...decoder.attention,
      bias: { qkv, out: false },
      queryKeyNorm: config.flag('use_qk_norm', usual.norms) ? queryKeyNorm : undefined,
    },
    ...readMixture(config, { ...decoder, mlp: { ...decoder.mlp, bias: false } }, usual.mixture),
  }
}

export const glm4Moe = {
  title: 'GLM-4.5',
  notes:
    'grouped keys, rotary on half of each head, biases on q, k, v, optional RMS norm on q and k; sigmoid routing as DeepSeek-V3, shared experts, dense first layers',
  modelTypes: ['glm4_moe'],
  classes: ['Glm4Moe'],
  spec: (config) =>
    readGlm4Moe(config, {
      maxTokens: 131_072,
      keyHeads: 8,
      epsilon: 1e-5,
      rotary: { fraction: 0.5 },
      norms: false,
      mixture: { experts: 128, perToken: 8, width: 1408, shared: 1, dense: 1 },
    }),
  prefixes: llama.prefixes,
  tensors: { ...qwen3.tensors, ...mixtureRows },
} as const satisfies Family

export const solarOpen = {
  ...glm4Moe,
  title: 'Solar Open',
  notes: 'GLM-4.5 with rotary on all of each head, without norms of q and k and without dense layers',
  modelTypes: ['solar_open'],
  classes: ['SolarOpen'],
  spec: (config) => {
    const usual = { experts: 128, perToken: 8, width: 1280, shared: 1 }
    const [norms, keys] = [false, { keyHeads: 8, headWidth: 128, base: 1e6 }] as const
    const dense = { innerKey: 'moe_intermediate_size', epsilon: 1e-5, maxTokens: 131_072 } as const
    return readGlm4Moe(config, { ...dense, ...keys, norms, mixture: usual })
  },
} as const satisfies Family

export const sarvamMoe = {
  ...glm4Moe,
  title: 'Sarvam MoE',
  notes: 'GLM-4.5 with fused [q | k | v], rotary on all of each head and norms of q and k',
  modelTypes: ['sarvam_moe'],
  classes: ['SarvamMoE'],
  spec: (config) => {
    const mixture = { experts: 128, perToken: 6, width: 1024, shared: 1, dense: 1, scaling: 2.5 }
    const sizes = { maxTokens: 131_072, keyHeads: 4, headWidth: 64, base: 8e6 }
    const model = readGlm4Moe(config, { ...sizes, norms: true, mixture })
    const bias = config.flag(['attention_bias', 'use_qkv_bias'], false)
    return { ...model, attention: { ...model.attention, layout: 'qkv', bias: { qkv: bias, out: false } } }
  },
  tensors: {
    ...glm4Moe.tensors,
    'embed.token': ['word_embeddings.weight', 'embed_tokens.weight'],
    'block.attention.qkv': 'layers.{i}.attention.query_key_value.*',
    'block.attention.out': ['layers.{i}.attention.dense.*', 'layers.{i}.self_attn.o_proj.*'],
    'block.attention.q.norm': ['layers.{i}.attention.query_layernorm.*', 'layers.{i}.self_attn.q_norm.*'],
    'block.attention.k.norm': ['layers.{i}.attention.key_layernorm.*', 'layers.{i}.self_attn.k_norm.*'],
    'block.mlp.router.correction': ['layers.{i}.mlp.gate.expert_bias', 'layers.{i}.mlp.gate.e_score_correction_bias'],
  },
} as const satisfies Family
