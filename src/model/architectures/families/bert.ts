/** BERT (Devlin et al. 2019): post-norm, learned positions, token types, pooler. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { maskedHead, pooledClassifier, poolerHead } from '../heads.ts'
import { readSizes, readWidth } from '../sizes.ts'
import type { AttendedPositions, EmbeddingSpec, HeadSpec, LearnedPositions, NormSpec } from '../spec.ts'

export const bert = {
  title: 'BERT',
  notes:
    'post-norm, learned positions, token types, pooler; relative_key and relative_key_query positions; masked LM and sequence classification heads',
  modelTypes: ['bert'],
  classes: ['Bert'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const norm = bertNorm(config)
    const activation = config.activation('hidden_act', 'gelu')
    const rows = config.int('max_position_embeddings', 512)
    const masked = maskedHead({ width, activation, norm, tied: config.flag('tie_word_embeddings', true) })
    return {
      layers,
      width,
      vocabulary,
      norm,
      causal: config.flag('is_decoder', false),
      maxTokens: rows,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: bertEmbedding(config, norm, { from: 'columns', rows }),
      placement: 'after-add',
      attention: { heads, bias: { qkv: true, out: true }, positions: bertAttended(config, rows) },
      mlp: { kind: 'plain', activation, width: readWidth(config, 'intermediate_size'), bias: true },
      heads: {
        ...bertHeads(width),
        masked,
        causal: masked,
      },
    }
  },
  prefixes: ['', 'bert.'],
  tensors: {
    'embed.token': 'embeddings.word_embeddings.weight',
    'embed.position': 'embeddings.position_embeddings.weight',
    'embed.type': 'embeddings.token_type_embeddings.weight',
    'embed.norm': 'embeddings.LayerNorm.*',
    'block.attention.q': 'encoder.layer.{i}.attention.self.query.*',
    'block.attention.k': 'encoder.layer.{i}.attention.self.key.*',
    'block.attention.v': 'encoder.layer.{i}.attention.self.value.*',
    'block.attention.distance': 'encoder.layer.{i}.attention.self.distance_embedding.weight',
    'block.attention.out': 'encoder.layer.{i}.attention.output.dense.*',
    'block.norm1': 'encoder.layer.{i}.attention.output.LayerNorm.*',
    'block.mlp.in': 'encoder.layer.{i}.intermediate.dense.*',
    'block.mlp.out': 'encoder.layer.{i}.output.dense.*',
    'block.norm2': 'encoder.layer.{i}.output.LayerNorm.*',
    pooler: 'pooler.dense.*',
    'head.sequence.out': { outside: 'classifier.*' },
    'head.masked.dense': { outside: 'cls.predictions.transform.dense.*' },
    'head.masked.norm': { outside: 'cls.predictions.transform.LayerNorm.*' },
    'head.masked.decoder': { outside: 'cls.predictions.decoder.weight' },
    'head.masked.bias': { outside: ['cls.predictions.bias', 'cls.predictions.decoder.bias'] },
  },
} as const satisfies Family

/** LayerNorm with BERT's tiny epsilon unless the config says otherwise. */
export function bertNorm(config: ConfigReader, epsilon = 1e-12): NormSpec {
  return { kind: 'layer', epsilon: config.epsilon('layer_norm_eps', epsilon), weight: 'plain', bias: true }
}

/** Pooler, and the classifier on it. */
export function bertHeads(width: number): { readonly pooler: HeadSpec; readonly sequence: HeadSpec } {
  const pooler = poolerHead(width)
  return { pooler, sequence: pooledClassifier(pooler) }
}

const positionTypes = ['absolute', 'relative_key', 'relative_key_query'] as const

/** Tokens, types and – unless positions are relative – a position table, then a norm. */
export function bertEmbedding(
  config: ConfigReader,
  norm: NormSpec,
  positions: LearnedPositions,
): Partial<EmbeddingSpec> {
  const absolute = config.choice('position_embedding_type', positionTypes, 'absolute') === 'absolute'
  return { tokenTypes: config.int('type_vocab_size', 2, { min: 0 }), positions: absolute ? positions : undefined, norm }
}

/** `position_embedding_type` of the BERT-likes. */
export function bertAttended(config: ConfigReader, maxPositions: number): AttendedPositions {
  const type = config.choice('position_embedding_type', positionTypes, 'absolute')
  if (type === 'absolute') return { kind: 'none' }
  return { kind: 'distance', with: type === 'relative_key' ? 'query' : 'query-and-key', maxPositions }
}
