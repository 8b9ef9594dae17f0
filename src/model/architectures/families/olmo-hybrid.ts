/** OLMo Hybrid (Ai2 2026): the gated delta rule in three of four layers, OLMo 2's attention in the fourth. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { layerKinds } from '../layer-types.ts'
import { noAttention } from '../recurs.ts'
import { llama } from './llama.ts'
import { olmo2 } from './olmo2.ts'
import { qwen35, readGatedDelta } from './qwen3-5.ts'

export const olmoHybrid = {
  title: 'OLMo Hybrid',
  notes:
    'gated delta rule with norms before its halves in three of four layers, attention with norms after its halves and over all of q and k in the fourth; shares up to 2; no positions where rope_theta is null',
  modelTypes: ['olmo_hybrid'],
  classes: ['OlmoHybrid'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 65_536 })
    const { layers, width, norm, attention } = decoder
    const usual = (layer: number) => layer % 4 === 3 || (layers < 4 && layer === layers - 1)
    const kinds = layerKinds(config, layers, ['linear_attention', 'full_attention'], {
      derive: (layer) => (usual(layer) ? 'full_attention' : 'linear_attention'),
    })
    const scan = readGatedDelta(config, {
      layout: 'each',
      activation: decoder.mlp.activation,
      // the reference's own number
      norm: { ...norm, epsilon: 1e-5 },
      shareFactor: config.flag('linear_allow_neg_eigval', true) ? 2 : 1,
      usual: {
        keyHeads: attention.heads,
        heads: attention.heads,
        keyWidth: (keyHeads) => Math.trunc((0.75 * width) / keyHeads),
        valueWidth: (keyWidth) => 2 * keyWidth,
      },
    })
    const turns = !withoutRotary(config)
    return {
      ...decoder,
      padId: config.int('pad_token_id', 100_277, { min: -1 }),
      placement: 'after',
      attention: {
        ...attention,
        queryKeyNorm: { over: 'all-heads', norm },
        ...(turns ? {} : { positions: { kind: 'none' } as const }),
      },
      mlp: { ...decoder.mlp, bias: false },
      block: (layer) =>
        kinds[layer] === 'linear_attention'
          ? { attention: noAttention, rotary: undefined, scan, placement: 'before' }
          : {},
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...olmo2.tensors,
    'block.norm1': ['layers.{i}.input_layernorm.*', 'layers.{i}.attention_layer_norm.*'],
    // The reference renames every one of these when it saves.
    'block.norm1.after': ['layers.{i}.post_attention_layernorm.*', 'layers.{i}.feedforward_layer_norm.*'],
    'block.norm2': ['layers.{i}.feedforward_layer_norm.*', 'layers.{i}.post_attention_layernorm.*'],
    'block.scan.q': 'layers.{i}.linear_attn.q_proj.*',
    'block.scan.k': 'layers.{i}.linear_attn.k_proj.*',
    'block.scan.v': 'layers.{i}.linear_attn.v_proj.*',
    'block.scan.gate': 'layers.{i}.linear_attn.g_proj.*',
    'block.scan.share': 'layers.{i}.linear_attn.b_proj.*',
    'block.scan.select': 'layers.{i}.linear_attn.a_proj.*',
    'block.scan.convolution': qwen35.tensors['block.scan.convolution'],
    'block.scan.convolution.q': 'layers.{i}.linear_attn.q_conv1d.*',
    'block.scan.convolution.k': 'layers.{i}.linear_attn.k_conv1d.*',
    'block.scan.convolution.v': 'layers.{i}.linear_attn.v_conv1d.*',
    'block.scan.step': qwen35.tensors['block.scan.step'],
    'block.scan.decay': qwen35.tensors['block.scan.decay'],
    'block.scan.norm': 'layers.{i}.linear_attn.o_norm.*',
    'block.scan.out': 'layers.{i}.linear_attn.o_proj.*',
  },
} as const satisfies Family

/** Released models write a `rope_theta` of null. */
function withoutRotary(config: ConfigReader): boolean {
  const section = config.section(['rope_scaling', 'rope_parameters'])
  return section?.isNull('rope_theta') ?? config.isNull('rope_theta')
}
