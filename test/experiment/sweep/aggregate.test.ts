import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scores } from '#core'
import { aggregateScores } from '../../../src/experiment/sweep/aggregate.ts'
import { openModel } from '#experiment/open'
import { planSweep, runSweep, type SweepResult } from '#experiment/sweep'
import type { Model } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { findTasks } from '#task/registry'
import type { TaskInfo } from '#task/rows'
import { carriedModel, useCarriedHub } from '../../carried.ts'
import { goldenOf } from '../../golden-of.ts'
import { goldenRerankers, writeReranker } from '../../model/checkpoint/golden-rerankers.ts'
import { writeSmallModel } from '../encode/small-model.ts'

interface Golden {
  cases: { task: string; members: { task_name: string; scores: Scores }[]; scores: Scores }[]
}

// mteb 2.26.24: oracles/aggregate.py
const golden = goldenOf<Golden>('experiment/sweep', 'aggregate')

describe('an aggregate is the mean that mteb 2.26.24 takes of its members', () => {
  test.each(golden.cases)('$task', async ({ task: name, members, scores: want }) => {
    const [task] = (await findTasks([name])).tasks
    if (task === undefined) throw new Error(`no task ${name}`)
    expect(task.members).toEqual(members.map(({ task_name: member }) => member))
    const [entry] = aggregateScores(task, members)['test'] ?? []
    const {
      mteb_version: _version,
      main_score: score,
      ...others
    } = want['test']?.[0] ?? { main_score: null, hf_subset: '', languages: [] }
    // numpy adds in pairs
    expect(entry?.main_score).toBeCloseTo(score ?? NaN, 12)
    expect(entry).toMatchObject({
      hf_subset: others.hf_subset,
      languages: others.languages,
      [task.mainScore]: entry?.main_score,
    })
  })
})

