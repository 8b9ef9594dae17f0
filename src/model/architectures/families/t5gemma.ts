/** T5Gemma and T5Gemma 2 (Zhang et al. 2025), their encoders: Gemma 2 and Gemma 3 that look both ways. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { gemma2 } from './gemma2.ts'
import { gemma3 } from './gemma3.ts'

const norms = {
  'block.norm1': 'layers.{i}.pre_self_attn_layernorm.*',
  'block.norm1.after': 'layers.{i}.post_self_attn_layernorm.*',
} as const

export const t5gemma = {
  title: 'T5Gemma (encoder)',
  notes: 'vectors of the encoder: as Gemma 2, bidirectional, windows to both sides; the decoder is not run',
  modelTypes: ['t5gemma'],
  classes: ['T5Gemma'],
  spec: (config) => {
    const encoder: FamilySpec = gemma2.spec(encoderOf(config))
    return {
      ...encoder,
      causal: false,
      block: (layer) => {
        const block = encoder.block?.(layer)
        return block?.window === undefined ? (block ?? {}) : { ...block, window: block.window + 1 }
      },
      padId: config.int('pad_token_id', encoder.padId, { min: -1 }),
      heads: readsDecoder(config)
        ? {}
        : {
            sequence: {
              from: 'last-not-pad',
              steps: [{ do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true }],
            },
          },
    }
  },
  prefixes: ['model.encoder.', 'encoder.', ''],
  tensors: { ...gemma2.tensors, ...norms, 'head.sequence.out': { outside: 'score.out_proj.*' } },
  encoderClass: 'T5GemmaEncoderModel',
} as const satisfies Family

export const t5gemma2 = {
  title: 'T5Gemma 2 (encoder)',
  notes:
    'vectors of the encoder: as Gemma 3, bidirectional, windows to both sides; the decoder and pictures are not read',
  modelTypes: ['t5gemma2'],
  classes: ['T5Gemma2'],
  spec: (config) => {
    const whole = encoderOf(config)
    const text = whole.section('text_config')
    if (text === undefined) throw whole.refuse('text_config', 'is missing')
    const encoder: FamilySpec = gemma3.spec(text)
    return {
      ...encoder,
      causal: false,
      embedding: { ...encoder.embedding, replaced: whole.int('eoi_token_index', 256_000, { min: 0 }) },
      // An even window has one more key is seen ahead than behind.
      block: (layer) => {
        const { window, ...block } = encoder.block?.(layer) ?? {}
        if (window === undefined) return block
        return { ...block, window: Math.floor((window + 1) / 2), ahead: Math.floor(window / 2) + 1 }
      },
      heads: {},
    }
  },
  prefixes: ['model.encoder.text_model.', 'encoder.text_model.', 'model.encoder.', 'encoder.', ''],
  tensors: { ...gemma3.tensors, ...norms, 'embed.replaced': 'embed_tokens.eoi_embedding' },
  encoderClass: 'T5Gemma2Encoder',
} as const satisfies Family

function encoderOf(config: ConfigReader): ConfigReader {
  const encoder = config.section('encoder')
  if (encoder === undefined) throw config.refuse('encoder', 'is missing')
  return encoder
}

function readsDecoder(config: ConfigReader): boolean {
  return config.flag('is_encoder_decoder', true)
}
