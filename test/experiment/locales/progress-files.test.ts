import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeProgress } from '#experiment/locales'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const at = new Date('2026-01-02T03:04:05Z')
const all = ['cy-GB', 'ja-JP', 'sq-AL']
const read = (name: string): unknown => JSON.parse(readFileSync(path(name), 'utf8'))

test('the first run: types with a result, without one, and skipped', async () => {
  const paths = await writeProgress(path(''), {
    all,
    at,
    targets: ['ja-JP', 'pt-PT'],
    modes: ['baseline', 'average', 'ties'],
    startFrom: '1',
    most: 2,
    runs: [
      { locale: 'ja-JP', type: 'baseline' },
      { locale: 'ja-JP', type: 'mean source' },
      { locale: 'pt-PT', type: 'ties' },
    ],
  })
  expect(paths).toEqual([path('experiment_progress.json'), path('experiment_final_results.json')])
  const results = {
    'ja-JP': { baseline: true, similarity: 'skipped', average: false, ties: false },
    // it has no model of its own
    'pt-PT': { baseline: 'skipped', similarity: 'skipped', average: false, ties: true },
  }
  expect(read('experiment_progress.json')).toEqual({
    timestamp: '2026-01-02T03:04:05.000Z',
    total_locales: 3,
    processed_locales: 2,
    current_locale: 'pt-PT',
    results,
  })
  expect(read('experiment_final_results.json')).toEqual({
    timestamp: '2026-01-02T03:04:05.000Z',
    config: { skip_baseline: false, skip_similarity: true, skip_average: false, start_from: 1, max_locales: 2 },
    summary: {
      total_locales: 2,
      successful_baseline: 1,
      successful_similarity: 0,
      successful_average: 0,
      successful_ties: 1,
    },
    detailed_results: results,
  })
})

test('a later run keeps the locales and the types that it leaves out', async () => {
  await writeProgress(path(''), {
    all,
    at,
    targets: ['cy-GB', 'ja-JP'],
    modes: ['similarity', 'average'],
    startFrom: 'cy-GB',
    runs: [
      { locale: 'cy-GB', type: 'average' },
      { locale: 'ja-JP', type: 'average' },
      { locale: 'ja-JP', type: 'similarity' },
    ],
  })
  const found = read('experiment_final_results.json') as { detailed_results: object; summary: object; config: object }
  expect(Object.entries(found.detailed_results)).toEqual([
    ['cy-GB', { baseline: 'skipped', similarity: false, average: true }],
    ['ja-JP', { baseline: true, similarity: true, average: true, ties: false }],
    ['pt-PT', { baseline: 'skipped', similarity: 'skipped', average: false, ties: true }],
  ])
  expect(found.summary).toEqual({
    total_locales: 3,
    successful_baseline: 1,
    successful_similarity: 1,
    successful_average: 2,
  })
  expect(found.config).toMatchObject({ start_from: 'cy-GB', max_locales: null })
})

test('merginguriel has false for a locale without a model; a file that is no JSON is not overwritten', async () => {
  const options = { all, at, targets: ['sq-AL'], modes: ['average'], runs: [] } as const
  writeFileSync(path('experiment_progress.json'), '{"results": {"af-ZA": false, "am-ET": {"baseline": true}}}')
  await writeProgress(path(''), options)
  expect(Object.keys((read('experiment_progress.json') as { results: object }).results)).toEqual(['am-ET', 'sq-AL'])
  writeFileSync(path('experiment_progress.json'), '{"results": {')
  await expect(writeProgress(path(''), options)).rejects.toMatchObject({ code: 'format.json' })
  expect(readFileSync(path('experiment_progress.json'), 'utf8')).toBe('{"results": {')
})
