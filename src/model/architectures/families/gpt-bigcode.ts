/** GPT-BigCode (Ben Allal et al. 2023; SantaCoder, StarCoder): GPT-2 whose heads share one key and one value. */
import type { Family } from '../family.ts'
import { gpt2 } from './gpt2.ts'

export const gptBigcode = {
  title: 'GPT-BigCode, StarCoder',
  notes: 'GPT-2 with one key/value head (or q/k/v interleaved by head where multi_query is off), matrices [out, in]',
  modelTypes: ['gpt_bigcode'],
  classes: ['GPTBigCode'],
  spec: (config) => {
    const { attention, ...rest } = gpt2.spec(config)
    if (config.flag('scale_attn_by_inverse_layer_idx', false))
      throw config.unsupported('scale_attn_by_inverse_layer_idx', 'the reference does not divide by the layer here')
    const shared = config.flag('multi_query', true)
    return {
      ...rest,
      attention: shared ? { ...attention, keyHeads: 1 } : { ...attention, layout: 'qkv-by-head' },
    }
  },
  prefixes: gpt2.prefixes,
  tensors: gpt2.tensors,
  depth: gpt2.depth,
} as const satisfies Family
