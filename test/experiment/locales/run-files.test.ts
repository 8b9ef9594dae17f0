import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compareLocales, type DescribedRun, type LocaleRun, readRuns, writeRunFiles } from '#experiment/locales'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const intents = ['alarm_set', 'play_music', 'weather_query']

/** Two right answers of three; the last text has a label that the task lacks. */
const run: DescribedRun = {
  locale: 'sq-AL',
  type: 'similarity',
  folder: 'recipes/similarity_merge_sq-AL.yml',
  accuracy: 2 / 3,
  correct: 2,
  total: 3,
  errorRate: 1 / 3,
  model: 'merge__similarity_merge_sq-AL',
  subfolder: null,
  timestamp: '2026-01-02T03:04:05.000Z',
  answers: Uint8Array.of(1, 1, 0),
  predicted: [1, 0, 3],
  // numbered otherwise than the task's
  config: {
    model_type: 'bert',
    architectures: ['BertForSequenceClassification'],
    id2label: { 0: 'weather_query', 1: 'alarm_set', 2: 'play_music' },
    label2id: { weather_query: 0, alarm_set: 1, play_music: 2 },
  },
  texts: [
    { text: 'luaj', intent: 1 },
    { text: 'zgjomë', intent: 0 },
    { text: 'moti', intent: 2 },
  ],
  intents,
}
const document = (place: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path(`${place}/results.json`), 'utf8')) as Record<string, unknown>

test('a file has the fields of merginguriel', async () => {
  expect(await writeRunFiles(path('one'), [run])).toEqual([path('one/results/similarity_sq-AL/results.json')])
  expect(document('one/results/similarity_sq-AL')).toEqual({
    evaluation_info: {
      timestamp: '2026-01-02T03:04:05.000Z',
      model_name: 'merge__similarity_merge_sq-AL',
      subfolder: null,
      locale: 'sq-AL',
      massive_locale: 'sq-AL',
      dataset: 'MASSIVE',
      split: 'test',
    },
    model_info: {
      num_labels: 3,
      model_type: 'bert',
      architecture: 'BertForSequenceClassification',
      id2label: { 0: 'weather_query', 1: 'alarm_set', 2: 'play_music' },
      label2id: { weather_query: 0, alarm_set: 1, play_music: 2 },
    },
    dataset_info: {
      total_examples: 3,
      unique_intents: 3,
      intent_labels: ['weather_query', 'alarm_set', 'play_music'],
    },
    performance: { accuracy: 2 / 3, correct_predictions: 2, total_predictions: 3, error_rate: 1 / 3 },
    examples: [
      {
        example_id: 0,
        text: 'luaj',
        true_intent: 1,
        predicted_label: 'play_music',
        predicted_class: 2,
        correct: true,
      },
      {
        example_id: 1,
        text: 'zgjomë',
        true_intent: 0,
        predicted_label: 'alarm_set',
        predicted_class: 1,
        correct: true,
      },
      { example_id: 2, text: 'moti', true_intent: 2, predicted_label: null, predicted_class: null, correct: false },
    ],
  })
})

test('ten texts are shown, and labels without names by their numbers', async () => {
  const texts = Array.from({ length: 12 }, (_, i) => ({ text: `${i}`, intent: 2 }))
  const config = { id2label: { 0: 'LABEL_0', 1: 'LABEL_1', 2: 'LABEL_2' } }
  const predicted = texts.map(() => 2)
  await writeRunFiles(path('ten'), [{ ...run, texts, config, predicted, answers: new Uint8Array(12).fill(1) }])
  const { examples } = document('ten/results/similarity_sq-AL') as { examples: unknown[] }
  expect(examples).toHaveLength(10)
  expect(examples[9]).toEqual({
    example_id: 9,
    text: '9',
    true_intent: 2,
    predicted_label: '2',
    predicted_class: 2,
    correct: true,
  })
})

test('unknown values are null', async () => {
  const bare = { correct: null, total: null, answers: undefined, predicted: undefined, timestamp: null }
  await writeRunFiles(path('bare'), [{ ...run, ...bare, config: undefined, texts: undefined }])
  expect(document('bare/results/similarity_sq-AL')).toMatchObject({
    evaluation_info: { timestamp: null },
    model_info: { num_labels: null, model_type: null, architecture: null, id2label: null, label2id: null },
    dataset_info: { total_examples: null, unique_intents: null, intent_labels: null },
    performance: { accuracy: 2 / 3, correct_predictions: null, total_predictions: null },
    examples: null,
  })
  // texts alone
  await writeRunFiles(path('bare'), [{ ...run, ...bare }])
  const { examples } = document('bare/results/similarity_sq-AL') as { examples: unknown[] }
  expect(examples[0]).toMatchObject({ text: 'luaj', predicted_label: null, predicted_class: null, correct: null })
})

test('an accuracy is a fraction for Python, too, where it is whole', async () => {
  await writeRunFiles(path('whole'), [{ ...run, accuracy: 0, correct: 0, total: 1, errorRate: 1 }])
  const text = readFileSync(path('whole/results/similarity_sq-AL/results.json'), 'utf8')
  expect(/"performance": \{[^}]*\}/.exec(text)?.[0].replaceAll(/\s+/g, ' ')).toBe(
    '"performance": { "accuracy": 0.0, "correct_predictions": 0, "total_predictions": 1, "error_rate": 1.0 }',
  )
})

test('the files are read back as they were', async () => {
  const other = { ...run, type: 'dare_ties', accuracy: 1 / 3, correct: 1, errorRate: 2 / 3 }
  await writeRunFiles(path('back'), [run, other])
  const { runs, unknown, unreadable } = await readRuns(path('back'), new Set(['sq-AL']))
  expect([unknown, unreadable]).toEqual([[], []])
  const plain = (one: DescribedRun): LocaleRun => ({
    locale: one.locale,
    type: one.type,
    folder: one.folder,
    accuracy: one.accuracy,
    correct: one.correct,
    total: one.total,
    errorRate: one.errorRate,
    model: one.model,
    subfolder: one.subfolder,
    timestamp: one.timestamp,
  })
  expect(runs).toEqual([
    { ...plain(other), folder: 'dare_ties_sq-AL' },
    { ...plain(run), folder: 'similarity_sq-AL' },
  ])
  const [before, after] = [compareLocales([plain(run), plain(other)]), compareLocales(runs)]
  expect(after).toEqual(before)
})
