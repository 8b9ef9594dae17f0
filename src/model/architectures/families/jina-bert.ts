/**
 * Jina Embeddings v2 (Günther et al. 2023): BERT with linear biases to both sides in place of positions and a gated MLP.
 * The repositories call themselves `bert`; those of the code model norm queries and keys and add once more.
 */
import type { Activation } from '../activation.ts'
import { codeNames, type ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { maskedHead } from '../heads.ts'
import { readSizes, readWidth } from '../sizes.ts'
import type { MlpSpec } from '../spec.ts'
import { bert, bertHeads, bertNorm } from './bert.ts'

export const jinaBert = {
  title: 'Jina BERT v2',
  notes: 'BERT with symmetric alibi and a gated MLP (original code; position_embedding_type alibi)',
  modelTypes: ['jina-bert-v2'],
  classes: ['JinaBert'],
  borrows: { modelType: 'bert', when: (config) => isAlibi(config) && !normsQueries(config) },
  spec: (config) => readJina(config),
  prefixes: bert.prefixes,
  tensors: {
    ...bert.tensors,
    'block.mlp.in': ['encoder.layer.{i}.mlp.gated_layers.*', 'encoder.layer.{i}.intermediate.dense.*'],
    'block.mlp.out': ['encoder.layer.{i}.mlp.wo.*', 'encoder.layer.{i}.output.dense.*'],
    'block.norm2': ['encoder.layer.{i}.mlp.layernorm.*', 'encoder.layer.{i}.output.LayerNorm.*'],
  },
} as const satisfies Family

export const jinaCodeBert = {
  ...jinaBert,
  title: 'Jina BERT v2 (norms on q and k)',
  notes: 'Jina BERT v2 of the code model: LayerNorm over all heads of q and k, and a norm more after attention',
  modelTypes: ['jina-bert-v2-qk-post-norm'],
  classes: ['JinaBertV2'],
  borrows: { modelType: 'bert', when: (config) => isAlibi(config) && normsQueries(config) },
  spec: (config) => {
    const spec = readJina(config)
    return {
      ...spec,
      placement: 'after-add-twice',
      attention: { ...spec.attention, queryKeyNorm: { over: 'all-heads', norm: spec.norm } },
      mlp: spec.mlp.kind === 'gated' ? { ...spec.mlp, layout: 'halves-reversed' } : spec.mlp,
    }
  },
  tensors: {
    ...bert.tensors,
    'block.attention.q.norm': 'encoder.layer.{i}.attention.self.layer_norm_q.*',
    'block.attention.k.norm': 'encoder.layer.{i}.attention.self.layer_norm_k.*',
    'block.norm1.after': 'encoder.layer.{i}.attention.output.LayerNorm.*',
    'block.norm1': 'encoder.layer.{i}.layer_norm_1.*',
    'block.mlp.in': 'encoder.layer.{i}.mlp.up_gated_layer.*',
    'block.mlp.out': 'encoder.layer.{i}.mlp.down_layer.*',
    'block.norm2': 'encoder.layer.{i}.layer_norm_2.*',
  },
} as const satisfies Family

function isAlibi(config: ConfigReader): boolean {
  return config.isText('position_embedding_type') && config.text('position_embedding_type') === 'alibi'
}

/** Nothing but the name of its code tells this model from the other. */
function normsQueries(config: ConfigReader): boolean {
  return codeNames(config, 'qk-post-norm')
}

const gates: Readonly<Record<string, Activation>> = { reglu: 'relu', geglu: 'gelu' }

function readJina(config: ConfigReader) {
  const { layers, width, heads, vocabulary } = readSizes(config)
  if (config.flag('is_decoder', false))
    throw config.unsupported('is_decoder', 'biases of this family go by distance to both sides')
  const norm = bertNorm(config)
  const activation = config.activation('hidden_act', 'gelu')
  const kind = config.choice('feed_forward_type', ['original', 'reglu', 'geglu'], 'original')
  const gate = gates[kind]
  const inner = readWidth(config, 'intermediate_size')
  const tied = config.flag('tie_word_embeddings', true)
  const mlp: MlpSpec =
    gate === undefined
      ? { kind: 'plain', activation, width: inner, bias: true }
      : { kind: 'gated', layout: 'halves', activation: gate, width: inner, bias: { in: false, out: true } }
  return {
    layers,
    width,
    vocabulary,
    norm,
    mlp,
    causal: false,
    maxTokens: config.int('max_position_embeddings', 512),
    padId: config.int('pad_token_id', 0, { min: -1 }),
    embedding: { tokenTypes: config.int('type_vocab_size', 2, { min: 0 }), norm },
    placement: 'after-add',
    attention: {
      heads,
      bias: { qkv: true, out: true },
      positions: { kind: 'alibi', factor: 1, rounding: 'none', symmetric: true },
    },
    heads: { ...bertHeads(width), masked: maskedHead({ width, activation, norm, tied }) },
  } as const
}
