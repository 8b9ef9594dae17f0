import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { allBenchmarks, findTasks, taskSize } from '#task/registry'
import { shared, sharedPath } from '../../shared.ts'

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
  test('larger than asked are skipped with their size, those of unknown size are kept', async () => {
    const { tasks, skipped } = await findTasks(['STSBenchmark', 'AmazonPolarityClassification', 'MASSIVEIntent'], {
      maxSamples: 10_000,
    })
    expect(tasks.map(({ name }) => name)).toEqual(['STSBenchmark', 'MASSIVEIntent'])
    expect(skipped.map(({ task, reason }) => `${task.name}: ${reason}`)).toEqual([
      expect.stringMatching(/^AmazonPolarityClassification: [\d,]+ texts, more than 10,000$/),
    ])
    await expect(findTasks(['STSBenchmark'], { maxSamples: 10 })).rejects.toThrow(
      /none of the selected tasks is small enough/,
    )
  })
  test('know where older versions of mteb read the same data', async () => {
    const [task] = (await findTasks(['SciFact'])).tasks
    expect(task?.dataset.revision).toBe('d56462d0e63a25450459c4f213e49ffdb866f7f9')
    expect(task?.aliases).toEqual([{ path: 'mteb/scifact', revision: '0228b52cf27578f30900b9e5271d331663a030d7' }])
  })
  test('of pairs of languages have both directions, and each language with no other than itself', async () => {
    const [flores] = (await findTasks(['FloresBitextMining'])).tasks
    const subsets = flores?.subsets ?? {}
    expect(Object.keys(subsets)).toHaveLength(204 * 203)
    expect([subsets['eng_Latn-fra_Latn'], subsets['fra_Latn-eng_Latn']]).toEqual([
      ['eng-Latn', 'fra-Latn'],
      ['fra-Latn', 'eng-Latn'],
    ])
    expect(subsets['eng_Latn-eng_Latn']).toBeUndefined()
  })
  test('a mistyped name is refused with the nearest one', async () => {
    await expect(findTasks(['STSBenchmrk'])).rejects.toMatchObject({
      code: 'task.unknown',
      hint: 'did you mean STSBenchmark?',
    })
    await expect(findTasks(['STSBenchmrk'])).rejects.toThrow('STSBenchmrk: no such task')
  })
  test.for(['MassiveIntentClassifier', 'massive-intent', 'MASSIVE 1.1', 'MassiveClassifier'])(
    '%s: both tasks of its rows are named, and what each asks',
    async (name) => {
      const hint = expect.stringMatching(/^MASSIVEIntent asks a classifier.*MassiveIntentClassification trains/)
      await expect(findTasks([name])).rejects.toMatchObject({ code: 'task.unknown', hint })
    },
  )
  test('a mistyped name of an embedding task of MASSIVE keeps its nearest one', async () => {
    const hint = 'did you mean MassiveIntentClassification?'
    await expect(findTasks(['MassiveIntentClasification'])).rejects.toMatchObject({ hint })
  })
  test('one that cannot be run is refused by that name, and found for lists', async () => {
    const all = (await findTasks(['*'], { runnable: false })).tasks
    const { skipped } = await findTasks(['*'])
    expect(skipped.map(({ task }) => task.name)).toEqual(
      all.flatMap(({ name, unsupported }) => (unsupported === undefined ? [] : [name])),
    )
    expect(skipped.every(({ reason }) => reason.length > 0)).toBe(true)
    for (const { task } of skipped.slice(0, 20)) {
      await expect(findTasks([task.name])).rejects.toMatchObject({ code: 'task.unsupported' })
      expect(await namesOf([task.name], { runnable: false })).toEqual([task.name])
    }
  })
})

