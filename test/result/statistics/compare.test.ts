import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { compareTask, meanScore, type Side } from '#result/statistics'
import { importResults, listResults, publishedOf, publishedScores, writeResult } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from '../ledger/made-results.ts'

const { path } = scratchFolder()

describe('a comparison', () => {
  const root = path('compare')
  /** A part whose score is the mean of `correct`. */
  const write = async (representation: string, correct: number[]): Promise<Side> => {
    const score = correct.reduce((sum, value) => sum + value, 0) / correct.length
    const result: Result = sampleResult({
      task_name: 'Labels',
      scores: { test: [{ main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }] },
      strata: { representation },
    })
    const rows = correct.map((value) => ({ split: 'test', subset: 'default', correct: value }))
    const columns = ['split', 'subset', 'correct'].map((name) => ({
      name,
      type: name === 'correct' ? ('number' as const) : ('text' as const),
    }))
    await writeResult(root, result, { items: { columns, rows } })
    const { model, revision } = result.strata
    return { scores: result.scores ?? {}, place: { root, model, revision, representation } }
  }
  const good = Array.from({ length: 60 }, (_, i) => (i % 10 === 0 ? 0 : 1))
  const poor = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 0 : 1))

  test('has a paired interval where both keep their items', async () => {
    const compared = await compareTask('Labels', await write('default', good), await write('h3', poor), { draws: 2000 })
    expect(compared).toMatchObject({ parts: 1, of: 1 })
    expect(compared.difference).toBeCloseTo(0.9 - 2 / 3, 12)
    expect(compared.interval?.draws).toBe(2000)
    expect(compared.interval?.low).toBeGreaterThan(0.05)
    expect(compared.interval?.high).toBeLessThan(0.4)
    expect(compared.interval?.p).toBeLessThan(0.01)
  })
  /** A part with these columns. */
  const columned = async (
    representation: string,
    score: number,
    columns: Readonly<Record<string, readonly (number | string)[]>>,
  ): Promise<Side> => {
    const result: Result = sampleResult({
      task_name: 'Columns',
      scores: { test: [{ main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }] },
      strata: { representation },
    })
    const typed = Object.entries(columns).map(([name, [first]]) => ({
      name,
      type: typeof first === 'string' ? ('text' as const) : ('number' as const),
    }))
    const rows = (Object.values(columns)[0] ?? []).map((_, i) => ({
      split: 'test',
      subset: 'default',
      ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]])),
    }))
    const places = ['split', 'subset'].map((name) => ({ name, type: 'text' as const }))
    await writeResult(root, result, { items: { columns: [...places, ...typed], rows } })
    const { model, revision } = result.strata
    return { scores: result.scores ?? {}, place: { root, model, revision, representation } }
  }

  test('pairs only items that are the same: texts, labels, golds', async () => {
    const correct = [1, 0, 1, 1]
    const ours = await columned('one', 0.75, { query: ['a', 'b', 'c', 'd'], label: [1, 0, 1, 0], correct })
    const why = async (representation: string, query: string[], label: number[]): Promise<unknown> => {
      const theirs = await columned(representation, 0.75, { query, label, correct })
      return (await compareTask('Columns', ours, theirs, { draws: 1000 })).why
    }
    expect(await why('two', ['a', 'b', 'c', 'd'], [1, 0, 1, 0])).toBeUndefined()
    expect(await why('three', ['a', 'b', 'd', 'c'], [1, 0, 1, 0])).toBe('the items of the two differ')
    expect(await why('four', ['a', 'b', 'c', 'd'], [1, 1, 1, 0])).toBe('the items of the two differ')
  })

  test('is none between two measures of the same items', async () => {
    const ours = await columned('five', 0.75, { correct: [1, 0, 1, 1], near: [0, 0, 1, 0] })
    const theirs = await columned('six', 0.25, { correct: [1, 0, 1, 1], near: [0, 0, 1, 0] })
    expect(await compareTask('Columns', ours, theirs)).toMatchObject({
      difference: 0.5,
      why: 'the score is not a function of the stored items',
    })
  })

  test('is over the parts that both have, of those of ours', async () => {
    const part = (hf_subset: string, main_score: number) => ({ hf_subset, main_score, languages: [] })
    const ours = { scores: { test: [part('en', 0.5), part('de', 0.25), part('fr', 1)] } }
    const theirs = { scores: { test: [part('de', 0.5), part('en', 0.75)] } }
    const options = { interval: false }
    expect(await compareTask('Parts', ours, theirs, options)).toEqual({
      task: 'Parts',
      ours: 0.375,
      theirs: 0.625,
      difference: -0.25,
      parts: 2,
      of: 3,
    })
    expect(await compareTask('Parts', theirs, ours, options)).toMatchObject({ parts: 2, of: 2 })
  })

  test('says why there is none: items of another length, no items, nothing in common', async () => {
    const [ours, shorter] = [await write('default', good), await write('h4', good.slice(0, 40))]
    expect((await compareTask('Labels', ours, shorter)).why).toBe('the items of the two differ')
    expect((await compareTask('Labels', ours, { scores: ours.scores })).why).toBe('no single items were published')
    expect(await compareTask('Labels', ours, { scores: { dev: ours.scores['test'] ?? [] } })).toMatchObject({
      parts: 0,
      difference: null,
    })
  })
})

