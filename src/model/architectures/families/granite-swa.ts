/** Granite with sliding windows (Granite Team 2026): local layers, attention sinks, a rotary base per layer. */
import type { ConfigReader } from '../config-reader.ts'
import { readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { windowsByType } from '../layer-types.ts'
import type { Rotary } from '../spec.ts'
import { dividedLogits, granite, readGranite } from './granite.ts'

export const graniteSwa = {
  title: 'Granite (sliding windows)',
  notes: 'as Granite; local layers, a learned sink per head, rotary base by layer (0: no positions)',
  modelTypes: ['granite_swa'],
  classes: ['GraniteSWA'],
  depth: { lists: ['layer_types', 'layer_rope_theta'] },
  spec: (config) => {
    const decoder = readGranite(config, { maxTokens: 8192, tied: true, keyHeads: 4, epsilon: 1e-5 })
    const { layers, attention } = decoder
    const window = readWindow(config, 128)
    const isLocal = windowsByType(config, layers, window, (layer) => layer % 4 !== 0)
    const [table] = attention.positions.kind === 'rotary' ? attention.positions.tables : []
    const bases = readBases(config, layers, table?.base ?? 0)
    const distinct = [...new Set(bases)].filter((base) => base !== 0)
    const tables = distinct.map((base): Rotary => ({ ...(table as Rotary), base }))
    const { causal } = dividedLogits(config, true)
    return {
      ...decoder,
      attention: {
        ...attention,
        positions: tables.length === 0 ? { kind: 'none' } : { kind: 'rotary', tables },
        sinks: true,
      },
      scale: config.number('attention_multiplier', 1),
      block: (layer) => ({
        window: isLocal(layer) ? window : undefined,
        rotary: bases[layer] === 0 ? undefined : distinct.indexOf(bases[layer] ?? 0),
      }),
      heads: { causal },
    }
  },
  prefixes: granite.prefixes,
  tensors: { ...granite.tensors, 'block.attention.sinks': 'layers.{i}.self_attn.sinks' },
} as const satisfies Family

/** One base a layer; 0 leaves it without positions. */
export function readBases(config: ConfigReader, layers: number, usual: number): readonly number[] {
  const written = config.numbers('layer_rope_theta')
  if (written === undefined) return Array.from({ length: layers }, () => usual)
  if (written.length !== layers) throw config.refuse('layer_rope_theta', `names ${written.length} layers`, layers)
  if (written.some((base) => base < 0)) throw config.refuse('layer_rope_theta', 'holds a negative number')
  return written
}
