/** Megatron's BERT (Shoeybi et al. 2019): BERT with norms before each half and after all blocks. */
import type { Family } from '../family.ts'
import { bert } from './bert.ts'

export const megatronBert = {
  title: 'Megatron-BERT',
  notes: 'as BERT, norms before attention and MLP, none over embeddings, a final one',
  modelTypes: ['megatron-bert'],
  classes: ['MegatronBert'],
  spec: (config) => {
    const { embedding, ...rest } = bert.spec(config)
    return { ...rest, embedding: { ...embedding, norm: undefined }, placement: 'before', final: { norm: true } }
  },
  prefixes: bert.prefixes,
  tensors: {
    ...bert.tensors,
    'block.norm1': 'encoder.layer.{i}.attention.ln.*',
    'block.norm2': 'encoder.layer.{i}.ln.*',
    'final.norm': 'encoder.ln.*',
  },
} as const satisfies Family
