/** DistilBERT (Sanh et al. 2019): half of BERT's layers, no token types, no pooler, keys of its own. */
import type { Family } from '../family.ts'
import { maskedHead } from '../heads.ts'
import { dividedWidth, readSizes, readWidth } from '../sizes.ts'
import type { NormSpec } from '../spec.ts'

const layerKeys = ['n_layers', 'num_hidden_layers'] as const

/** Fixed in the reference's modules. */
const norm: NormSpec = { kind: 'layer', epsilon: 1e-12, weight: 'plain', bias: true }

export const distilbert = {
  title: 'DistilBERT',
  notes: 'post-norm, learned positions, no token types, no pooler; classifier of dense, relu, out on the first token',
  modelTypes: ['distilbert'],
  classes: ['DistilBert'],
  spec: (config) => {
    const keys = { layers: layerKeys, width: ['dim', 'hidden_size'], heads: ['n_heads', 'num_attention_heads'] }
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const rows = config.int('max_position_embeddings', 512)
    const activation = config.activation('activation', 'gelu')
    return {
      layers,
      width,
      vocabulary,
      norm,
      causal: false,
      maxTokens: rows,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: { positions: { from: 'columns', rows }, norm },
      placement: 'after-add',
      attention: {
        heads,
        headWidth: dividedWidth(config, width, heads, keys.heads),
        bias: { qkv: true, out: true },
        positions: { kind: 'none' },
      },
      mlp: { kind: 'plain', activation, width: readWidth(config, 'hidden_dim'), bias: true },
      heads: {
        sequence: {
          from: 'first',
          steps: [
            { do: 'linear', slot: 'head.sequence.dense', out: width, bias: true },
            { do: 'activation', activation: 'relu' },
            { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true },
          ],
        },
        masked: maskedHead({ width, activation, norm, tied: config.flag('tie_word_embeddings', true) }),
      },
    }
  },
  prefixes: ['', 'distilbert.'],
  tensors: {
    'embed.token': 'embeddings.word_embeddings.weight',
    'embed.position': 'embeddings.position_embeddings.weight',
    'embed.norm': 'embeddings.LayerNorm.*',
    'block.attention.q': 'transformer.layer.{i}.attention.q_lin.*',
    'block.attention.k': 'transformer.layer.{i}.attention.k_lin.*',
    'block.attention.v': 'transformer.layer.{i}.attention.v_lin.*',
    'block.attention.out': 'transformer.layer.{i}.attention.out_lin.*',
    'block.norm1': 'transformer.layer.{i}.sa_layer_norm.*',
    'block.mlp.in': 'transformer.layer.{i}.ffn.lin1.*',
    'block.mlp.out': 'transformer.layer.{i}.ffn.lin2.*',
    'block.norm2': 'transformer.layer.{i}.output_layer_norm.*',
    'head.sequence.dense': { outside: 'pre_classifier.*' },
    'head.sequence.out': { outside: 'classifier.*' },
    'head.masked.dense': { outside: 'vocab_transform.*' },
    'head.masked.norm': { outside: 'vocab_layer_norm.*' },
    'head.masked.decoder': { outside: 'vocab_projector.weight' },
    'head.masked.bias': { outside: 'vocab_projector.bias' },
  },
  depth: { count: layerKeys },
} as const satisfies Family
