/** MPNet (Song et al. 2020): RoBERTa's positions and one bucketed relative bias that all layers share. */
import type { Family } from '../family.ts'
import { denseClassifier, maskedHead, poolerHead } from '../heads.ts'
import { readSizes, readWidth } from '../sizes.ts'
import { bertNorm } from './bert.ts'

/** The reference looks buckets up with these, whatever the config says; its embedding counts positions from this id. */
const lookup = { buckets: 32, maxDistance: 128 } as const
const padId = 1

export const mpnet = {
  title: 'MPNet',
  notes:
    'one relative attention bias (32 buckets, up to distance 128) for all layers, positions from pad id + 1, no token types',
  modelTypes: ['mpnet'],
  classes: ['MPNet'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const norm = bertNorm(config)
    const rows = config.int('max_position_embeddings', 512)
    const maxTokens = rows - padId - 1
    if (maxTokens < 1) throw config.refuse('max_position_embeddings', 'leaves no positions after the pad id')
    const buckets = config.int('relative_attention_num_buckets', lookup.buckets)
    if (buckets < lookup.buckets)
      throw config.unsupported(
        'relative_attention_num_buckets',
        `fewer than the ${lookup.buckets} buckets that are looked up`,
      )
    return {
      layers,
      width,
      vocabulary,
      norm,
      maxTokens,
      causal: false,
      padId: config.int('pad_token_id', padId, { min: -1 }),
      embedding: { positions: { from: 'ids', rows, padId }, norm },
      placement: 'after-add',
      attention: { heads, bias: { qkv: true, out: true }, positions: { kind: 'buckets', ...lookup, rows: buckets } },
      mlp: {
        kind: 'plain',
        activation: config.activation('hidden_act', 'gelu'),
        width: readWidth(config, 'intermediate_size'),
        bias: true,
      },
      heads: {
        pooler: poolerHead(width),
        sequence: denseClassifier(width, 'tanh'),
        masked: maskedHead({ width, activation: 'gelu', norm, tied: config.flag('tie_word_embeddings', true) }),
      },
    }
  },
  prefixes: ['', 'mpnet.'],
  tensors: {
    'embed.token': 'embeddings.word_embeddings.weight',
    'embed.position': 'embeddings.position_embeddings.weight',
    'embed.norm': 'embeddings.LayerNorm.*',
    'relative.bias': 'encoder.relative_attention_bias.weight',
    'block.attention.q': 'encoder.layer.{i}.attention.attn.q.*',
    'block.attention.k': 'encoder.layer.{i}.attention.attn.k.*',
    'block.attention.v': 'encoder.layer.{i}.attention.attn.v.*',
    'block.attention.out': 'encoder.layer.{i}.attention.attn.o.*',
    'block.norm1': 'encoder.layer.{i}.attention.LayerNorm.*',
    'block.mlp.in': 'encoder.layer.{i}.intermediate.dense.*',
    'block.mlp.out': 'encoder.layer.{i}.output.dense.*',
    'block.norm2': 'encoder.layer.{i}.output.LayerNorm.*',
    pooler: 'pooler.dense.*',
    'head.sequence.dense': { outside: 'classifier.dense.*' },
    'head.sequence.out': { outside: 'classifier.out_proj.*' },
    'head.masked.dense': { outside: 'lm_head.dense.*' },
    'head.masked.norm': { outside: 'lm_head.layer_norm.*' },
    'head.masked.decoder': { outside: 'lm_head.decoder.weight' },
    'head.masked.bias': { outside: ['lm_head.bias', 'lm_head.decoder.bias'] },
  },
} as const satisfies Family
