/** DeBERTa-v2 and v3 (He et al. 2021, 2023): disentangled attention over buckets of relative positions. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { denseClassifier, maskedHead } from '../heads.ts'
import { dividedWidth, limits, readSizes, readWidth } from '../sizes.ts'
import type { AttendedPositions, ConvolutionSpec, NormSpec } from '../spec.ts'

export const debertaV2 = {
  title: 'DeBERTa-v2, DeBERTa-v3',
  notes:
    'disentangled attention (c2p, p2c, shared or own projections), log buckets, convolution after the first block, gelu pooler on token 0',
  modelTypes: ['deberta-v2'],
  classes: ['DebertaV2'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const norm: NormSpec = {
      kind: 'layer',
      epsilon: config.epsilon('layer_norm_eps', 1e-7),
      weight: 'plain',
      bias: true,
    }
    const activation = config.activation('hidden_act', 'gelu')
    const headWidth = dividedWidth(config, width, heads)
    for (const [key, only] of [['attention_head_size', headWidth] as const, ['pooler_hidden_size', width] as const]) {
      if (config.int(key, only) !== only)
        throw config.unsupported(key, `only ${only} fits a width of ${width} with ${heads} heads`)
    }
    const rows = config.int('max_position_embeddings', 512)
    const learned = config.flag('position_biased_input', true)
    const embedding = config.optionalInt('embedding_size', { max: limits.width }) ?? width
    const types = readTypes(config)
    return {
      layers,
      width,
      vocabulary,
      norm,
      causal: false,
      maxTokens: learned ? rows : undefined,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: {
        width: embedding,
        tokenTypes: config.int('type_vocab_size', 0, { min: 0 }),
        positions: learned ? { from: 'columns', rows } : undefined,
        norm,
        project: embedding === width ? undefined : { place: 'before-norm', bias: false },
      },
      convolution: readConvolution(config, width),
      placement: 'after-add',
      attention: {
        heads,
        headWidth,
        bias: { qkv: true, out: true },
        positions: readPositions(config, { types, norm }),
      },
      // Every kind of score takes its share of the variance, whether or not relative positions are on.
      scale: (headWidth * (1 + types.size)) ** -0.5,
      mlp: { kind: 'plain', activation, width: readWidth(config, 'intermediate_size'), bias: true },
      heads: {
        sequence: denseClassifier(width, config.activation('pooler_hidden_act', 'gelu')),
        masked: maskedHead({ width: embedding, activation, norm, tied: config.flag('tie_word_embeddings', true) }),
      },
    }
  },
  prefixes: ['deberta.', ''],
  tensors: {
    'embed.token': 'embeddings.word_embeddings.weight',
    'embed.position': 'embeddings.position_embeddings.weight',
    'embed.type': 'embeddings.token_type_embeddings.weight',
    'embed.project': 'embeddings.embed_proj.*',
    'embed.norm': 'embeddings.LayerNorm.*',
    'relative.table': 'encoder.rel_embeddings.weight',
    'relative.norm': 'encoder.LayerNorm.*',
    convolution: 'encoder.conv.conv.*',
    'convolution.norm': 'encoder.conv.LayerNorm.*',
    'block.attention.q': 'encoder.layer.{i}.attention.self.query_proj.*',
    'block.attention.k': 'encoder.layer.{i}.attention.self.key_proj.*',
    'block.attention.v': 'encoder.layer.{i}.attention.self.value_proj.*',
    'block.attention.position.q': 'encoder.layer.{i}.attention.self.pos_query_proj.*',
    'block.attention.position.k': 'encoder.layer.{i}.attention.self.pos_key_proj.*',
    'block.attention.out': 'encoder.layer.{i}.attention.output.dense.*',
    'block.norm1': 'encoder.layer.{i}.attention.output.LayerNorm.*',
    'block.mlp.in': 'encoder.layer.{i}.intermediate.dense.*',
    'block.mlp.out': 'encoder.layer.{i}.output.dense.*',
    'block.norm2': 'encoder.layer.{i}.output.LayerNorm.*',
    'head.sequence.dense': { outside: 'pooler.dense.*' },
    'head.sequence.out': { outside: 'classifier.*' },
    'head.masked.dense': { outside: ['cls.predictions.transform.dense.*', 'lm_predictions.lm_head.dense.*'] },
    'head.masked.norm': { outside: ['cls.predictions.transform.LayerNorm.*', 'lm_predictions.lm_head.LayerNorm.*'] },
    'head.masked.decoder': { outside: 'cls.predictions.decoder.weight' },
    'head.masked.bias': {
      outside: ['cls.predictions.bias', 'cls.predictions.decoder.bias', 'lm_predictions.lm_head.bias'],
    },
  },
} as const satisfies Family

type PositionType = 'c2p' | 'p2c'

/** `pos_att_type`, a list or one string with bars between. */
function readTypes(config: ConfigReader): ReadonlySet<PositionType> {
  const types = new Set<PositionType>()
  for (const type of words(config, 'pos_att_type')) {
    if (type !== 'c2p' && type !== 'p2c') throw config.unsupported('pos_att_type', 'supports only c2p and p2c')
    types.add(type)
  }
  return types
}

