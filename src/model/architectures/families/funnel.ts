/** Funnel Transformer (Dai et al. 2020): rows pooled between blocks, and repeated for a decoder of the whole text. */
import type { ConfigReader, Key } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { limits, readWidth } from '../sizes.ts'
import type { PooledRows } from '../spec.ts'

const names = {
  'embed.token': 'embeddings.word_embeddings.weight',
  'embed.norm': 'embeddings.layer_norm.*',
  'block.attention.q': '{p}.{j}.attention.q_head.weight',
  'block.attention.k': '{p}.{j}.attention.k_head.weight',
  'block.attention.k.bias': '{p}.{j}.attention.k_head.bias',
  'block.attention.v': '{p}.{j}.attention.v_head.weight',
  'block.attention.v.bias': '{p}.{j}.attention.v_head.bias',
  'block.attention.out': '{p}.{j}.attention.post_proj.*',
  'block.attention.content.bias': '{p}.{j}.attention.r_w_bias',
  'block.attention.position.bias': '{p}.{j}.attention.r_r_bias',
  'block.attention.position.k': '{p}.{j}.attention.r_kernel',
  'block.attention.segment.bias': '{p}.{j}.attention.r_s_bias',
  'block.attention.segment': '{p}.{j}.attention.seg_embed',
  'block.norm1': '{p}.{j}.attention.layer_norm.*',
  'block.mlp.in': '{p}.{j}.ffn.linear_1.*',
  'block.mlp.out': '{p}.{j}.ffn.linear_2.*',
  'block.norm2': '{p}.{j}.ffn.layer_norm.*',
  'head.masked.decoder': { outside: 'lm_head.weight' },
  'head.masked.bias': { outside: 'lm_head.bias' },
  'head.sequence.dense': { outside: 'classifier.linear_hidden.*' },
  'head.sequence.out': { outside: 'classifier.linear_out.*' },
} as const

export const funnel = {
  title: 'Funnel Transformer',
  notes:
    'sinusoids of distances, the first token apart; hidden states are those with a row for every token: embeddings, first block, input and layers of the decoder; pads are pooled with tokens, as in transformers',
  modelTypes: ['funnel'],
  classes: ['Funnel'],
  spec: (config) => {
    const { spec, blocks, rows } = readEncoder(config)
    const [first = 0] = blocks
    const decoder = config.int('num_decoder_layers', 2, { min: 0, max: limits.layers })
    const joins = readSizesOfBlocks(config)[0] ?? 0
    return {
      ...spec,
      layers: first + 1 + decoder,
      blockCount: sum(blocks) + decoder,
      stateNames: { after: first, skipped: sum(blocks) - first },
      shorter: { ...rows, joins },
      heads: {
        masked: {
          from: 'tokens',
          steps: [
            {
              do: 'vocabulary',
              slot: 'head.masked.decoder',
              tied: config.flag('tie_word_embeddings', true),
              bias: 'head.masked.bias',
            },
          ],
        },
      },
    }
  },
  prefixes: ['', 'funnel.'],
  tensors: names,
} as const satisfies Family

export const funnelBase = {
  ...funnel,
  title: 'Funnel Transformer without decoder',
  notes:
    'as Funnel; hidden states are those of the first block, and the head for texts reads the first pooled row; the last state, shorter than the text, is refused',
  only: ['FunnelBaseModel', 'FunnelForSequenceClassification', 'FunnelForMultipleChoice'],
  spec: (config) => {
    const { spec, blocks, rows } = readEncoder(config)
    const [first = 0] = blocks
    return {
      ...spec,
      layers: first,
      blockCount: sum(blocks),
      shorter: { ...rows, joins: undefined },
      final: { lastState: 'raw' },
      heads: {
        sequence: {
          from: 'first-inside',
          steps: [
            { do: 'linear', slot: 'head.sequence.dense', out: spec.width, bias: true },
            { do: 'activation', activation: 'tanh' },
            { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true },
          ],
        },
      },
    }
  },
} as const satisfies Family

/** What both have in common, the layers of every block with their repetitions, and how rows are pooled. */
function readEncoder(config: ConfigReader): {
  readonly spec: Omit<FamilySpec, 'layers' | 'heads'>
  readonly blocks: readonly number[]
  readonly rows: Omit<PooledRows, 'joins'>
} {
  const width = readWidth(config, ['d_model', 'hidden_size'])
  if (width % 2 !== 0) throw config.refuse('d_model', 'is odd, and sinusoids come in pairs')
  const sizes = readSizesOfBlocks(config)
  const repeats = readCounts(
    config,
    'block_repeats',
    sizes.map(() => 1),
  )
  if (repeats.length !== sizes.length) throw config.refuse('block_repeats', 'is not as long as block_sizes')
  const layers = sizes.flatMap((size, i) =>
    Array.from({ length: size * (repeats[i] ?? 1) }, (_, index) => ({ i, j: Math.floor(index / (repeats[i] ?? 1)) })),
  )
  const blocks = sizes.map((_, i) => layers.filter((layer) => layer.i === i).length)
  const firstApart = config.flag('separate_cls', true)
  const norm = { kind: 'layer', epsilon: config.epsilon('layer_norm_eps', 1e-9), weight: 'plain', bias: true } as const
  config.has('num_decoder_layers')
  // two ways to the same numbers
  config.choice('attention_type', ['relative_shift', 'factorized'], 'relative_shift')
  return {
    blocks,
    rows: {
      kind: 'pooled',
      after: blocks[0] ?? 0,
      rounds: sizes.length - 1,
      pool: config.choice('pooling_type', ['mean', 'max'], 'mean'),
      firstApart,
      lastDropped: config.flag('truncate_seq', true),
      queriesOnly: config.flag('pool_q_only', true),
    },
    spec: {
      width,
      norm,
      vocabulary: config.int('vocab_size', 30_522, { max: limits.vocabulary }),
      causal: false,
      maxTokens: undefined,
      padId: config.optionalInt('pad_token_id', { min: 0 }),
      embedding: { norm },
      placement: 'after-add',
      attention: {
        heads: config.int(['n_head', 'num_attention_heads'], 12, { max: limits.heads }),
        headWidth: config.int('d_head', 64, { max: limits.width }),
        bias: { qkv: false, out: true },
        partBias: ['k', 'v'],
        positions: { kind: 'relative-sinusoids', clamp: undefined, firstApart, sharedType: 2 },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('hidden_act', 'gelu_new'),
        width: config.int('d_inner', 3072, { max: limits.width }),
        bias: true,
      },
      block: (index) => {
        const layer = layers[index]
        if (layer === undefined) return { i: sizes.length, j: index - layers.length, part: 'decoder.layers' }
        const part = `encoder.blocks.${layer.i}`
        return layer.i === 0 ? { ...layer, part } : { ...layer, part, state: false, inside: layer.i }
      },
    },
  }
}

function readSizesOfBlocks(config: ConfigReader): readonly number[] {
  const sizes = readCounts(config, 'block_sizes', [4, 4, 4])
  if (sizes.length === 0) throw config.refuse('block_sizes', 'is empty')
  return sizes
}

function readCounts(config: ConfigReader, key: Key, usual: readonly number[]): readonly number[] {
  const counts = config.numbers(key) ?? usual
  if (counts.some((count) => !Number.isInteger(count) || count < 1) || sum(counts) > limits.layers)
    throw config.refuse(key, 'holds something that is not a number of layers')
  return counts
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
