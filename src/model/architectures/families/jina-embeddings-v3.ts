/**
 * Jina Embeddings v3 (Sturua et al. 2024): XLM-RoBERTa with rotary positions. `jina_embeddings_v3` is transformers'
 * class; the original repository calls itself `xlm-roberta` and has names, and adapters for tasks (`model/adapters`), of its own.
 */
import { codeNames, type ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { denseClassifier, maskedHead, poolerHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth, readSizes, readWidth } from '../sizes.ts'
import { bertNorm } from './bert.ts'
import { roberta } from './roberta.ts'

export const jinaEmbeddingsV3 = {
  title: 'Jina Embeddings v3',
  notes:
    'XLM-RoBERTa with rotary positions, also in the original layout; the task adapters of the latter are chosen by task or by --adapter',
  modelTypes: ['jina_embeddings_v3'],
  classes: ['JinaEmbeddingsV3'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const norm = bertNorm(config, 1e-5)
    const rotary = readRotary(config, {
      headWidth: dividedWidth(config, width, heads),
      base: 20_000,
      baseKey: ['rope_theta', 'rotary_emb_base'],
    })
    return {
      layers,
      width,
      vocabulary,
      norm,
      causal: false,
      maxTokens: config.int('max_position_embeddings', 8194),
      padId: config.int('pad_token_id', 1, { min: -1 }),
      embedding: { tokenTypes: config.int('type_vocab_size', 1, { min: 0 }), norm },
      placement: 'after-add',
      attention: {
        heads,
        layout: 'qkv',
        bias: { qkv: true, out: true },
        positions: { kind: 'rotary', tables: [rotary] },
      },
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
  prefixes: ['', 'roberta.'],
  // Matrices with adapters lie in the original under `parametrizations.weight.original`, with their biases as usual.
  tensors: {
    'embed.token': ['embeddings.word_embeddings.weight', 'embeddings.word_embeddings.parametrizations.weight.original'],
    'embed.type': [
      'embeddings.token_type_embeddings.weight',
      'embeddings.token_type_embeddings.parametrizations.weight.original',
    ],
    'embed.norm': ['emb_ln.*', 'embeddings.LayerNorm.*'],
    'block.attention.qkv': [
      'encoder.layers.{i}.mixer.Wqkv.*',
      'encoder.layers.{i}.mixer.Wqkv.parametrizations.weight.original',
    ],
    'block.attention.q': 'layers.{i}.self_attn.q_proj.*',
    'block.attention.k': 'layers.{i}.self_attn.k_proj.*',
    'block.attention.v': 'layers.{i}.self_attn.v_proj.*',
    'block.attention.out': [
      'encoder.layers.{i}.mixer.out_proj.*',
      'encoder.layers.{i}.mixer.out_proj.parametrizations.weight.original',
      'layers.{i}.self_attn.o_proj.*',
    ],
    'block.norm1': ['encoder.layers.{i}.norm1.*', 'layers.{i}.post_attention_layernorm.*'],
    'block.mlp.in': [
      'encoder.layers.{i}.mlp.fc1.*',
      'encoder.layers.{i}.mlp.fc1.parametrizations.weight.original',
      'layers.{i}.mlp.fc1.*',
    ],
    'block.mlp.out': [
      'encoder.layers.{i}.mlp.fc2.*',
      'encoder.layers.{i}.mlp.fc2.parametrizations.weight.original',
      'layers.{i}.mlp.fc2.*',
    ],
    'block.norm2': ['encoder.layers.{i}.norm2.*', 'layers.{i}.post_mlp_layernorm.*'],
    pooler: ['pooler.dense.*', 'pooler.dense.parametrizations.weight.original'],
    'head.sequence.dense': roberta.tensors['head.sequence.dense'],
    'head.sequence.out': roberta.tensors['head.sequence.out'],
    'head.masked.dense': roberta.tensors['head.masked.dense'],
    'head.masked.norm': roberta.tensors['head.masked.norm'],
    'head.masked.decoder': roberta.tensors['head.masked.decoder'],
    'head.masked.bias': roberta.tensors['head.masked.bias'],
  },
} as const satisfies Family

/** Jina's own code, of the embedder with rotary and of a reranker with learned positions; its configs say `xlm-roberta`. */
export const xlmRobertaFlash = {
  ...jinaEmbeddingsV3,
  title: 'XLM-RoBERTa (Jina)',
  notes:
    'XLM-RoBERTa in the layout of its flash implementation, rotary or learned positions; task adapters are chosen by task or by --adapter',
  modelTypes: ['xlm-roberta-flash'],
  classes: ['XLMRobertaFlash'],
  borrows: { modelType: 'xlm-roberta', when: (config) => isRotary(config) || codeNames(config, 'XLMRobertaFlash') },
  spec: (config) => {
    if (isRotary(config)) return jinaEmbeddingsV3.spec(config)
    const plain = roberta.spec(config)
    return { ...plain, attention: { ...plain.attention, layout: 'qkv' } }
  },
  tensors: { ...jinaEmbeddingsV3.tensors, 'embed.position': 'embeddings.position_embeddings.weight' },
} as const satisfies Family

function isRotary(config: ConfigReader): boolean {
  return config.isText('position_embedding_type') && config.text('position_embedding_type') === 'rotary'
}
