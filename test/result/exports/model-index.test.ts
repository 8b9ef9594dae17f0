import { expect, test } from 'vitest'
import { modelIndex } from '../../../src/result/exports/model-index.ts'
import { context, finished } from './made-finished.ts'

test('the block has each main score under its own name, and none that is missing', () => {
  const none = { main_score: null, hf_subset: 'x', languages: [] }
  const results = [finished('default'), finished('default', { task_name: 'Mine', scores: { test: [none] } })]
  expect(modelIndex.files(results, context)).toEqual([
    {
      path: 'model-index.yaml',
      content: `model-index:
- name: sentence-transformers/all-MiniLM-L6-v2
  results:
  - task:
      type: STS
    dataset:
      name: MTEB STS17
      type: mteb/sts17-crosslingual-sts
      config: en-en
      split: test
      revision: faeb762787bd10488a50c8b5be4a3b82e411949c
    metrics:
    - type: cosine_spearman
      value: 0.70692
`,
    },
  ])
})
