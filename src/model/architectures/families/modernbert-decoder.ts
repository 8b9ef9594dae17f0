/** ModernBERT as a decoder (Weller et al. 2025): causal, q, k and v apart, half the window. */
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import type { HeadStep } from '../spec.ts'
import { modernbert } from './modernbert.ts'

export const modernbertDecoder = {
  title: 'ModernBERT (decoder)',
  notes: 'as ModernBERT, causal, separate q, k, v; classifier on the last token',
  modelTypes: ['modernbert-decoder'],
  classes: ['ModernBertDecoder'],
  spec: (config) => {
    const { block, ...encoder } = modernbert.spec(config)
    const { width, norm } = encoder
    const window = Math.floor(config.int('local_attention', 128) / 2)
    const activation = config.activation('classifier_activation', 'gelu')
    const bias = config.flag('classifier_bias', false)
    const head = (dense: 'head.masked.dense' | 'head.sequence.dense'): readonly HeadStep[] => [
      { do: 'linear', slot: dense, out: width, bias },
      { do: 'activation', activation },
      { do: 'norm', slot: dense === 'head.masked.dense' ? 'head.masked.norm' : 'head.sequence.norm', norm },
    ]
    return {
      ...encoder,
      causal: true,
      padId: config.int('pad_token_id', 50_283, { min: -1 }),
      attention: { ...encoder.attention, layout: 'separate' },
      block: (layer) => {
        const own = block(layer)
        return own.window === undefined ? own : { ...own, window }
      },
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', true),
          bias: config.flag('decoder_bias', true),
          before: head('head.masked.dense'),
        }),
        sequence: {
          from: 'last-not-pad',
          steps: [...head('head.sequence.dense'), { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias }],
        },
      },
    }
  },
  prefixes: modernbert.prefixes,
  tensors: {
    ...modernbert.tensors,
    'block.attention.q': 'layers.{i}.attn.q_proj.*',
    'block.attention.k': 'layers.{i}.attn.k_proj.*',
    'block.attention.v': 'layers.{i}.attn.v_proj.*',
    'head.masked.dense': { outside: 'lm_head.dense.*' },
    'head.masked.norm': { outside: 'lm_head.norm.*' },
    'head.causal': { outside: 'decoder.weight' },
    'head.causal.bias': { outside: 'decoder.bias' },
    'head.sequence.dense': { outside: 'head.dense.*' },
    'head.sequence.norm': { outside: 'head.norm.*' },
  },
} as const satisfies Family
