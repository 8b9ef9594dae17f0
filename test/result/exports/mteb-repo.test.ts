import { expect, test } from 'vitest'
import { mtebRepo } from '../../../src/result/exports/mteb-repo.ts'
import { context, finished } from './made-finished.ts'

const folder = 'results/sentence-transformers__all-MiniLM-L6-v2/8b3219a92973c328a8e22fadcfa821b5dc75636a'

test('files have the paths and the keys of the repository of results', () => {
  const files = mtebRepo.files([finished('default'), finished('h3')], context)
  expect(files.map(({ path }) => path)).toEqual([
    `${folder}/STS17.json`,
    `${folder}/experiments/h3/STS17.json`,
    `${folder}/model_meta.json`,
    `${folder}/experiments/h3/model_meta.json`,
  ])
  const document = JSON.parse(String(files[0]?.content)) as Record<string, unknown>
  const keys = [
    'dataset_revision',
    'date',
    'evaluation_time',
    'kg_co2_emissions',
    'mteb_version',
    'scores',
    'task_name',
  ]
  expect(Object.keys(document).toSorted()).toEqual(keys)
  expect(document).toMatchObject({ task_name: 'STS17', scores: { test: [{ main_score: 0.70692 }] } })
})
