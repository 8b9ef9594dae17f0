/** ALBERT (Lan et al. 2020): narrow embeddings, layers that share weights by group. */
import type { Family } from '../family.ts'
import { maskedHead, pooledClassifier, poolerHead } from '../heads.ts'
import { limits, readSizes, readWidth } from '../sizes.ts'
import { bertAttended, bertEmbedding, bertNorm } from './bert.ts'

export const albert = {
  title: 'ALBERT',
  notes:
    'layers share weights by group, embeddings narrower than the model and mapped up after their norm, pooler is a bare Linear with tanh',
  modelTypes: ['albert'],
  classes: ['Albert'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const norm = bertNorm(config)
    const rows = config.int('max_position_embeddings', 512)
    const embedding = config.int('embedding_size', 128, { max: limits.width })
    const groups = config.int('num_hidden_groups', 1, { max: layers })
    const inner = config.int('inner_group_num', 1, { max: 64 })
    const activation = config.activation('hidden_act', 'gelu_new')
    const pooler = poolerHead(width)
    return {
      layers,
      width,
      vocabulary,
      norm,
      causal: false,
      maxTokens: rows,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: {
        ...bertEmbedding(config, norm, { from: 'columns', rows }),
        width: embedding,
        project: { place: 'after-norm', bias: true },
      },
      placement: 'after-add',
      attention: { heads, bias: { qkv: true, out: true }, positions: bertAttended(config, rows) },
      mlp: { kind: 'plain', activation, width: readWidth(config, 'intermediate_size'), bias: true },
      blocksPerState: inner,
      block: (index) => ({ i: Math.floor(Math.floor(index / inner) / (layers / groups)), j: index % inner }),
      heads: {
        pooler,
        sequence: pooledClassifier(pooler),
        masked: maskedHead({ width: embedding, activation, norm, tied: config.flag('tie_word_embeddings', true) }),
      },
    }
  },
  prefixes: ['', 'albert.'],
  tensors: {
    'embed.token': 'embeddings.word_embeddings.weight',
    'embed.position': 'embeddings.position_embeddings.weight',
    'embed.type': 'embeddings.token_type_embeddings.weight',
    'embed.norm': 'embeddings.LayerNorm.*',
    'embed.project': 'encoder.embedding_hidden_mapping_in.*',
    'block.attention.q': 'encoder.albert_layer_groups.{i}.albert_layers.{j}.attention.query.*',
    'block.attention.k': 'encoder.albert_layer_groups.{i}.albert_layers.{j}.attention.key.*',
    'block.attention.v': 'encoder.albert_layer_groups.{i}.albert_layers.{j}.attention.value.*',
    'block.attention.distance': 'encoder.albert_layer_groups.{i}.albert_layers.{j}.attention.distance_embedding.weight',
    'block.attention.out': 'encoder.albert_layer_groups.{i}.albert_layers.{j}.attention.dense.*',
    'block.norm1': 'encoder.albert_layer_groups.{i}.albert_layers.{j}.attention.LayerNorm.*',
    'block.mlp.in': 'encoder.albert_layer_groups.{i}.albert_layers.{j}.ffn.*',
    'block.mlp.out': 'encoder.albert_layer_groups.{i}.albert_layers.{j}.ffn_output.*',
    'block.norm2': 'encoder.albert_layer_groups.{i}.albert_layers.{j}.full_layer_layer_norm.*',
    pooler: 'pooler.*',
    'head.sequence.out': { outside: 'classifier.*' },
    'head.masked.dense': { outside: 'predictions.dense.*' },
    'head.masked.norm': { outside: 'predictions.LayerNorm.*' },
    'head.masked.decoder': { outside: 'predictions.decoder.weight' },
    'head.masked.bias': { outside: ['predictions.bias', 'predictions.decoder.bias'] },
  },
  depth: { further: (blocks) => ({ num_hidden_groups: new Set(blocks.map(({ i }) => i)).size }) },
} as const satisfies Family
