/** Pairs with a gold similarity. */
import type { StsPart } from '../loaded-task.ts'
import { numbers, texts } from '../values.ts'
import { at } from '../share-of-rows.ts'
import { readOwnRows, type ProtocolReader } from './protocol.ts'

export const sts: ProtocolReader<StsPart> = {
  columns({ column_names: names }) {
    const [sentence1 = 'sentence1', sentence2 = 'sentence2'] = (names as string[] | undefined) ?? []
    return { sentence1, sentence2, score: 'score' }
  },
  async read(scope) {
    const { sentence1 = '', sentence2 = '', score = '' } = scope.task.columns
    const rows = await readOwnRows(scope, { numeric: [score] })
    return {
      ...scope.part,
      sentence1: texts(rows, sentence1),
      sentence2: texts(rows, sentence2),
      score: numbers(rows, score),
    }
  },
  asked: {
    count: ({ score }) => score.length,
    only: (part, rows) => ({
      ...part,
      sentence1: at(part.sentence1, rows),
      sentence2: at(part.sentence2, rows),
      score: at(part.score, rows),
    }),
  },
  counts: ({ score }) => ({ pairs: score.length }),
  texts: ({ sentence1, sentence2 }) => [{ texts: sentence1 }, { texts: sentence2 }],
}
