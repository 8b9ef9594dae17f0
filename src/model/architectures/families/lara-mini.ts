/** Lara Mini (Translated 2026): the gated delta rule, local attention with positions, global attention without; experts. */
import { expertRows, readExperts, readNormalized, sharedExpert, sharedRows, softmaxRouting } from '../experts.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { layerKinds } from '../layer-types.ts'
import { noAttention } from '../recurs.ts'
import { limits } from '../sizes.ts'
import { qwen35, readGatedDelta } from './qwen3-5.ts'

const pattern = [
  'linear_attention',
  'sliding_attention',
  'linear_attention',
  'full_attention',
  'sliding_attention',
] as const

export const laraMini = {
  title: 'Lara Mini',
  notes:
    'gated delta rule with one projection of everything, local attention with positions, global without; softmax over all experts, a shared one',
  modelTypes: ['lara_mini'],
  classes: ['LaraMini'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      keyHeads: 4,
      headWidth: 128,
      tied: true,
      innerKey: 'moe_intermediate_size',
    })
    const { norm } = decoder
    const { activation } = decoder.mlp
    const kinds = layerKinds(config, decoder.layers, ['linear_attention', 'sliding_attention', 'full_attention'], {
      derive: (layer) => pattern[layer % pattern.length] ?? 'full_attention',
    })
    const window = config.int('sliding_window', 512)
    const scan = readGatedDelta(config, { layout: 'together', activation, norm, usual: { keyHeads: 8, heads: 16 } })
    const shared = config.int('shared_expert_intermediate_size', 512, { max: limits.width })
    return {
      ...decoder,
      attention: { ...decoder.attention, queryKeyNorm: { over: 'head', norm } },
      mlp: readExperts(config, {
        activation,
        routing: { ...softmaxRouting, normalized: readNormalized(config, true) },
        experts: [['num_experts', 'num_local_experts'], 128],
        perToken: ['num_experts_per_tok', 4],
        width: ['moe_intermediate_size', 512],
        shared: sharedExpert(shared),
      }),
      block: (layer) => {
        if (kinds[layer] === 'linear_attention') return { attention: noAttention, rotary: undefined, scan }
        return kinds[layer] === 'sliding_attention' ? { window } : { rotary: undefined }
      },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }) },
    }
  },
  prefixes: qwen35.prefixes,
  tensors: {
    ...qwen35.tensors,
    ...expertRows('layers.{i}.mlp'),
    ...sharedRows('layers.{i}.mlp.shared_expert'),
    'block.mlp.router': 'layers.{i}.mlp.gate.*',
    'block.scan.together': 'layers.{i}.linear_attn.in_proj.*',
    'block.scan.norm': ['layers.{i}.linear_attn.norm.*', 'layers.{i}.linear_attn.out_norm.*'],
  },
} as const satisfies Family
