/** Pairs of texts that belong together or not. */
import { fault } from '#core'
import { rowPlace, type Rows } from '../dataset.ts'
import type { PairPart } from '../loaded-task.ts'
import { texts, values } from '../values.ts'
import { at } from '../share-of-rows.ts'
import { listedRows } from './listed-rows.ts'
import { readOwnRows, type ProtocolReader } from './protocol.ts'

export const pairClassification: ProtocolReader<PairPart> = {
  columns: ({
    input1_column_name: first = 'sentence1',
    input2_column_name: second = 'sentence2',
    label_column_name: label = 'labels',
  }) => ({
    sentence1: String(first),
    sentence2: String(second),
    labels: String(label),
  }),
  async read(scope) {
    const { sentence1 = '', sentence2 = '', labels = '' } = scope.task.columns
    const { input1_prompt_type: promptType1, input2_prompt_type: promptType2 } = scope.task.params
    const rows = listedRows(await readOwnRows(scope, { numeric: [labels] }), [sentence1, sentence2, labels])
    return {
      ...scope.part,
      sentence1: texts(rows, sentence1),
      sentence2: texts(rows, sentence2),
      labels: pairLabels(rows, labels),
      promptType1: promptType1 ?? undefined,
      promptType2: promptType2 ?? undefined,
    }
  },
  asked: {
    count: ({ labels }) => labels.length,
    only: (part, rows) => ({
      ...part,
      sentence1: at(part.sentence1, rows),
      sentence2: at(part.sentence2, rows),
      labels: at(part.labels, rows),
    }),
  },
  counts: ({ labels }) => ({ pairs: labels.length }),
  texts: ({ sentence1, sentence2, promptType1, promptType2 }) => [
    { texts: sentence1, promptType: promptType1 },
    { texts: sentence2, promptType: promptType2 },
  ],
}

function pairLabels(rows: Rows, name: string): number[] {
  return values(rows, name).map((value, i) => {
    const isNumber = typeof value === 'string' ? value.trim() !== '' : ['boolean', 'bigint'].includes(typeof value)
    const label = isNumber ? Number(value) : value
    if (label === 0 || label === 1) return label
    throw fault('task.label', {
      place: rowPlace(rows, i),
      what: 'a pair has no usable label',
      seen: value,
      wanted: [0, 1],
    })
  })
}
