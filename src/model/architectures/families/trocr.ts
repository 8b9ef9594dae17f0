/** The decoder of TrOCR (Li et al. 2021) alone: BART's, without the states of an encoder of pictures. */
import { bartSpec, bartTensors } from '../bart-blocks.ts'
import type { Family } from '../family.ts'

export const trocr = {
  title: 'TrOCR (decoder)',
  notes: 'as the decoder of BART alone; positions that are not learned are refused',
  modelTypes: ['trocr'],
  classes: ['TrOCR'],
  spec: (config) => {
    // The reference computes a table where it is not learned, and loses it when it loads a checkpoint.
    if (!config.flag('use_learned_position_embeddings', true))
      throw config.unsupported('use_learned_position_embeddings', 'computed positions are not supported')
    return bartSpec(config, 'decoder', {
      norms: 'after-add',
      embeddingNorm: config.flag('layernorm_embedding', true),
      finalNorm: false,
      positions: 2,
      maxTokens: 512,
      padId: 1,
    })
  },
  prefixes: ['model.decoder.', 'decoder.model.decoder.', 'decoder.', ''],
  tensors: {
    ...bartTensors,
    'embed.token': 'embed_tokens.weight',
    'head.causal': { outside: ['output_projection.weight', 'decoder.output_projection.weight'] },
  },
  depth: { count: ['decoder_layers'] },
} as const satisfies Family
