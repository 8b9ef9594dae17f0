/**
 * Texts with numbers, and the rows that the experiments train on (mteb `AbsTaskRegression`, in 1.x
 * `AbsTaskTextRegression`).
 */
import { numpyQuantile } from '#core'
import { trainTestSplit } from '#platform/random'
import type { RegressionPart } from '../loaded-task.ts'
import { numbers, texts } from '../values.ts'
import { at } from '../share-of-rows.ts'
import { rowsOf, type ProtocolReader } from './protocol.ts'
import { sampledRows } from './undersample.ts'

/** Classes of values whose shares a sample keeps. */
const bins = 10

export const regression: ProtocolReader<RegressionPart> = {
  columns: ({ input_column_name: text = 'text', label_column_name: value = 'value' }) => ({
    text: String(text),
    value: String(value),
  }),
  async read(scope) {
    const { task, part } = scope
    const { text = '', value = '' } = task.columns
    const { train_split: trainSplit, n_samples: size, n_experiments: experiments } = task.params
    const splits = await scope.rows([trainSplit, part.split], { numeric: [value] })
    const [trainRows, testRows] = [rowsOf(splits, trainSplit), rowsOf(splits, part.split)]
    const train = { texts: texts(trainRows, text), values: numbers(trainRows, value) }
    const test = { texts: texts(testRows, text), values: numbers(testRows, value) }
    return { ...part, train, test, experiments: samples(train.values, size, experiments) }
  },
  asked: {
    count: ({ test }) => test.values.length,
    only: (part, rows) => ({ ...part, test: { texts: at(part.test.texts, rows), values: at(part.test.values, rows) } }),
  },
  counts: ({ train, test }) => ({ train: train.values.length, test: test.values.length }),
  texts: ({ train, test, experiments }) => [
    { texts: sampledRows(experiments).map((row) => train.texts[row] ?? '') },
    { texts: test.texts },
  ],
}

/** All rows, the same list every time, or a sample stratified by deciles, with the seed 42 + experiment. */
function samples(values: readonly number[], size: number, experiments: number): number[][] {
  if (size >= values.length) {
    const all = values.map((_, i) => i)
    return Array.from({ length: experiments }, () => all)
  }
  const stratifyBy = decileOf(values)
  return Array.from({ length: experiments }, (_, i) =>
    Array.from(trainTestSplit(values.length, { testSize: size, seed: 42 + i, stratifyBy }).test),
  )
}

/**
 * pandas' `qcut(values, 10, labels=False, duplicates='drop')`: intervals open below, the first one closed; equal edges
 * are one.
 */
function decileOf(values: readonly number[]): Int32Array {
  const sorted = Float64Array.from(values).sort()
  const edges = [
    ...new Set(
      Array.from({ length: bins + 1 }, (_, i) => numpyQuantile(sorted, i === bins ? 1 : (i * 0.1 * 100) / 100)),
    ),
  ]
  return Int32Array.from(values, (value) => Math.max(0, edges.findIndex((edge) => value <= edge) - 1))
}
