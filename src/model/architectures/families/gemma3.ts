/** Gemma 3's text model (Gemma Team 2025): local layers with a rotary base of their own, norms on queries and keys. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { layerTypes } from '../layer-types.ts'
import { readRotary } from '../rotary.ts'
import { gemmaNorm } from './gemma.ts'
import { capStep, gemma2, readCap, readQueryScale } from './gemma2.ts'

export const gemma3 = {
  title: 'Gemma 3 (text)',
  notes:
    'local layers with their own unscaled rotary base, rotary scaling on global layers only, RMS norm of 1 + weight on q and k, optionally bidirectional',
  modelTypes: ['gemma3_text'],
  classes: ['Gemma3'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      tied: true,
      keyHeads: 4,
      headWidth: 256,
      activationKey: 'hidden_activation',
      activation: 'gelu_pytorch_tanh',
      rotary: { base: 1_000_000, layerType: 'full_attention' },
    })
    if (config.has('attn_logit_softcapping'))
      throw config.unsupported('attn_logit_softcapping', 'the reference applies no cap to the scores of this family')
    const { headWidth } = decoder.attention
    const norm = gemmaNorm(decoder.norm)
    const bidirectional = config.flag('use_bidirectional_attention', false)
    const written = config.int('sliding_window', 4096)
    const window = bidirectional ? Math.floor(written / 2) + 1 : written
    const every = config.int(['sliding_window_pattern', '_sliding_window_pattern'], 6)
    const types = layerTypes(config, decoder.layers, (layer) =>
      (layer + 1) % every === 0 ? 'full_attention' : 'sliding_attention',
    )
    const globalTable = decoder.attention.positions.kind === 'rotary' ? decoder.attention.positions.tables : []
    const localTable = readRotary(config, {
      headWidth,
      baseKey: 'rope_local_base_freq',
      layerType: 'sliding_attention',
      scaled: false,
    })
    return {
      ...decoder,
      norm,
      causal: !bidirectional,
      placement: 'around',
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: { multiplier: Math.sqrt(decoder.width) },
      attention: {
        ...decoder.attention,
        queryKeyNorm: { over: 'head', norm },
        positions: { kind: 'rotary', tables: [...globalTable, localTable] },
      },
      mlp: { ...decoder.mlp, bias: false },
      scale: readQueryScale(config),
      block: (layer) => (types[layer] === 'sliding_attention' ? { window, rotary: 1 } : {}),
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', true),
          after: capStep(readCap(config, 'final_logit_softcapping', undefined)),
        }),
        sequence: scoreHead,
      },
    }
  },
  prefixes: gemma2.prefixes,
  tensors: {
    ...gemma2.tensors,
    'block.attention.q.norm': 'layers.{i}.self_attn.q_norm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_norm.*',
  },
} as const satisfies Family
