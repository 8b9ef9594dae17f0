import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { writeMergeDetails } from '#experiment/locales'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

test('the sources, their weights as they are and as shares, and the files as the manifest has them', async () => {
  const details = {
    mode: 'similarity',
    at: new Date('2026-01-02T03:04:05.678Z'),
    base: 'org/cy',
    language: 'sqi',
    sources: [
      { model: 'org/cy', subfolder: 'best', language: 'cym', locale: 'cy-GB', weight: 1.5 },
      { model: './k/ja-JP', subfolder: null, language: 'jpn', locale: 'ja-JP', weight: 0.5 },
    ],
    inputs: [{ model: 'org/cy', files: [] }],
    files: [{ name: 'model.safetensors', sha256: 'ab' }],
  }
  const paths = await writeMergeDetails(path(''), details)
  expect(paths).toEqual([path('merge_details.txt'), path('merge_details.json')])
  expect(readFileSync(path('merge_details.txt'), 'utf8').split('\n')).toEqual([
    'Merge Mode: similarity',
    'Timestamp (UTC): 2026-01-02T03:04:05.678',
    '',
    'Base Model (for architecture): org/cy',
    'Target Language: sqi',
    '',
    '--- Merged Models and Weights ---',
    '1. Model: org/cy',
    '   - Subfolder: best',
    '   - Language: cym',
    '   - Locale: cy-GB',
    '   - Weight: 1.500000 (75.00% of total)',
    '2. Model: ./k/ja-JP',
    '   - Subfolder: None',
    '   - Language: jpn',
    '   - Locale: ja-JP',
    '   - Weight: 0.500000 (25.00% of total)',
    '',
    'Total Weight: 2.000000',
    '',
  ])
  const [first, second] = details.sources
  expect(JSON.parse(readFileSync(path('merge_details.json'), 'utf8'))).toEqual({
    merge_mode: 'similarity',
    timestamp: '2026-01-02T03:04:05.678Z',
    base_model: 'org/cy',
    target_language: 'sqi',
    models: [
      { ...first, share: 0.75 },
      { ...second, share: 0.25 },
    ],
    total_weight: 2,
    inputs: details.inputs,
    files: details.files,
  })
})