describe('an aggregate in a sweep', () => {
  let folder: string
  let model: Model
  let restore: () => void
  beforeAll(async () => {
    restore = useCarriedHub()
    folder = await mkdtemp(join(tmpdir(), 'strata-aggregate-'))
    model = await openModel(carriedModel, { store: openStore(join(folder, 'vectors')) })
  })
  afterAll(async () => {
    await model.close()
    restore()
    await rm(folder, { recursive: true, force: true })
  })
  const averageOf = async (members: string[]): Promise<TaskInfo> => {
    const [cqa] = (await findTasks(['CQADupstackRetrieval'])).tasks
    if (cqa === undefined) throw new Error('no aggregate')
    return { ...cqa, name: 'MeanOfCarried', type: 'STS', mainScore: 'cosine_spearman', members }
  }
  const options = (task: TaskInfo) => ({
    tasks: [task],
    subsets: ['en-en', 'default'],
    representations: [{ kind: 'default' as const }],
    outputFolder: join(folder, 'results'),
  })
  const run = async (task: TaskInfo): Promise<SweepResult[]> => {
    const results: SweepResult[] = []
    for await (const result of runSweep(model, options(task))) results.push(result)
    return results
  }

  test('runs its members first, averages them, and finds all of it again', async () => {
    const task = await averageOf(['STS17'])
    const [member, whole] = await run(task)
    expect([member?.result.task_name, whole?.result.task_name]).toEqual(['STS17', 'MeanOfCarried'])
    const [entry] = whole?.result.scores?.['test'] ?? []
    expect(entry).toEqual({
      cosine_spearman: member?.result.scores?.['test']?.[0]?.main_score,
      main_score: member?.result.scores?.['test']?.[0]?.main_score,
      hf_subset: 'default',
      languages: ['eng-Latn'],
    })
    expect(whole?.result).toMatchObject({
      dataset_revision: '1',
      evaluation_time: member?.result.evaluation_time,
      strata: { status: 'ok' },
    })
    const plan = await planSweep(model, options(task))
    expect(plan.entries.map(({ task: name, state }) => [name, state])).toEqual([
      ['STS17', 'reused'],
      ['MeanOfCarried', 'reused'],
    ])
    expect((await run(task)).map(({ state }) => state)).toEqual(['reused', 'reused'])
  })

  test('is not what it was when its members are not: a prompt of a member alone makes both run again', async () => {
    const small = join(folder, 'small')
    const write = (prompt: string): Promise<string> =>
      writeSmallModel(small, {
        'modules.json': ['Transformer', 'Pooling'].map((name, idx) => ({
          idx,
          name,
          path: ['', '1_Pooling'][idx],
          type: `sentence_transformers.models.${name}`,
        })),
        '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true },
        'config_sentence_transformers.json': { prompts: { STS17: prompt } },
      })
    const task = await averageOf(['STS17'])
    const planned = async (): Promise<string[]> => {
      const opened = await openModel(small)
      const { entries } = await planSweep(opened, options(task)).finally(() => opened.close())
      return entries.map(({ state }) => state)
    }
    const opened = await openModel(await write('a '))
    for await (const { result } of runSweep(opened, options(task))) expect(result.strata.reason).toBeUndefined()
    await opened.close()
    expect(await planned()).toEqual(['reused', 'reused'])
    await write('b ')
    expect(await planned()).toEqual(['run', 'run'])
  })

  test('takes no member of other inputs', async () => {
    const task = await averageOf(['STS17'])
    const results = join(folder, 'results', model.name.replace('/', '__'), await model.revision())
    await run(task)
    const member = JSON.parse(await readFile(join(results, 'STS17.json'), 'utf8')) as { strata: object }
    await writeFile(
      join(results, 'STS17.json'),
      JSON.stringify({ ...member, strata: { ...member.strata, fingerprint: 'ab'.repeat(32) } }),
    )
    await rm(join(results, 'MeanOfCarried.json'))
    const found = []
    for await (const { result } of runSweep(model, { ...options(task), overwriteStrategy: 'never' })) found.push(result)
    expect(found.map(({ task_name: name, strata: { status, reason } }) => [name, status, reason])).toEqual([
      ['MeanOfCarried', 'failed', expect.stringContaining('STS17 (no result for these inputs)')],
    ])
    await rm(join(results, 'STS17.json'))
  })

  test('is failed with the names of members without a score', async () => {
    const results = await run(await averageOf(['STS17', 'BIOSSES']))
    const whole = results.at(-1)?.result
    expect(whole?.strata).toMatchObject({ status: 'failed', code: 'task.empty' })
    expect(whole?.strata.reason).toContain('1 of its 2 tasks have no score: BIOSSES (')
    const kept = JSON.parse(
      await readFile(
        join(folder, 'results', model.name.replace('/', '__'), await model.revision(), 'failed', 'MeanOfCarried.json'),
        'utf8',
      ),
    ) as object
    expect(kept).toMatchObject({ task_name: 'MeanOfCarried' })
  })

  test('of searches is the mean of what a second stage ranked, each depth with results of its own', async () => {
    const [one] = goldenRerankers.cases
    if (one === undefined) throw new Error('no reranker')
    await writeReranker(join(folder, 'pairs'), one)
    const average = await averageOf(['XQuADRetrieval'])
    const task = { ...average, name: 'MeanOfSearches', splits: ['validation'] }
    const [words, pairs] = [await openModel('bm25'), await openModel(join(folder, 'pairs'))]
    try {
      const asked = (top: number) => ({
        ...options(task),
        subsets: ['en', 'default'],
        share: 0.01,
        rerank: { model: pairs, top },
      })
      for (const top of [2, 3]) {
        const found: SweepResult[] = []
        for await (const result of runSweep(words, asked(top))) found.push(result)
        const [member, whole] = found
        expect(whole?.result.strata).toMatchObject({
          status: 'ok',
          representation: `default+limit-0.01+rerank${top}-pairs`,
          settings: { rerank: { top } },
        })
        expect(whole?.result.scores?.['validation']).toMatchObject([
          { main_score: member?.result.scores?.['validation']?.[0]?.main_score },
        ])
        const { entries } = await planSweep(words, asked(top))
        expect(entries.map(({ state }) => state)).toEqual(['reused', 'reused'])
      }
    } finally {
      await Promise.all([words.close(), pairs.close()])
    }
  })
})
