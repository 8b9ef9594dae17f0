/** North's text model (Cohere 2026): Command R's blocks, with rotary positions by layer type, or none. */
import type { ConfigReader } from '../config-reader.ts'
import { readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { layerTypes } from '../layer-types.ts'
import { type LayerType, readRotary } from '../rotary.ts'
import { dividedWidth } from '../sizes.ts'
import type { Rotary } from '../spec.ts'
import { cohere, readCohere } from './cohere.ts'
import { llama } from './llama.ts'

export const cohereCompass = {
  title: 'North (Cohere Compass, text)',
  notes: 'as Command R with rotary halves; positions by layer type, none where they are null; classifiers by pooling',
  modelTypes: ['cohere_compass_text'],
  classes: ['CohereCompass', 'CohereCompassText'],
  spec: (config) => {
    const decoder = readCohere(config, undefined)
    const headWidth = dividedWidth(config, decoder.width, decoder.attention.heads)
    const types = layerTypes(config, decoder.layers, () => 'full_attention')
    const window = readWindow(config, 4096)
    if (window === undefined && types.includes('sliding_attention'))
      throw config.refuse('sliding_window', 'is none, but some layers are local')
    const kinds = [...new Set(types)]
    const tables = kinds.map((type) => readTable(config, type, headWidth))
    const turning = tables.filter((table) => table !== undefined)
    const pooling = config.choice('pooling', ['eos', 'bos', 'mean'], 'eos')
    return {
      ...decoder,
      attention: {
        ...decoder.attention,
        headWidth,
        positions: turning.length === 0 ? { kind: 'none' } : { kind: 'rotary', tables: turning },
      },
      block: (layer) => {
        const type = types[layer] ?? 'full_attention'
        const table = tables[kinds.indexOf(type)]
        return {
          window: type === 'sliding_attention' ? window : undefined,
          rotary: table === undefined ? undefined : turning.indexOf(table),
        }
      },
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', true),
          after: [{ do: 'scale', by: config.number('logit_scale', 1) }],
        }),
        sequence: pooling === 'eos' ? scoreHead : { ...scoreHead, from: pooling === 'bos' ? 'first' : 'mean' },
      },
    }
  },
  prefixes: cohere.prefixes,
  tensors: llama.tensors,
} as const satisfies Family

/** The reference knows no rotary parameters but those by layer type. */
function readTable(config: ConfigReader, layerType: LayerType, headWidth: number): Rotary | undefined {
  const key = 'rope_parameters'
  const sections = config.section(key)
  if (sections?.isNull(layerType) === true) return undefined
  const section = sections?.section(layerType)
  if (section === undefined) throw config.refuse(key, `says nothing of ${layerType}`)
  if (config.has('rope_scaling')) throw config.unsupported('rope_scaling', `is read only as ${key} by layer type`)
  section.only('partial_rotary_factor', [1], 'heads of this family turn whole')
  config.only('partial_rotary_factor', [1], 'heads of this family turn whole')
  return readRotary(config, { headWidth, layerType })
}
