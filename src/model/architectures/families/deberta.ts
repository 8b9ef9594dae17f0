/** DeBERTa (He et al. 2021), the first version: one matrix for queries, keys and values, every distance by itself. */
import type { Family, FamilySpec } from '../family.ts'
import { debertaV2 } from './deberta-v2.ts'

export const deberta = {
  ...debertaV2,
  title: 'DeBERTa',
  notes:
    'as DeBERTa-v2: fused q/k/v by head with biases of queries and values alone, a table of every distance, own projections of positions',
  modelTypes: ['deberta'],
  classes: ['Deberta'],
  spec: (config) => {
    if (config.flag('talking_head', false)) throw config.unsupported('talking_head', 'heads that mix are not supported')
    const spec: FamilySpec = debertaV2.spec(config)
    const { positions } = spec.attention
    return {
      ...spec,
      convolution: undefined,
      attention: {
        ...spec.attention,
        layout: 'qkv-by-head',
        bias: { qkv: false, out: true },
        partBias: ['q', 'v'],
        positions:
          positions.kind === 'disentangled'
            ? {
                ...positions,
                shared: false,
                keyBias: false,
                logarithmic: false,
                span: positions.maxDistance,
                norm: undefined,
              }
            : positions,
      },
    }
  },
  tensors: {
    ...debertaV2.tensors,
    'block.attention.qkv': 'encoder.layer.{i}.attention.self.in_proj.*',
    'block.attention.q.bias': 'encoder.layer.{i}.attention.self.q_bias',
    'block.attention.v.bias': 'encoder.layer.{i}.attention.self.v_bias',
    'block.attention.position.q': 'encoder.layer.{i}.attention.self.pos_q_proj.*',
    'block.attention.position.k': 'encoder.layer.{i}.attention.self.pos_proj.*',
  },
} as const satisfies Family
