/** MobileBERT (Sun et al. 2020): narrow blocks between wide states, several feed-forward networks, norms that only scale. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { limits } from '../sizes.ts'
import type { BottleneckSpec, HeadSpec, NormSpec } from '../spec.ts'
import { bert, bertNorm } from './bert.ts'

export const mobilebert = {
  ...bert,
  title: 'MobileBERT',
  notes:
    'bottlenecks around every block, stacked feed-forward networks, norms without statistics, embeddings of a token and its neighbours; a head over the vocabulary of two tables',
  modelTypes: ['mobilebert'],
  classes: ['MobileBert'],
  spec: (config) => {
    const spec: FamilySpec = bert.spec(config)
    const { width } = spec
    const kind = config.choice('normalization_type', ['no_norm', 'layer_norm'], 'no_norm')
    const normOf = (epsilon: number): NormSpec => ({
      kind: kind === 'no_norm' ? 'affine' : 'layer',
      epsilon,
      weight: 'plain',
      bias: true,
    })
    const embedding = config.int('embedding_size', 128, { max: limits.width })
    const neighbours = config.flag('trigram_input', true)
    const bottleneck = readBottleneck(config, width, normOf(1e-5))
    const headWidth = (bottleneck.width ?? width) / spec.attention.heads
    if (!Number.isInteger(headWidth))
      throw config.refuse('num_attention_heads', 'heads do not divide the width of a block')
    const pooled: HeadSpec = config.flag('classifier_activation', true)
      ? (spec.heads.pooler ?? { from: 'first', steps: [] })
      : { from: 'first', steps: [] }
    return {
      ...spec,
      bottleneck,
      causal: false,
      norm: normOf(bertNorm(config).epsilon),
      embedding: {
        ...spec.embedding,
        width: embedding,
        neighbours,
        norm: normOf(1e-5),
        project: neighbours || embedding !== width ? { place: 'before-positions', bias: true } : undefined,
      },
      attention: { ...spec.attention, headWidth },
      mlp: {
        kind: 'plain',
        activation: config.activation('hidden_act', 'relu'),
        width: spec.mlp.width,
        bias: true,
      },
      heads: {
        pooler: pooled,
        sequence: {
          ...pooled,
          steps: [...pooled.steps, { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true }],
        },
        masked: maskedOver(config, width, embedding),
      },
    }
  },
  prefixes: ['', 'mobilebert.'],
  tensors: {
    ...bert.tensors,
    'embed.project': 'embeddings.embedding_transformation.*',
    'block.narrow': 'encoder.layer.{i}.bottleneck.input.dense.*',
    'block.narrow.norm': 'encoder.layer.{i}.bottleneck.input.LayerNorm.*',
    'block.narrow.attention': 'encoder.layer.{i}.bottleneck.attention.dense.*',
    'block.narrow.attention.norm': 'encoder.layer.{i}.bottleneck.attention.LayerNorm.*',
    'block.network.in': 'encoder.layer.{i}.ffn.{j}.intermediate.dense.*',
    'block.network.out': 'encoder.layer.{i}.ffn.{j}.output.dense.*',
    'block.network.norm': 'encoder.layer.{i}.ffn.{j}.output.LayerNorm.*',
    'block.widen': 'encoder.layer.{i}.output.bottleneck.dense.*',
    'block.widen.norm': 'encoder.layer.{i}.output.bottleneck.LayerNorm.*',
    'head.masked.rest': { outside: 'cls.predictions.dense.weight' },
  },
} as const satisfies Family

function readBottleneck(config: ConfigReader, width: number, norm: NormSpec): BottleneckSpec {
  const narrow = config.flag('use_bottleneck', true)
    ? config.int('intra_bottleneck_size', 128, { max: limits.width })
    : undefined
  const isNarrow = config.flag('use_bottleneck_attention', false)
  const isShared = config.flag('key_query_shared_bottleneck', true)
  if (narrow !== undefined && !isNarrow && !isShared)
    throw config.unsupported(
      'key_query_shared_bottleneck',
      `queries of ${width} columns do not fit a bottleneck of ${narrow}`,
    )
  return {
    width: narrow,
    attends: isNarrow ? 'narrow' : 'shared',
    networks: config.int('num_feedforward_networks', 4, { max: 256 }),
    activation: config.activation('hidden_act', 'relu'),
    norm,
  }
}

function maskedOver(config: ConfigReader, width: number, embedding: number): HeadSpec {
  return {
    from: 'tokens',
    steps: [
      { do: 'linear', slot: 'head.masked.dense', out: width, bias: true },
      { do: 'activation', activation: config.activation('hidden_act', 'relu') },
      { do: 'norm', slot: 'head.masked.norm', norm: bertNorm(config) },
      {
        do: 'vocabulary',
        slot: 'head.masked.decoder',
        tied: config.flag('tie_word_embeddings', true),
        bias: 'head.masked.bias',
        rest: { slot: 'head.masked.rest', columns: width - embedding },
      },
    ],
  }
}
