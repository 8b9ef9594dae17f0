/** XLM-RoBERTa XL and XXL (Goyal et al. 2021): XLM-RoBERTa with norms before each half and after all blocks. */
import type { Family } from '../family.ts'
import { roberta, robertaSpec } from './roberta.ts'

export const xlmRobertaXl = {
  title: 'XLM-RoBERTa-XL',
  notes: 'as XLM-RoBERTa, norms before attention and MLP, none over embeddings, a final one',
  modelTypes: ['xlm-roberta-xl'],
  classes: ['XLMRobertaXL'],
  spec: (config) => {
    const { embedding, ...rest } = robertaSpec(config, { epsilon: 1e-5, rows: 514 })
    return { ...rest, embedding: { ...embedding, norm: undefined }, placement: 'before', final: { norm: true } }
  },
  prefixes: roberta.prefixes,
  tensors: {
    ...roberta.tensors,
    'block.norm1': 'encoder.layer.{i}.attention.self_attn_layer_norm.*',
    'block.norm2': 'encoder.layer.{i}.LayerNorm.*',
    'final.norm': 'encoder.LayerNorm.*',
  },
} as const satisfies Family
