/** XLM (Lample & Conneau 2019) and FlauBERT (Le et al. 2020): BERT with names of its own, no token types, no pooler. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { dividedWidth, readSizes } from '../sizes.ts'
import type { HeadSpec } from '../spec.ts'

const keys = {
  layers: ['n_layers', 'num_hidden_layers'],
  width: ['emb_dim', 'hidden_size'],
  heads: ['n_heads', 'num_attention_heads'],
  vocabulary: ['vocab_size', 'n_words'],
} as const

export const xlm = {
  title: 'XLM',
  notes:
    'post-norm, learned positions; languages are not told apart (as in transformers without langs); causal where the config says so, then pads on the left are never seen; adaptive softmax is refused',
  modelTypes: ['xlm'],
  classes: ['XLM', 'XLMWith'],
  spec: (config) => readXlm(config, false),
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'embeddings.weight',
    'embed.position': 'position_embeddings.weight',
    'embed.norm': 'layer_norm_emb.*',
    'block.attention.q': 'attentions.{i}.q_lin.*',
    'block.attention.k': 'attentions.{i}.k_lin.*',
    'block.attention.v': 'attentions.{i}.v_lin.*',
    'block.attention.out': 'attentions.{i}.out_lin.*',
    'block.norm1': 'layer_norm1.{i}.*',
    'block.mlp.in': 'ffns.{i}.lin1.*',
    'block.mlp.out': 'ffns.{i}.lin2.*',
    'block.norm2': 'layer_norm2.{i}.*',
    'head.masked.decoder': { outside: 'pred_layer.proj.weight' },
    'head.masked.bias': { outside: 'pred_layer.proj.bias' },
    'head.sequence.out': { outside: 'sequence_summary.summary.*' },
  },
  depth: { count: keys.layers },
} as const satisfies Family

export const flaubert = {
  ...xlm,
  title: 'FlauBERT',
  notes: 'as XLM, norms before each half where pre_norm says so',
  modelTypes: ['flaubert'],
  classes: ['Flaubert', 'FlaubertWith'],
  spec: (config) => readXlm(config, config.flag('pre_norm', false)),
} as const satisfies Family

function readXlm(config: ConfigReader, preNorm: boolean): FamilySpec {
  if (!config.flag('is_encoder', true))
    throw config.unsupported('is_encoder', 'decoders with cross attention are not supported')
  const { layers, width, heads, vocabulary } = readSizes(config, keys)
  const rows = config.int('max_position_embeddings', 512)
  const norm = { kind: 'layer', epsilon: config.epsilon('layer_norm_eps', 1e-12), weight: 'plain', bias: true } as const
  return {
    layers,
    width,
    vocabulary,
    norm,
    maxTokens: rows,
    causal: config.flag('causal', false),
    padId: config.int(['pad_token_id', 'pad_index'], 2, { min: -1 }),
    embedding: { positions: { from: 'columns', rows }, norm },
    placement: preNorm ? 'before' : 'after-add',
    attention: {
      heads,
      headWidth: dividedWidth(config, width, heads, keys.heads),
      bias: { qkv: true, out: true },
      positions: { kind: 'none' },
    },
    mlp: {
      kind: 'plain',
      activation: config.flag('gelu_activation', true) ? 'gelu' : 'relu',
      width: 4 * width,
      bias: true,
    },
    heads: { ...vocabularyHeads(config), ...summaryHead(config) },
  }
}

/** One head, under both of its uses; none where it is an adaptive softmax. */
function vocabularyHeads(config: ConfigReader): FamilySpec['heads'] {
  if (config.flag('asm', false)) return {}
  const head: HeadSpec = {
    from: 'tokens',
    steps: [
      {
        do: 'vocabulary',
        slot: 'head.masked.decoder',
        tied: config.flag('tie_word_embeddings', true),
        bias: 'head.masked.bias',
      },
    ],
  }
  return { masked: head, causal: head }
}

/** `SequenceSummary` of transformers, where it reads the first token and projects to labels. */
function summaryHead(config: ConfigReader): FamilySpec['heads'] {
  const isUsual =
    (config.text('summary_type') ?? 'first') === 'first' &&
    config.flag('summary_use_proj', true) &&
    config.flag('summary_proj_to_labels', true)
  if (!isUsual) return {}
  const named = config.text('summary_activation') ?? ''
  return {
    sequence: {
      from: 'first',
      steps: [
        { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true },
        ...(named === '' ? [] : [{ do: 'activation' as const, activation: config.activation('summary_activation') }]),
      ],
    },
  }
}
