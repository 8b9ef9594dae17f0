/** Labelled texts, and the few-shot samples that the experiments train on. */
import { fault } from '#core'
import type { ClassificationPart } from '../loaded-task.ts'
import { labels, texts } from '../values.ts'
import { at } from '../share-of-rows.ts'
import { crossValidate } from './cross-validate.ts'
import { rowsOf, type ProtocolReader } from './protocol.ts'
import { sampledRows, undersample } from './undersample.ts'

export const classification: ProtocolReader<ClassificationPart> = {
  columns: ({ input_column_name: text = 'text', label_column_name: label = 'label' }) => ({
    text: String(text),
    label: String(label),
  }),
  async read(scope) {
    const { task, part } = scope
    const { text = '', label = '' } = task.columns
    const {
      train_split: trainSplit,
      samples_per_label: perLabel,
      n_experiments: experiments,
      is_cross_validation: folded,
      n_splits: folds,
    } = task.params
    const splits = await scope.rows([trainSplit, part.split])
    const [trainRows, testRows] = [rowsOf(splits, trainSplit), rowsOf(splits, part.split)]
    const [trainLabels = [], testLabels = []] = labels([trainRows, testRows], label)
    const train = { texts: texts(trainRows, text), labels: trainLabels }
    const test = { texts: texts(testRows, text), labels: testLabels }
    checkLabels(train.labels, test.labels, testRows.place)
    if (folded) {
      const { place } = testRows
      if (part.split !== trainSplit)
        throw fault('task.split', {
          place,
          what: 'a cross-validated task has one split',
          seen: part.split,
          wanted: trainSplit,
        })
      return { ...part, train, test, ...crossValidate(train.labels, { perLabel, folds, place }) }
    }
    return { ...part, train, test, experiments: undersample(train.labels, { perLabel, experiments }) }
  },
  asked: {
    count: ({ test }) => test.labels.length,
    // folds name rows of the one list that they are cut from
    only: ({ tested, ...part }, rows) => ({
      ...part,
      test: { texts: at(part.test.texts, rows), labels: at(part.test.labels, rows) },
      ...(tested && { tested: tested.map((fold) => rows.flatMap((row, i) => (fold.includes(row) ? [i] : []))) }),
    }),
  },
  counts: ({ train, test }) => ({ train: train.labels.length, test: test.labels.length }),
  texts: ({ train, test, experiments }) => [
    { texts: sampledRows(experiments).map((row) => train.texts[row] ?? '') },
    { texts: test.texts },
  ],
}

function checkLabels(train: readonly unknown[], test: readonly unknown[], place: string): void {
  const known = new Set(train)
  if (known.size < 2) throw fault('task.label', { place, what: 'the train split has a single class', seen: [...known] })
  if (test.some((label) => known.has(label))) return
  throw fault('task.label', {
    place,
    what: 'no label of this split occurs in the train split',
    seen: [...new Set(test)].slice(0, 5),
    wanted: [...known].slice(0, 5),
  })
}
