import { expect, test } from 'vitest'
import { findTasks } from '#task/registry'
import { presetNames, withPresets } from '../../../src/task/registry/presets.ts'

test('layer_by_layer_32 is 32 tasks of the registry: 3 of pairs, 10 classifications, 6 clusterings, 4 rerankings, 9 STS', async () => {
  const { tasks } = await findTasks(['layer_by_layer_32'])
  const counts = new Map<string, number>()
  for (const { type } of tasks) counts.set(type, (counts.get(type) ?? 0) + 1)
  expect(Object.fromEntries(counts)).toEqual({
    PairClassification: 3,
    Classification: 10,
    Clustering: 6,
    Reranking: 4,
    STS: 9,
  })
})

test('a preset stands beside names and globs', async () => {
  const { tasks } = await findTasks(['layer_by_layer_32', 'STS2*', 'STS17'])
  expect(tasks.map(({ name }) => name)).toContain('STS22')
  expect(new Set(tasks).size).toBe(tasks.length)
})

test('what is no preset stays as it is; a misspelt one is told the nearest', async () => {
  expect(withPresets(['STS17', ...presetNames]).slice(0, 2)).toEqual(['STS17', 'SprintDuplicateQuestions'])
  await expect(findTasks(['layer_by_layer_23'])).rejects.toMatchObject({
    parts: { hint: 'did you mean layer_by_layer_32?' },
  })
})

test('core is the eight tasks of run_mteb_eval; all, the English benchmark or the one that is named', async () => {
  expect((await findTasks(['core'])).tasks).toHaveLength(8)
  const usual = await findTasks(['all'])
  expect([usual.tasks.length + usual.skipped.length, usual.selections.get('STS17')?.subsets]).toEqual([56, ['en-en']])
  const named = await findTasks(['all'], { benchmarks: ['MTEB(eng, v2)'] })
  expect(named.tasks.length + named.skipped.length).toBe(41)
  const some = await findTasks(['all'], { types: ['Summarization'] })
  expect(some.tasks.map(({ name }) => name)).toEqual(['SummEval'])
  const both = await findTasks(['all', 'SciFact-PL'])
  expect(both.tasks.map(({ name }) => name)).toContain('SciFact-PL')
})

test('quick and full are the 7 and 26 tasks of an evaluation of static models, one of them in another case', async () => {
  const [quick, full] = [await findTasks(['quick']), await findTasks(['full'])]
  expect([quick.tasks.length, quick.skipped, full.tasks.length, full.skipped]).toEqual([7, [], 26, []])
  const names = new Set(full.tasks.map(({ name }) => name))
  expect(quick.tasks.every(({ name }) => names.has(name))).toBe(true)
  // as the evaluation spells it, which mteb refuses
  expect((await findTasks(['ArXivClusteringP2P'])).tasks.every(({ name }) => names.has(name))).toBe(true)
})