describe('tasks of benchmarks', () => {
  const eng2 = { benchmarks: ['MTEB(eng, v2)'] }
  test('come in its order with the splits and subsets it asks for', async () => {
    const { tasks, skipped, selections, benchmarks } = await findTasks(['*'], { ...eng2, runnable: false })
    expect(tasks).toHaveLength(41)
    expect(skipped).toEqual([])
    expect(benchmarks.map(({ name }) => name)).toEqual(['MTEB(eng, v2)'])
    expect(selections.get('AmazonCounterfactualClassification')).toEqual({ splits: ['test'], subsets: ['en'] })
    expect(selections.get('STS17')?.subsets).toEqual(['en-en'])
    expect(selections.get('STSBenchmark')).toEqual({})
  })
  test.each([
    ['MTEB(eng)', 41],
    ['mteb(eng,v2)', 41],
    ['MTEB(eng, classic)', 56],
    ['MTEB(Multilingual, v2)', 131],
    ['FollowIR', 3],
  ])('%s is known by that name', async (name, count) => {
    expect(await namesOf(['*'], { benchmarks: [name], runnable: false })).toHaveLength(count)
  })
  test('are narrowed by name, glob, type and language', async () => {
    expect(await namesOf(['STS1?'], eng2)).toEqual(['STS12', 'STS13', 'STS14', 'STS15', 'STS17'])
    expect(await namesOf(['*'], { ...eng2, types: ['sts'] })).not.toContain('ArguAna')
    expect((await findTasks(['*'], { ...eng2, languages: ['en'], runnable: false })).tasks).toHaveLength(41)
    // STS17 has German, but not in this benchmark
    await expect(findTasks(['STS17*'], { ...eng2, languages: ['deu'] })).rejects.toMatchObject({ code: 'task.unknown' })
    await expect(findTasks(['MSMARCO'], eng2)).rejects.toMatchObject({
      code: 'task.unknown',
      message: expect.stringContaining('does not have') as string,
    })
  })
  test('of several benchmarks are asked for everything that one of them asks', async () => {
    const { selections } = await findTasks(['*'], { benchmarks: ['MTEB(deu, v1)', 'MTEB(fra, v1)'] })
    expect(selections.get('STS22')?.subsets).toEqual(expect.arrayContaining(['de', 'fr']))
  })
  test('of which one asks for the whole task ask for the whole task, in either order', async () => {
    const names = ['MTEB(Multilingual, v1)', 'MTEB(fas, v1)']
    const [narrow, ...both] = await Promise.all(
      [[names[1] ?? ''], names, names.toReversed()].map(async (benchmarks) =>
        (await findTasks(['*'], { benchmarks })).selections.get('MassiveIntentClassification'),
      ),
    )
    expect(narrow).toEqual({ subsets: ['fa'] })
    for (const one of both) expect([one?.splits, one?.subsets]).toEqual([undefined, undefined])
  })
  test('a mistyped benchmark is refused with the nearest one', async () => {
    await expect(findTasks(['*'], { benchmarks: ['MTEB(eng, v3)'] })).rejects.toMatchObject({
      code: 'task.unknown',
      hint: 'did you mean "MTEB(eng, v2)"?',
    })
  })
  test('those of RTEB are there, their closed tasks listed with the reason', async () => {
    const menu = ['', 'eng, ', 'fra, ', 'deu, ', 'jpn, ', 'fin, ', 'Law, ', 'Code, ', 'Health, ']
    const counts = await Promise.all(
      menu.map(async (part) => {
        const { tasks, skipped } = await findTasks(['*'], { benchmarks: [`RTEB(${part}beta)`] })
        return [tasks.length, skipped.length]
      }),
    )
    // open and closed tasks of mteb 2.26.24's rteb_benchmarks.py
    expect(counts).toEqual([
      [17, 13],
      [15, 6],
      [1, 2],
      [1, 3],
      [0, 2],
      [3, 4],
      [4, 3],
      [7, 2],
      [2, 2],
    ])
    const { skipped, selections } = await findTasks(['*'], { benchmarks: ['rteb(FRA, beta)'] })
    expect(selections.get('CUREv1')?.subsets).toEqual(['fr'])
    expect(skipped.map(({ reason }) => reason)[0]).toMatch(/data is closed/)
    await expect(findTasks(['French1Retrieval'])).rejects.toMatchObject({ code: 'task.unsupported' })
  })
  test('every benchmark of the reference has all its tasks, and what it narrows exists', async () => {
    const all = await allBenchmarks()
    expect(all).toHaveLength(61)
    const registry = new Map((await findTasks(['*'], { runnable: false })).tasks.map((task) => [task.name, task]))
    const wrong = all.flatMap(({ name, tasks }) =>
      [...tasks].flatMap(([task, { subsets = [] }]) => {
        const known = registry.get(task)
        return known !== undefined && subsets.every((subset) => subset in known.subsets) ? [] : [`${name} › ${task}`]
      }),
    )
    expect(wrong).toEqual([])
  })
})

