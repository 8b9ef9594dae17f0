/** Granite 4 (Granite Team 2025): Mamba-2 in most layers, Granite's multipliers, experts next to an MLP, or only that. */
import type { Family } from '../family.ts'
import { layerKinds } from '../layer-types.ts'
import { noAttention } from '../recurs.ts'
import { limits } from '../sizes.ts'
import { hybridKeys, readDuality, readExpanded } from '../state-space.ts'
import { bamba } from './bamba.ts'
import { granite } from './granite.ts'
import { granitemoe, readGraniteExperts } from './granitemoe.ts'

export const granitemoeHybrid = {
  title: 'Granite 4 (hybrid)',
  notes:
    "Mamba-2 where layer_types says so, Granite's multipliers; positions only where position_embedding_type is rope; experts next to a shared MLP, or without experts only that; mlp_bias is not read",
  modelTypes: ['granitemoehybrid'],
  classes: ['GraniteMoeHybrid'],
  spec: (config) => {
    const model = granite.spec(config)
    const { layers, width, norm } = model
    const kinds = layerKinds(config, layers, ['linear_attention', 'full_attention'], {
      keys: ['layer_types', 'layers_block_type'],
      derive: () => 'linear_attention',
    })
    const scan = readDuality(config, hybridKeys, { inner: readExpanded(config, 'mamba_expand', width), norm })
    const turns = config.text('position_embedding_type') === 'rope'
    const shared = config.int('shared_intermediate_size', 1024, { max: limits.width })
    const isDense = config.int('num_local_experts', 8, { min: 0, max: limits.experts }) === 0
    return {
      ...model,
      attention: { ...model.attention, ...(turns ? {} : { positions: { kind: 'none' } as const }) },
      mlp: isDense ? { ...model.mlp, layout: 'halves', width: shared, bias: false } : readGraniteExperts(config, 1024),
      block: (layer) =>
        kinds[layer] === 'linear_attention' ? { attention: noAttention, rotary: undefined, scan } : {},
      heads: { causal: model.heads.causal },
    }
  },
  prefixes: granite.prefixes,
  tensors: {
    ...granitemoe.tensors,
    'block.scan.in': bamba.tensors['block.scan.in'],
    'block.scan.convolution': bamba.tensors['block.scan.convolution'],
    'block.scan.step': bamba.tensors['block.scan.step'],
    'block.scan.decay': bamba.tensors['block.scan.decay'],
    'block.scan.skip': bamba.tensors['block.scan.skip'],
    'block.scan.norm': bamba.tensors['block.scan.norm'],
    'block.scan.out': bamba.tensors['block.scan.out'],
    'block.mlp.in': granitemoe.tensors['block.mlp.shared.in'],
    'block.mlp.out': granitemoe.tensors['block.mlp.shared.out'],
  },
} as const satisfies Family
