/** OLMo 3 (OLMo Team 2025): OLMo 2 with local layers, whose rotary positions are not scaled. */
import type { ConfigReader } from '../config-reader.ts'
import { readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { windowsByType } from '../layer-types.ts'
import { readRotary } from '../rotary.ts'
import { olmo2, readOlmo2 } from './olmo2.ts'

const base = 500_000

export const olmo3 = {
  title: 'OLMo 3',
  notes: 'as OLMo 2, three of four layers local, rotary scaling in global layers only',
  modelTypes: ['olmo3'],
  classes: ['Olmo3'],
  spec: (config) => {
    checkSections(config)
    const decoder = readOlmo2(config, { base, rotary: { layerType: 'full_attention' } })
    const { headWidth, positions } = decoder.attention
    const window = readWindow(config, 4096)
    const isLocal = windowsByType(config, decoder.layers, window, (layer) => (layer + 1) % 4 !== 0)
    // A base outside the sections is that of global layers.
    const local = readRotary(config, { headWidth, base, baseKey: [], layerType: 'sliding_attention', scaled: true })
    const tables = positions.kind === 'rotary' ? [...positions.tables, local] : []
    return {
      ...decoder,
      attention: { ...decoder.attention, positions: { kind: 'rotary', tables } },
      block: (layer) => (isLocal(layer) ? { window, rotary: 1 } : {}),
    }
  },
  prefixes: olmo2.prefixes,
  tensors: olmo2.tensors,
} as const satisfies Family

/** The reference overlooks a section that is not by layer type. */
function checkSections(config: ConfigReader): void {
  const section = config.section('rope_parameters')
  if (section?.has('rope_theta') === true || section?.has('rope_type') === true)
    throw config.unsupported('rope_parameters', 'this family has rotary parameters by layer type')
}
