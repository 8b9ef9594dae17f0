/**
 * RoBERTa (Liu et al. 2019), XLM-RoBERTa, CamemBERT: BERT whose positions are counted from the ids and start after the
 * pad id.
 */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { denseClassifier, maskedHead, poolerHead } from '../heads.ts'
import { readSizes, readWidth } from '../sizes.ts'
import { bert, bertAttended, bertEmbedding, bertNorm } from './bert.ts'

export const roberta = {
  title: 'RoBERTa, XLM-RoBERTa, CamemBERT',
  notes:
    'as BERT, positions counted from ids that are not the pad id and starting at pad id + 1; classifier of dense, tanh, out on the first token',
  modelTypes: ['roberta', 'xlm-roberta', 'camembert'],
  classes: ['Roberta', 'XLMRoberta', 'Camembert'],
  spec: (config) => robertaSpec(config),
  prefixes: ['', 'roberta.'],
  tensors: {
    ...bert.tensors,
    'head.sequence.dense': { outside: 'classifier.dense.*' },
    'head.sequence.out': { outside: 'classifier.out_proj.*' },
    'head.masked.dense': { outside: 'lm_head.dense.*' },
    'head.masked.norm': { outside: 'lm_head.layer_norm.*' },
    'head.masked.decoder': { outside: 'lm_head.decoder.weight' },
    'head.masked.bias': { outside: ['lm_head.bias', 'lm_head.decoder.bias'] },
  },
} as const satisfies Family

/** What the models around RoBERTa have in common; `usual` where their configuration classes differ. */
export function robertaSpec(config: ConfigReader, usual: { epsilon?: number; rows?: number; padId?: number } = {}) {
  const { layers, width, heads, vocabulary } = readSizes(config)
  const norm = bertNorm(config, usual.epsilon)
  const rows = config.int('max_position_embeddings', usual.rows ?? 512)
  const padId = config.int('pad_token_id', usual.padId ?? 1, { min: 0 })
  const maxTokens = rows - padId - 1
  if (maxTokens < 1) throw config.refuse('max_position_embeddings', `leaves no positions after the pad id ${padId}`)
  const masked = maskedHead({ width, activation: 'gelu', norm, tied: config.flag('tie_word_embeddings', true) })
  return {
    layers,
    width,
    vocabulary,
    norm,
    padId,
    maxTokens,
    causal: config.flag('is_decoder', false),
    embedding: bertEmbedding(config, norm, { from: 'ids', rows, padId }),
    placement: 'after-add',
    attention: { heads, bias: { qkv: true, out: true }, positions: bertAttended(config, rows) },
    mlp: {
      kind: 'plain',
      activation: config.activation('hidden_act', 'gelu'),
      width: readWidth(config, 'intermediate_size'),
      bias: true,
    },
    heads: {
      pooler: poolerHead(width),
      sequence: denseClassifier(width, 'tanh'),
      masked,
      causal: masked,
    },
  } as const
}
