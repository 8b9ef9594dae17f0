/** MiniCPM3 (OpenBMB 2024): latent attention, multipliers on embeddings, branches and what the head reads. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { latentRows, readLatent } from '../latent.ts'
import { llama } from './llama.ts'

export const minicpm3 = {
  title: 'MiniCPM3',
  notes: 'multi-head latent attention, embeddings times scale_emb, branches times scale_depth / √layers',
  modelTypes: ['minicpm3'],
  classes: ['MiniCPM3'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 32_768, tied: true, epsilon: 1e-5, headWidth: 32 })
    const { width, layers, attention } = decoder
    return {
      ...decoder,
      ...readLatent(config, attention.heads, {
        queryRank: 768,
        rank: 256,
        plain: 64,
        rotated: 32,
        value: Math.floor(width / attention.heads),
        interleaved: false,
      }),
      embedding: { multiplier: config.number('scale_emb', 12) },
      residual: readNullable(config, 'scale_depth', 1.4, Math.sqrt(layers)) / Math.sqrt(layers),
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', true),
          before: [{ do: 'scale', by: readNullable(config, 'dim_model_base', 256, width) / width }],
        }),
        sequence: scoreHead,
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: { ...llama.tensors, ...latentRows },
} as const satisfies Family

/** Null means another value than leaving the key out. */
function readNullable(config: ConfigReader, key: string, missing: number, whenNull: number): number {
  return config.isNull(key) ? whenNull : config.number(key, missing)
}
