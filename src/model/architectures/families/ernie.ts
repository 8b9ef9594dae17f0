/** ERNIE (Sun et al. 2019, 2020): BERT, of which some also have a table of tasks. */
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
import { bert } from './bert.ts'

export const ernie = {
  title: 'ERNIE',
  notes: 'as BERT; with use_task_id every token gets the row of task 0',
  modelTypes: ['ernie'],
  classes: ['Ernie'],
  spec: (config) => {
    const spec = bert.spec(config)
    if (!config.flag('use_task_id', false)) return spec
    const rows = config.int('task_type_vocab_size', 3, { max: limits.vocabulary })
    return { ...spec, embedding: { ...spec.embedding, fixed: [{ slot: 'embed.task', rows }] } }
  },
  prefixes: ['', 'ernie.'],
  tensors: { ...bert.tensors, 'embed.task': 'embeddings.task_type_embeddings.weight' },
} as const satisfies Family
