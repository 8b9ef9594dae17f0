/** LayoutLM (Xu et al. 2020): BERT with places on the page; every box of a bare text is empty at the origin. */
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
import { bert } from './bert.ts'

export const layoutlm = {
  title: 'LayoutLM',
  notes: 'as BERT, every token with the box 0, 0, 0, 0 (as transformers without bbox)',
  modelTypes: ['layoutlm'],
  classes: ['LayoutLM'],
  spec: (config) => {
    const spec = bert.spec(config)
    const rows = config.int('max_2d_position_embeddings', 1024, { max: limits.vocabulary })
    return {
      ...spec,
      embedding: {
        ...spec.embedding,
        fixed: [
          { slot: 'embed.box.x', rows, times: 2 },
          { slot: 'embed.box.y', rows, times: 2 },
          { slot: 'embed.box.height', rows },
          { slot: 'embed.box.width', rows },
        ],
      },
    }
  },
  prefixes: ['', 'layoutlm.'],
  tensors: {
    ...bert.tensors,
    'embed.box.x': 'embeddings.x_position_embeddings.weight',
    'embed.box.y': 'embeddings.y_position_embeddings.weight',
    'embed.box.height': 'embeddings.h_position_embeddings.weight',
    'embed.box.width': 'embeddings.w_position_embeddings.weight',
  },
} as const satisfies Family
