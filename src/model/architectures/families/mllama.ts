/**
 * Language model of Llama 3.2 Vision (Grattafiori et al. 2024): LLaMA with layers that attend to pictures, which text
 * alone passes by: they are no hidden states.
 */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { llama } from './llama.ts'

/** Rows of the token table beyond the vocabulary, for pictures. */
const pictures = 8

export const mllama = {
  ...llama,
  title: 'Llama 3.2 Vision (text)',
  notes: 'LLaMA; layers that attend to pictures are passed by, and count as no layers',
  modelTypes: ['mllama_text_model'],
  classes: ['Mllama'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 131_072, keyHeads: 8, epsilon: 1e-5, base: 500_000 })
    const own = ownLayers(config, decoder.layers)
    const plain = { qkv: false, out: false }
    return {
      ...decoder,
      layers: own.length,
      embedding: { rows: decoder.vocabulary + pictures },
      attention: { ...decoder.attention, bias: plain },
      mlp: { ...decoder.mlp, bias: false },
      block: (layer) => ({ i: own[layer] ?? layer }),
      heads: { causal: causalHead({ tied: false }) },
    }
  },
  depth: {
    count: [],
    further: (blocks) => {
      const kept = new Set(blocks.map(({ i }) => i))
      const layers = Math.max(-1, ...kept) + 1
      return {
        num_hidden_layers: layers,
        cross_attention_layers: Array.from({ length: layers }, (_, i) => i).filter((i) => !kept.has(i)),
      }
    },
  },
} as const satisfies Family

function ownLayers(config: ConfigReader, layers: number): readonly number[] {
  const key = 'cross_attention_layers'
  const crossing = new Set(config.numbers(key) ?? [3, 8, 13, 18, 23, 28, 33, 38])
  const own = Array.from({ length: layers }, (_, layer) => layer).filter((layer) => !crossing.has(layer))
  if (own.length === 0) throw config.refuse(key, 'leaves no layer to text')
  return own
}
