/** TAPAS (Herzig et al. 2020): BERT with seven tables for cells; a bare text has row 0 of each. */
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
import { bert } from './bert.ts'

export const tapas = {
  title: 'TAPAS',
  notes: 'as BERT, all seven kinds of token types 0: a text outside tables',
  modelTypes: ['tapas'],
  classes: ['Tapas'],
  spec: (config) => {
    const sizes = config.numbers('type_vocab_sizes') ?? [3, 256, 256, 2, 256, 256, 10]
    if (sizes.some((rows) => !Number.isInteger(rows) || rows < 1 || rows > limits.vocabulary))
      throw config.refuse('type_vocab_sizes', 'holds something that is not a number of rows')
    const spec = bert.spec(config)
    const rows = config.int('max_position_embeddings', 1024)
    return {
      ...spec,
      maxTokens: rows,
      embedding: {
        ...spec.embedding,
        positions: { from: 'columns', rows },
        tokenTypes: 0,
        fixed: sizes.map((size, j) => ({ slot: 'embed.cell' as const, j, rows: size })),
      },
    }
  },
  prefixes: ['', 'tapas.'],
  tensors: { ...bert.tensors, 'embed.cell': 'embeddings.token_type_embeddings_{j}.weight' },
} as const satisfies Family