describe('published scores', () => {
  test('are known with their source, the same revision first', async () => {
    const [first] = await publishedOf('minishlab/potion-base-4M', '81b1802ada41afcd0987a37dc15e569c9fa76f04')
    expect(first?.source).toContain('embeddings-benchmark/results')
    expect((await publishedOf('minishlab/potion-base-4M', '')).at(-1)?.source).toContain('self-reported')
    const minilm = await publishedOf(
      'sentence-transformers/all-MiniLM-L6-v2',
      '8b3219a92973c328a8e22fadcfa821b5dc75636a',
    )
    expect(minilm[0]?.tasks.get('Banking77Classification')).toMatchObject({ version: '1.12.75' })
    // the figure that everybody knows: mteb.md, 4
    expect(meanScore(minilm[0]?.tasks.get('STSBenchmark')?.scores)).toBeCloseTo(0.8203, 4)
  })
  test('of a model with several revisions begin with the one asked for, and end with the one that nobody knows', async () => {
    const model = 'sentence-transformers/all-mpnet-base-v2'
    const known = ['84f2bcc00d77236f9e89c8a360a00fb1139bf47d', '9a3225965996d404b775526de6dbfe85d3368642']
    for (const revision of known) {
      const found = (await publishedOf(model, revision)).map((one) => one.revision)
      expect([found.length, found[0], found.at(-1)]).toEqual([3, revision, 'no_revision_available'])
    }
  })

  test('are finite fractions, but for correlations below zero', async () => {
    for (const { tasks } of await publishedScores())
      for (const { scores } of tasks.values())
        for (const { main_score: score } of Object.values(scores).flat())
          expect(score !== null && score > -1 && score <= 1).toBe(true)
  })
})

describe('import', () => {
  const file = (folder: string, name: string, content: unknown): void => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const modern = {
    dataset_revision: 'abc',
    task_name: 'STS12',
    mteb_version: '1.18.0',
    evaluation_time: 2,
    kg_co2_emissions: null,
    scores: { test: [{ main_score: 0.7, cosine_spearman: 0.7, hf_subset: 'default', languages: ['eng-Latn'] }] },
  }
  const old = {
    mteb_dataset_name: 'STS13',
    dataset_revision: 'def',
    mteb_version: '0.0.2',
    test: { cos_sim: { spearman: 0.8, pearson: 0.9 }, evaluation_time: 3 },
  }

  test('takes results of every age, names what it cannot read, and leaves ours alone', async () => {
    const [from, to] = [path('theirs'), path('ours')]
    const folder = join(from, 'org__encoder', 'rev1')
    file(folder, 'STS12.json', modern)
    file(folder, 'STS13.json', old)
    file(folder, 'STS14.json', '{"task_name": "STS14", "scores": {}}')
    const options = { mainScore: () => 'cosine_spearman', languages: () => ['eng-Latn'] }
    const first = await importResults(to, from, options)
    expect(first.map(({ task, model, revision, state }) => [task, model, revision, state])).toEqual([
      ['STS12', 'org/encoder', 'rev1', 'imported'],
      ['STS13', 'org/encoder', 'rev1', 'imported'],
      ['STS14', 'org/encoder', 'rev1', 'failed'],
    ])
    expect(first[2]?.reason).toContain('no scores')
    const listed = await listResults(to)
    expect(listed.map(({ task, result }) => [task, meanScore(result?.scores)])).toEqual([
      ['STS12', 0.7],
      ['STS13', 0.8],
      // kept as a failure
      ['STS14', undefined],
    ])
    expect(listed[1]?.result?.scores?.['test']?.[0]?.languages).toEqual(['eng-Latn'])
    expect((await importResults(to, from, options)).map(({ state }) => state)).toEqual([
      'there already',
      'there already',
      'failed',
    ])
  })
  test('reads files side by side when it is said whose they are', async () => {
    const [from, to] = [path('flat'), path('flat-ours')]
    file(from, 'STS12.json', modern)
    expect(
      (await importResults(to, from)).map(({ state, reason }) => [state, reason.includes('does not name its model')]),
    ).toEqual([['failed', true]])
    expect(await importResults(to, from, { model: 'org/flat' })).toMatchObject([
      { state: 'imported', model: 'org/flat', revision: 'no_revision_available' },
    ])
  })
  test('a folder that is not there, or has no result, is a fault', async () => {
    await expect(importResults(path('x'), path('nowhere'))).rejects.toMatchObject({ code: 'file.missing' })
    mkdirSync(path('empty'), { recursive: true })
    await expect(importResults(path('x'), path('empty'))).rejects.toMatchObject({ code: 'result.invalid' })
  })
})