describe('sizes', () => {
  test('are the reference’s counts: a task, a benchmark’s part of it, a share', async () => {
    const { tasks, selections, benchmarks } = await findTasks(['STS17'], { benchmarks: ['MTEB(eng, v2)'] })
    const [sts17] = tasks
    if (sts17 === undefined) throw new Error('no task')
    expect(await taskSize(sts17)).toEqual({ texts: 9370, characters: 351_080, exact: true })
    expect(await taskSize(sts17, selections.get('STS17'), benchmarks)).toEqual({
      texts: 500,
      characters: 21_669,
      exact: true,
    })
    expect(await taskSize(sts17, { subsets: ['en-en'] })).toEqual({ texts: 852, characters: 31_916, exact: false })
    expect(await taskSize(sts17, { splits: ['nothing'] })).toBeUndefined()
    const [aggregate] = (await findTasks(['CQADupstackRetrieval'], { runnable: false })).tasks
    // twelve forums, 457,199 documents and 13,145 queries less repetitions
    expect(aggregate && (await taskSize(aggregate))?.texts).toBe(470_324)
  })
})

describe('tasks by pattern and filter', () => {
  test('a glob matches whole names, case ignored, and yields tasks that can be run', async () => {
    expect(await namesOf(['sts1?'])).toEqual(
      expect.arrayContaining(['STS12', 'STS13', 'STS14', 'STS15', 'STS16', 'STS17']),
    )
    expect(await namesOf(['sts1?'])).toHaveLength(6)
    const all = await findTasks(['*'])
    expect(all.tasks.length).toBeGreaterThan(800)
    expect(all.tasks.filter(({ unsupported }) => unsupported !== undefined)).toEqual([])
  })
  test('types, languages and domains narrow a glob', async () => {
    const { tasks, notices } = await findTasks(['*'], { types: ['STS'], languages: ['en'], domains: ['news'] })
    expect(tasks.length).toBeGreaterThan(3)
    expect(
      tasks.every(
        ({ type, subsets, domains }) =>
          type === 'STS' && domains.includes('News') && Object.values(subsets).flat().includes('eng-Latn'),
      ),
    ).toBe(true)
    expect(notices).toEqual(['language en is read as eng'])
    expect(await namesOf(['*'], { languages: ['eng-Latn'] })).toEqual(await namesOf(['*'], { languages: ['eng'] }))
    const thai = await findTasks(['*'], { languages: ['Thai'] })
    expect(
      thai.tasks.every(({ subsets }) =>
        Object.values(subsets)
          .flat()
          .some((code) => code.endsWith('-Thai')),
      ),
    ).toBe(true)
  })
  test('a task that is named stays, whatever the filters say', async () => {
    expect(await namesOf(['STS12'], { languages: ['fra'] })).toEqual(['STS12'])
  })
  test.each([
    ['a glob without match', ['Nothing*'], {}, 'task.unknown'],
    ['filters that leave nothing', ['STS12*'], { languages: ['kor'] }, 'task.unknown'],
    ['an unknown type', ['*'], { types: ['Clasification'] }, 'task.unknown'],
    ['an unknown domain', ['*'], { domains: ['Cooking'] }, 'task.unknown'],
    ['an unknown language', ['*'], { languages: ['xx'] }, 'usage.value'],
  ])('%s is refused', async (_, patterns, filters, code) => {
    await expect(findTasks(patterns, filters)).rejects.toMatchObject({ code })
  })
})

describe.skipIf(!shared)('the registry against its source', () => {
  test('has every task, by name', async () => {
    const { tasks } = JSON.parse(readFileSync(sharedPath('specs', 'mteb_registry.json'), 'utf8')) as {
      tasks: { name: string }[]
    }
    const found = new Set((await findTasks(['*'], { runnable: false })).tasks.map(({ name }) => name))
    const unknown = tasks.filter(({ name }) => !found.has(name))
    expect(unknown).toEqual([])
    expect(tasks).toHaveLength(1307)
  })
})