/** Longest table of distances that is laid out; published models have 512. */
const longestReach = 2 ** 17

function readPositions(
  config: ConfigReader,
  { types, norm }: { types: ReadonlySet<PositionType>; norm: NormSpec },
): AttendedPositions {
  if (!config.flag('relative_attention', false) || types.size === 0) return { kind: 'none' }
  const bounds = { min: -1, max: longestReach }
  const given = config.int('max_relative_positions', -1, bounds)
  const maxDistance = given < 1 ? config.int('max_position_embeddings', 512, { max: longestReach }) : given
  const buckets = config.int('position_buckets', -1, bounds)
  const logarithmic = buckets > 0
  if (logarithmic && buckets % 2 !== 0)
    throw config.unsupported('position_buckets', 'an odd number of buckets does not end at the longest distance')
  if (logarithmic && (buckets < 4 || (maxDistance - 1) / Math.floor(buckets / 2) <= 1)) {
    throw config.refuse(
      'position_buckets',
      `leaves no logarithmic buckets below a distance of ${maxDistance}`,
      `4 … ${2 * maxDistance - 4}`,
    )
  }
  return {
    kind: 'disentangled',
    keys: types.has('c2p'),
    queries: types.has('p2c'),
    shared: config.flag('share_att_key', false),
    span: logarithmic ? buckets : maxDistance,
    maxDistance,
    logarithmic,
    norm: readTableNorm(config) ? norm : undefined,
  }
}

/** `norm_rel_ebd`: whether the table of positions passes through a norm. */
function readTableNorm(config: ConfigReader): boolean {
  const kinds = words(config, 'norm_rel_ebd')
  if (kinds.some((kind) => kind !== 'layer_norm' && kind !== 'none'))
    throw config.unsupported('norm_rel_ebd', 'supports only layer_norm and none')
  return kinds.includes('layer_norm')
}

function readConvolution(config: ConfigReader, width: number): ConvolutionSpec | undefined {
  const kernel = config.int('conv_kernel_size', 0, { min: 0, max: 1024 })
  if (kernel === 0) return undefined
  if (kernel % 2 === 0) throw config.refuse('conv_kernel_size', 'would shorten the text', 'an odd number')
  const groups = config.int('conv_groups', 1, { max: limits.width })
  if (width % groups !== 0) throw config.refuse('conv_groups', `groups do not divide the width ${width}`)
  return { kernel, groups, activation: config.activation('conv_act', 'tanh') }
}

/** Words of a list, or of a string with bars between. */
function words(config: ConfigReader, key: string): readonly string[] {
  const list = config.isList(key) ? (config.list(key) ?? []) : (config.text(key) ?? '').toLowerCase().split('|')
  return list
    .map((word) => {
      if (typeof word !== 'string') throw config.refuse(key, 'holds something that is not a string')
      return word.trim()
    })
    .filter((word) => word !== '')
}
