/** Models that are RoBERTa under another name, as far as a text goes. */
import type { Family } from '../family.ts'
import { bertHeads } from './bert.ts'
import { roberta, robertaSpec } from './roberta.ts'

export const data2vecText = {
  ...roberta,
  title: 'Data2Vec (text)',
  notes: 'RoBERTa under another name',
  modelTypes: ['data2vec-text'],
  classes: ['Data2VecText'],
  prefixes: ['', 'data2vec_text.'],
} as const satisfies Family

export const ibert = {
  ...roberta,
  title: 'I-BERT',
  notes: 'RoBERTa; quantised ones (quant_mode) are refused',
  modelTypes: ['ibert'],
  classes: ['IBert'],
  spec: (config) => {
    if (config.flag('quant_mode', false)) throw config.unsupported('quant_mode', 'integer arithmetic is not built')
    if (config.activation('hidden_act', 'gelu') !== 'gelu')
      throw config.unsupported('hidden_act', 'is defined only as gelu')
    return robertaSpec(config)
  },
  prefixes: ['', 'ibert.'],
} as const satisfies Family

export const luke = {
  ...roberta,
  title: 'LUKE, mLUKE',
  notes: 'RoBERTa for a text without entities; classifier on the pooler',
  modelTypes: ['luke'],
  classes: ['Luke'],
  spec: (config) => {
    const spec = robertaSpec(config)
    const { masked } = spec.heads
    return { ...spec, causal: false, heads: { ...bertHeads(spec.width), masked } }
  },
  prefixes: ['', 'luke.'],
  tensors: { ...roberta.tensors, 'head.sequence.out': { outside: 'classifier.*' } },
} as const satisfies Family
