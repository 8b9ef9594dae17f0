import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../src/core/index.ts'
import { findTasks } from '../../src/tasks/index.ts'
import { shared, sharedPath } from '../shared.ts'

const namesOf = async (...[patterns, filters]: Parameters<typeof findTasks>): Promise<string[]> =>
  (await findTasks(patterns, filters)).tasks.map(({ name }) => name)

describe('tasks by name', () => {
  test('come in the order asked for, once each, with defaults filled in', async () => {
    const { tasks, notices } = await findTasks(['STSBenchmark', 'emotionclassification', 'STSBenchmark', 'ArguAna'])
    expect(tasks.map(({ name }) => name)).toEqual(['STSBenchmark', 'EmotionClassification', 'ArguAna'])
    expect(notices).toEqual([])
    const [sts, emotion, arguana] = tasks
    expect(sts).toMatchObject({
      type: 'STS',
      dataset: { path: 'mteb/stsbenchmark-sts', revision: 'b0fddb56ed78048fa8b90373c8a3cfc37b684831' },
      splits: ['test'],
      subsets: { default: ['eng-Latn'] },
      columns: { sentence1: 'sentence1', sentence2: 'sentence2', score: 'score' },
      mainScore: 'cosine_spearman',
      supersededBy: 'STSBenchmark.v2',
    })
    expect(emotion?.params).toMatchObject({ samples_per_label: 16, n_experiments: 10, train_split: 'train' })
    expect(arguana?.params).toMatchObject({ ignore_identical_ids: true, k_values: [1, 3, 5, 10, 20, 100, 1000] })
  })
  test('know where older versions of mteb read the same data', async () => {
    const [task] = (await findTasks(['SciFact'])).tasks
    expect(task?.dataset.revision).toBe('d56462d0e63a25450459c4f213e49ffdb866f7f9')
    expect(task?.aliases).toEqual([{ path: 'mteb/scifact', revision: '0228b52cf27578f30900b9e5271d331663a030d7' }])
  })
  test('a mistyped name is refused with the nearest one', async () => {
    await expect(findTasks(['STSBenchmrk'])).rejects.toMatchObject({ code: 'task.unknown', hint: 'did you mean STSBenchmark?' })
    await expect(findTasks(['STSBenchmrk'])).rejects.toThrow('STSBenchmrk: no such task')
  })
  test('a task of a type that cannot be run is refused by that name', async () => {
    await expect(findTasks(['TwentyNewsgroupsClustering'])).rejects.toMatchObject({
      code: 'task.unsupported',
      message: expect.stringContaining('Clustering') as string,
    })
    await expect(findTasks(['CQADupstackRetrieval'])).rejects.toMatchObject({ code: 'task.unsupported' })
  })
})

describe('tasks by pattern and filter', () => {
  test('a glob matches whole names, case ignored, and only tasks that can be run', async () => {
    expect(await namesOf(['sts1?'])).toEqual(expect.arrayContaining(['STS12', 'STS13', 'STS14', 'STS15', 'STS16', 'STS17']))
    expect(await namesOf(['sts1?'])).toHaveLength(6)
    const all = await findTasks(['*'])
    expect(all.tasks.length).toBeGreaterThan(800)
    expect(all.tasks.filter(({ unsupported }) => unsupported !== undefined)).toEqual([])
  })
  test('types, languages and domains narrow a glob', async () => {
    const { tasks, notices } = await findTasks(['*'], { types: ['STS'], languages: ['en'], domains: ['news'] })
    expect(tasks.length).toBeGreaterThan(3)
    expect(tasks.every(({ type, subsets, domains }) => type === 'STS' && domains.includes('News') && Object.values(subsets).flat().includes('eng-Latn'))).toBe(
      true,
    )
    expect(notices).toEqual(['language en is read as eng'])
    expect(await namesOf(['*'], { languages: ['eng-Latn'] })).toEqual(await namesOf(['*'], { languages: ['eng'] }))
  })
  test('a task that is named stays, whatever the filters say', async () => {
    expect(await namesOf(['STS12'], { languages: ['fra'] })).toEqual(['STS12'])
  })
  test.each([
    ['a glob without match', ['Nothing*'], {}, 'task.unknown'],
    ['filters that leave nothing', ['STS12*'], { languages: ['kor'] }, 'task.unknown'],
    ['an unknown type', ['*'], { types: ['Clasification'] }, 'task.unknown'],
    ['an unknown language', ['*'], { languages: ['xx'] }, 'usage.value'],
  ])('%s is refused', async (_, patterns, filters, code) => {
    await expect(findTasks(patterns, filters)).rejects.toMatchObject({ code })
  })
})

describe.skipIf(!shared)('the registry against its source', () => {
  test('has every task, by name', async () => {
    const { tasks } = JSON.parse(readFileSync(sharedPath('specs', 'mteb_registry.json'), 'utf8')) as { tasks: { name: string }[] }
    const unknown: string[] = []
    for (const { name } of tasks) await findTasks([name]).catch((error: unknown) => (error as Fault).code === 'task.unsupported' || unknown.push(name))
    expect(unknown).toEqual([])
    expect(tasks).toHaveLength(1307)
  })
})
