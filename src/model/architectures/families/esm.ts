/** ESM-1b and ESM-2 (Rives et al. 2021; Lin et al. 2023): proteins as texts, read by a pre-norm BERT. */
import type { Family } from '../family.ts'
import { denseClassifier, maskedHead, poolerHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth, readSizes, readWidth } from '../sizes.ts'
import { bert, bertNorm } from './bert.ts'
import { roberta } from './roberta.ts'

/** In training 15 % of the tokens were chosen and 80 % of those masked. */
const share = 0.15 * 0.8

export const esm = {
  title: 'ESM',
  notes: 'pre-norm, rotary positions or learned ones counted from ids, embeddings scaled by the share of masked tokens',
  modelTypes: ['esm'],
  classes: ['Esm'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    if (config.flag('is_folding_model', false))
      throw config.unsupported('is_folding_model', 'structures are not predicted')
    const norm = bertNorm(config)
    const padId = config.int('pad_token_id', undefined, { min: 0 })
    const rows = config.int('max_position_embeddings', 1026)
    const rotary = config.choice('position_embedding_type', ['absolute', 'rotary'], 'absolute') === 'rotary'
    const table = rotary ? readRotary(config, { headWidth: dividedWidth(config, width, heads) }) : undefined
    const dropout = config.flag('token_dropout', false)
    return {
      layers,
      width,
      vocabulary,
      norm,
      padId,
      causal: config.flag('is_decoder', false),
      maxTokens: rotary ? undefined : rows - padId - 1,
      embedding: {
        positions: rotary ? undefined : { from: 'ids', rows, padId },
        norm: config.flag('emb_layer_norm_before', false) ? norm : undefined,
        tokenDropout: dropout ? { maskId: config.int('mask_token_id', undefined, { min: 0 }), share } : undefined,
      },
      placement: 'before',
      attention: {
        heads,
        bias: { qkv: true, out: true },
        positions: table === undefined ? { kind: 'none' } : { kind: 'rotary', tables: [table] },
      },
      mlp: { kind: 'plain', activation: 'gelu', width: readWidth(config, 'intermediate_size'), bias: true },
      final: { norm: true },
      heads: {
        pooler: poolerHead(width),
        sequence: denseClassifier(width, 'tanh'),
        masked: maskedHead({ width, activation: 'gelu', norm, tied: config.flag('tie_word_embeddings', true) }),
      },
    }
  },
  prefixes: ['', 'esm.'],
  tensors: {
    ...roberta.tensors,
    'embed.position': bert.tensors['embed.position'],
    'embed.norm': 'embeddings.layer_norm.*',
    'block.norm1': 'encoder.layer.{i}.attention.LayerNorm.*',
    'block.norm2': 'encoder.layer.{i}.LayerNorm.*',
    'final.norm': 'encoder.emb_layer_norm_after.*',
  },
} as const satisfies Family
