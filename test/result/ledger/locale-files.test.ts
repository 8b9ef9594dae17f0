import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { type Imported, importResults, listResults } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const known = new Map([
  ['sq-AL', ['sqi-Latn']],
  ['cy-GB', ['cym-Latn']],
])
const languages = (task: string, subset: string): readonly string[] | undefined =>
  task === 'MASSIVEIntent' ? known.get(subset) : undefined

function put(folder: string, content: unknown): void {
  mkdirSync(dirname(path(`${folder}/results.json`)), { recursive: true })
  file(`${folder}/results.json`, typeof content === 'string' ? content : JSON.stringify(content))
}

/** As merginguriel writes one. */
const written = (accuracy: unknown, about: object) => ({
  evaluation_info: { timestamp: '2025-09-17T06:40:00.123456Z', split: 'test', subfolder: null, ...about },
  performance: { accuracy, correct_predictions: 1, total_predictions: 4, error_rate: 0.75 },
})
const states = (imported: readonly Imported[]) => imported.map(({ model, state, reason }) => [model, state, reason])

test('a file is a result of MASSIVEIntent, a model of several locales is one result', async () => {
  const hub = { model_name: 'haryoaw/x_massive_k_sq-AL', subfolder: 'alpha_0.5_sq-AL_epoch-9', locale: 'sq-AL' }
  put('runs/baseline_sq-AL', written(0.8504, hub))
  put('runs/average_sq-AL', written(0.25, { model_name: './merged/shared/', locale: 'sq-AL' }))
  put('runs/average_cy-GB', written(0.5, { model_name: './merged/shared/', locale: 'cy_GB' }))
  put('runs/eval_20250917', written(0.75, { model_name: 'merged/other', massive_locale: 'cy-GB', split: 'validation' }))
  expect(states(await importResults(path('results'), path('runs'), { languages }))).toEqual([
    ['merged/shared', 'imported', ''],
    ['haryoaw/x_massive_k_sq-AL/alpha_0.5_sq-AL_epoch-9', 'imported', ''],
    ['merged/other', 'imported', ''],
  ])
  const listed = await listResults(path('results'))
  const scores = listed.map(({ model, task, result }) => [model, task, result?.scores, result?.date])
  const cymric = { hf_subset: 'cy-GB', languages: ['cym-Latn'] }
  const albanian = { hf_subset: 'sq-AL', languages: ['sqi-Latn'] }
  // 2025-09-17 06:40:00.123 UTC
  const at = 1758091200.123
  expect(scores).toEqual([
    [
      'haryoaw/x_massive_k_sq-AL/alpha_0.5_sq-AL_epoch-9',
      'MASSIVEIntent',
      { test: [{ main_score: 0.8504, accuracy: 0.8504, ...albanian }] },
      at,
    ],
    ['merged/other', 'MASSIVEIntent', { validation: [{ main_score: 0.75, accuracy: 0.75, ...cymric }] }, at],
    [
      'merged/shared',
      'MASSIVEIntent',
      {
        test: [
          { main_score: 0.5, accuracy: 0.5, ...cymric },
          { main_score: 0.25, accuracy: 0.25, ...albanian },
        ],
      },
      at,
    ],
  ])
  const again = await importResults(path('results'), path('runs'), { languages })
  expect(again.map(({ state }) => state)).toEqual(['there already', 'there already', 'there already'])
})

test('files that cannot be used are named, and the others are imported', async () => {
  put('broken/baseline_sq-AL', written(0.5, { model_name: 'one', locale: 'sq-AL' }))
  put('broken/xlm-r_massive_k_sq-AL', written(0.25, { model_name: 'one', locale: 'sq-AL' }))
  put('broken/average_cy-GB', '{"performance":')
  put('broken/similarity_cy-GB', written('much', { model_name: 'two', locale: 'cy-GB' }))
  put('broken/ties_xx-XX', written(0.5, { model_name: 'three', locale: 'xx-XX' }))
  put('broken/average_sq-AL', written(0.5, { locale: 'sq-AL' }))
  // of another program
  put('broken/notes', { summary: 'fine' })
  const imported = await importResults(path('others'), path('broken'), { languages })
  expect(states(imported).filter(([model]) => model !== 'notes')).toEqual([
    ['one', 'imported', ''],
    ['average_cy-GB', 'failed', expect.stringContaining('average_cy-GB/results.json')],
    ['average_sq-AL', 'failed', expect.stringContaining('the result does not name its model')],
    ['similarity_cy-GB', 'failed', expect.stringContaining('no accuracy in it')],
    ['ties_xx-XX', 'failed', expect.stringContaining('MASSIVE has no such locale')],
    ['xlm-r_massive_k_sq-AL', 'failed', expect.stringContaining('another file has the result of this model on sq-AL')],
  ])
  const named = await importResults(path('named'), path('broken'), { languages, model: 'mine' })
  expect(named.filter(({ state }) => state === 'imported').map(({ model }) => model)).toEqual(['mine', 'one'])
})
