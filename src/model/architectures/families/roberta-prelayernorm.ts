/** RoBERTa with norms before each half (fairseq's `--encoder-normalize-before`; Ott et al. 2019). */
import type { Family } from '../family.ts'
import { roberta, robertaSpec } from './roberta.ts'

export const robertaPrelayernorm = {
  title: 'RoBERTa-PreLayerNorm',
  notes: 'as RoBERTa, norms before attention and MLP and a final one',
  modelTypes: ['roberta-prelayernorm'],
  classes: ['RobertaPreLayerNorm'],
  spec: (config) => ({ ...robertaSpec(config), placement: 'before', final: { norm: true } }),
  prefixes: ['', 'roberta_prelayernorm.'],
  tensors: {
    ...roberta.tensors,
    'block.norm1': 'encoder.layer.{i}.attention.LayerNorm.*',
    'block.norm2': 'encoder.layer.{i}.intermediate.LayerNorm.*',
    'final.norm': 'LayerNorm.*',
  },
} as const satisfies Family
