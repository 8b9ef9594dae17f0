/**
 * Texts with sets of labels, and the samples that the experiments train on (mteb `AbsTaskMultilabelClassification`).
 */
import { asFault, fault } from '#core'
import { type RandomState, trainTestSplit } from '#platform/random'
import type { MultilabelPart, MultiLabelled } from '../loaded-task.ts'
import { iterativeSample } from '../steps/iterative-sample.ts'
import { labelLists, type Label, texts } from '../values.ts'
import { at } from '../share-of-rows.ts'
import { rowsOf, type ProtocolReader, type Scope } from './protocol.ts'
import { sampledRows } from './undersample.ts'

export const multilabel: ProtocolReader<MultilabelPart> = {
  columns: ({ input_column_name: text = 'text', label_column_name: label = 'label' }) => ({
    text: String(text),
    label: String(label),
  }),
  // every part's samples are shuffled by one generator
  running: true,
  async read(scope) {
    const { task, part } = scope
    const { text = '', label = '' } = task.columns
    const { train_split: trainSplit, samples_per_label: perLabel, n_experiments: experiments } = task.params
    const splits = await scope.rows([trainSplit, part.split])
    const [trainRows, testRows] = [rowsOf(splits, trainSplit), rowsOf(splits, part.split)]
    const train = { texts: texts(trainRows, text), labels: labelLists(trainRows, label, { lists: true }) }
    const whole = { texts: texts(testRows, text), labels: labelLists(testRows, label, { lists: true }) }
    const samples = Array.from({ length: experiments }, () =>
      sampleRows(train.labels, perLabel, shuffled(train.labels.length, scope)),
    )
    if (samples.some((sample) => sample.length === 0))
      throw fault('task.label', { place: trainRows.place, what: 'no training text has a label' })
    return { ...part, train, test: cut(whole, scope), experiments: samples }
  },
  asked: {
    count: ({ test }) => test.labels.length,
    only: (part, rows) => ({ ...part, test: { texts: at(part.test.texts, rows), labels: at(part.test.labels, rows) } }),
  },
  counts: ({ train, test }) => ({ train: train.labels.length, test: test.labels.length }),
  texts: ({ train, test, experiments }) => [
    { texts: sampledRows(experiments).map((row) => train.texts[row] ?? '') },
    { texts: test.texts },
  ],
}

/** All rows in a new order; the list starts afresh in every experiment, the generator does not. */
function shuffled(rows: number, { profile, draws }: Scope): number[] {
  const order = Array.from({ length: rows }, (_, i) => i)
  return (profile === 'mteb-1' ? draws.legacy : draws.numpy).shuffle(order)
}

/** Rows in that order that have a label of which fewer than `perLabel` have been taken; then all their labels count. */
function sampleRows(labels: readonly (readonly Label[])[], perLabel: number, order: readonly number[]): number[] {
  const taken = new Map<Label, number>()
  return order.filter((row) => {
    const own = labels[row] ?? []
    if (!own.some((label) => (taken.get(label) ?? 0) < perLabel)) return false
    for (const label of own) taken.set(label, (taken.get(label) ?? 0) + 1)
    return true
  })
}

/**
 * The rows that are scored: 2.x cuts by iterative stratification, 1.x by equal sets of labels when every set occurs
 * often enough.
 */
function cut(all: MultiLabelled, { profile, task, draws }: Scope): MultiLabelled {
  const rows = all.labels.length
  const limit = profile === 'mteb-1' ? 2000 : task.params.max_eval_samples
  if (limit === null || rows <= limit) return all
  const kept =
    profile === 'mteb-1' ? sameShares(all.labels, limit, draws.legacy) : iterativeSample(all.labels, limit / rows)
  if (kept === undefined) return all
  return { texts: kept.map((row) => all.texts[row] ?? ''), labels: kept.map((row) => all.labels[row] ?? []) }
}

/**
 * scikit-learn's `train_test_split(…, stratify)` with the multi-hot rows as classes; undefined where it refuses and 1.x
 * keeps every row.
 */
function sameShares(labels: readonly (readonly Label[])[], size: number, legacy: RandomState): number[] | undefined {
  const order = [...new Set(labels.flat())].sort((a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return a - b
    return a < b ? -1 : 1
  })
  const hot = labels.map((own) => order.map((label) => Number(own.includes(label))).join(' '))
  const rank = new Map([...new Set(hot)].sort().map((text, i) => [text, i]))
  const generator = {
    permutation: (of: number | ArrayLike<number>) =>
      typeof of === 'number' ? legacy.permutation(of) : legacy.shuffle(Int32Array.from(of)),
    choice: (...draw: Parameters<RandomState['choice']>) => legacy.choice(...draw),
  }
  try {
    const stratifyBy = hot.map((text) => rank.get(text) ?? 0)
    return Array.from(
      trainTestSplit(labels.length, { testSize: labels.length - size, trainSize: size, seed: generator, stratifyBy })
        .train,
    )
  } catch (error) {
    if (asFault(error, 'internal', 'split').code === 'table.read') return undefined
    throw error
  }
}
