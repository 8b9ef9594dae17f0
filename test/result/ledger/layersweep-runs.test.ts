import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importResults, listResults } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()

function leaf(place: string, files: Readonly<Record<string, unknown>>): void {
  const folder = `run/outputs/mteb/Pythia/410m/${place}`
  mkdirSync(path(folder), { recursive: true })
  for (const [name, content] of Object.entries(files)) file(`${folder}/${name}`, JSON.stringify(content))
}
const result = (task: string, score: number) => ({
  dataset_revision: 'abc',
  task_name: task,
  mteb_version: '1.14.19',
  scores: { test: [{ main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }] },
  evaluation_time: 1,
})

test('a run of mteb-layersweep: blocks become hidden states, failures are named, what was never finished is left', async () => {
  leaf('main/layer_000/STS12', {
    'STS12.json': result('STS12', 0.5),
    'done.json': { status: 'completed', model_id: 'EleutherAI/pythia-410m', task: 'STS12' },
  })
  leaf('step1000/layer_023/STS12', {
    'STS12.json': result('STS12', 0.25),
    'done.json': { status: 'completed', model_id: 'EleutherAI/pythia-410m', task: 'STS12' },
  })
  leaf('main/layer_001/STS13', { 'failed.json': { status: 'failed', error: 'CUDA out of memory' } })
  leaf('main/layer_002/STS13', {})
  file('run/progress.csv', 'timestamp\n')
  const imported = await importResults(path('results'), path('run'))
  expect(
    imported.map(({ task, model, revision, representation, state }) => [task, model, revision, representation, state]),
  ).toEqual([
    ['STS12', 'EleutherAI/pythia-410m', 'main', 'h1', 'imported'],
    ['STS13', 'pythia-410m', 'main', 'h2', 'failed'],
    ['STS12', 'EleutherAI/pythia-410m', 'step1000', 'h24', 'imported'],
  ])
  expect(imported[1]?.reason).toContain('CUDA out of memory')
  const listed = await listResults(path('results'))
  expect(
    listed.map(({ representation, result: found }) => [representation, found?.scores?.['test']?.[0]?.main_score]),
  ).toEqual([
    ['h1', 0.5],
    ['h24', 0.25],
  ])
  const again = await importResults(path('results'), path('run'))
  expect(again.map(({ state }) => state)).toEqual(['there already', 'failed', 'there already'])
})
