/** Granite MoE with windows, attention sinks and a rotary base for each layer. */
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth } from '../sizes.ts'
import { readBases } from './granite-swa.ts'
import { granitemoe } from './granitemoe.ts'

export const granitemoeSwa = {
  title: 'Granite MoE SWA',
  notes:
    'Granite MoE with a window in three layers of four, attention sinks, and a rotary base (or none) for each layer',
  modelTypes: ['granitemoe_swa'],
  classes: ['GraniteMoeSWA'],
  spec: (config) => {
    const model = granitemoe.spec(config)
    const window = config.isNull('sliding_window') ? undefined : config.int('sliding_window', 128)
    const types = layerTypes(config, model.layers, (layer) =>
      layer % 4 === 0 ? 'full_attention' : 'sliding_attention',
    )
    const usual = readRotary(config, { headWidth: dividedWidth(config, model.width, model.attention.heads) })
    const bases = readBases(config, model.layers, usual.base)
    const distinct = [...new Set(bases)].filter((base) => base !== 0)
    return {
      ...model,
      attention: {
        ...model.attention,
        sinks: true,
        positions: { kind: 'rotary', tables: distinct.map((base) => ({ ...usual, base })) },
      },
      block: (layer) => ({
        window: types[layer] === 'sliding_attention' ? window : undefined,
        rotary: bases[layer] === 0 ? undefined : distinct.indexOf(bases[layer] ?? 0),
      }),
    }
  },
  prefixes: granitemoe.prefixes,
  tensors: { ...granitemoe.tensors, 'block.attention.sinks': 'layers.{i}.self_attn.sinks' },
  depth: { lists: ['layer_types', 'layer_rope_theta'] },
} as const satisfies Family
