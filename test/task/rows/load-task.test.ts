import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fault } from '#core'
import { trainTestSplit } from '#platform/random'
import { openRepo } from '#files/hub'
import { findTasks } from '#task/registry'
import {
  type LoadedTask,
  type LoadOptions,
  loadTask,
  type PartOfProtocol,
  type Protocol,
  type TaskInfo,
} from '#task/rows'
import { makeRepo, readme, type Row } from './made-repo.ts'

async function taskNamed(name: string): Promise<TaskInfo> {
  const [task] = (await findTasks([name])).tasks
  if (task === undefined) throw new Error(`no task ${name}`)
  return task
}

/** Loads a task, by name or as given, from the files of a made-up repository. */
async function load(
  name: string | TaskInfo,
  files: Record<string, string | readonly Row[]>,
  options: Omit<LoadOptions, 'openDataset'> = {},
): Promise<LoadedTask> {
  const repo = await makeRepo(files)
  onTestFinished(repo.remove)
  return loadTask(typeof name === 'string' ? await taskNamed(name) : name, {
    openDataset: () => Promise.resolve(repo.files),
    ...options,
  })
}

/** The first part of a task of a protocol. */
function only<Name extends Protocol>({ protocol, parts }: LoadedTask, wanted: Name): PartOfProtocol[Name] {
  const [part] = parts
  if (protocol !== wanted || part === undefined) throw new Error(`no part of ${wanted}`)
  return part as unknown as PartOfProtocol[Name]
}

const pair = (i: number): Row => ({ sentence1: `a${i}`, sentence2: `b${i}`, score: i, other: null })
const labelled = (labels: readonly unknown[]): Row[] => labels.map((label, i) => ({ text: `t${i}`, label }))

describe('STS', () => {
  test('reads the columns of the split by name', async () => {
    const loaded = await load('STSBenchmark', { 'train.jsonl.gz': [pair(9)], 'test.jsonl.gz': [pair(1), pair(2.5)] })
    expect(only(loaded, 'AbsTaskSTS')).toEqual({
      split: 'test',
      subset: 'default',
      languages: ['eng-Latn'],
      sentence1: ['a1', 'a2.5'],
      sentence2: ['b1', 'b2.5'],
      score: [1, 2.5],
    })
    expect(loaded.counts).toEqual({ pairs: 2 })
    expect(loaded.texts()).toEqual([{ texts: ['a1', 'a2.5'] }, { texts: ['b1', 'b2.5'] }])
    expect(loaded.missing).toEqual([])
  })
  test('scores of separated values are numbers; files of a split follow each other', async () => {
    const loaded = await load('STSBenchmark', {
      'README.md': readme({ default: { test: ['two.csv', 'one.tsv'] } }),
      'one.tsv': 'score\tsentence1\tsentence2\n1.5\tx\t"y"\n',
      'two.csv': 'sentence1,sentence2,score\n"p, q",r,4\n',
    })
    expect(only(loaded, 'AbsTaskSTS')).toMatchObject({
      sentence1: ['p, q', 'x'],
      sentence2: ['r', 'y'],
      score: [4, 1.5],
    })
  })
  test('a nested score is reached by the steps of the task', async () => {
    const rows = [{ sentence1: 'a', sentence2: 'b', labels: { label: 3.5, 'real-label': 3.4 } }]
    const loaded = await load('KLUE-STS', {
      'README.md': readme({ sts: { validation: 'v.jsonl' }, nli: { validation: 'w.jsonl' } }),
      'v.jsonl': rows,
      'w.jsonl': [],
    })
    expect(only(loaded, 'AbsTaskSTS').score).toEqual([3.5])
  })
  test('another split may be asked for', async () => {
    const loaded = await load(
      'STSBenchmark',
      { 'dev.jsonl': [pair(1)], 'test.jsonl': [pair(2)] },
      { splits: ['validation'] },
    )
    expect(only(loaded, 'AbsTaskSTS')).toMatchObject({ split: 'validation', score: [1] })
  })
  test('blobs without an extension are read by the name that leads to them', async () => {
    const root = mkdtempSync(join(tmpdir(), 'strata-blobs-'))
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    mkdirSync(join(root, 'snapshot'))
    writeFileSync(join(root, 'abc'), gzipSync(`${JSON.stringify(pair(1))}\n${JSON.stringify(pair(2))}\n`))
    symlinkSync('../abc', join(root, 'snapshot', 'test.jsonl.gz'))
    const loaded = await loadTask(await taskNamed('STSBenchmark'), {
      openDataset: () => openRepo(join(root, 'snapshot')),
    })
    expect(only(loaded, 'AbsTaskSTS').score).toEqual([1, 2])
  })
})

describe('what cannot be read says why', () => {
  const sts = (rows: readonly Row[]) => load('STSBenchmark', { 'test.jsonl': rows })
  test.each([
    ['no rows', [], 'task.empty', 'STSBenchmark › mteb/stsbenchmark-sts › default › test: the split has no rows'],
    [
      'a missing column',
      [{ sentence1: 'a', sentence2: 'b', gold: 1 }],
      'task.column',
      'no column score – columns sentence1, sentence2, gold',
    ],
    ['a missing score', [pair(1), { ...pair(2), score: null }], 'task.value', 'row 2: score is not a number'],
    ['a score that is text', [{ ...pair(1), score: '4' }], 'task.value', 'score is not a number'],
    ['a text that is none', [pair(1), { ...pair(1), sentence2: null }], 'task.value', 'row 2: sentence2 is not a text'],
  ])('%s', async (_, rows, code, words) => {
    await expect(sts(rows)).rejects.toMatchObject({ code, message: expect.stringContaining(words) as string })
  })
  test('a split that is not there', async () => {
    await expect(load('STSBenchmark', { 'train.jsonl': [pair(1)] })).rejects.toMatchObject({
      code: 'task.split',
      message: expect.stringContaining('["train"]') as string,
    })
  })
  test('several configs and none of them the default', async () => {
    const files = { 'README.md': readme({ a: { test: 't.jsonl' }, b: { test: 't.jsonl' } }), 't.jsonl': [pair(1)] }
    await expect(load('STSBenchmark', files)).rejects.toMatchObject({ code: 'task.subset' })
  })
  test('a data set that cannot be had is looked for where older versions had it', async () => {
    const repo = await makeRepo({ 'test.jsonl': labelled(['a', 'b']), 'train.jsonl': labelled(['a', 'b']) })
    onTestFinished(repo.remove)
    const asked: string[] = []
    const task = await taskNamed('MTOPIntentClassification')
    const withSubset: TaskInfo = { ...task, subsets: { default: ['eng-Latn'] } }
    const loaded = await loadTask(withSubset, {
      openDataset(path, revision) {
        asked.push(`${path}@${revision.slice(0, 4)}`)
        if (asked.length === 1) return Promise.reject(fault('hub.missing', { place: path, what: 'no such repository' }))
        return Promise.resolve(repo.files)
      },
      splits: ['test'],
    })
    expect(asked).toEqual(['mteb/MTOPIntentClassification@2992', 'mteb/mtop_intent@ae00'])
    expect(loaded.counts).toEqual({ train: 2, test: 2 })
    await expect(
      loadTask(task, { openDataset: (path) => Promise.reject(fault('hub.denied', { place: path, what: 'no' })) }),
    ).rejects.toMatchObject({
      code: 'hub.denied',
    })
  })
  test('a task that cannot be run is refused before anything is opened', async () => {
    const task: TaskInfo = { ...(await taskNamed('STSBenchmark')), unsupported: 'its rows need code of its own' }
    await expect(loadTask(task, { openDataset: () => Promise.reject(new Error('opened')) })).rejects.toMatchObject({
      code: 'task.unsupported',
    })
  })
})

describe('subsets', () => {
  const crosslingual = {
    'README.md': readme({ 'en-en': { test: 'en.jsonl' }, 'es-es': { test: 'es.jsonl' } }),
    'en.jsonl': [pair(1)],
    'es.jsonl': [pair(2)],
  }
  test('are chosen by name, in the order of the task', async () => {
    const loaded = await load('STS17', crosslingual, { subsets: ['es-es', 'en-en'] })
    expect(loaded.parts.map(({ subset, languages }) => [subset, languages])).toEqual([
      ['en-en', ['eng-Latn']],
      ['es-es', ['spa-Latn']],
    ])
    expect(loaded.missing).toEqual([])
  })
  test('that are not there are named, and the rest is loaded', async () => {
    const loaded = await load('STS17', crosslingual)
    expect(loaded.parts).toHaveLength(2)
    expect(loaded.missing).toHaveLength(9)
    expect(loaded.missing[0]).toMatchObject({ subset: 'ko-ko', split: 'test', code: 'task.subset' })
    expect(loaded.missing[0]?.reason).toContain('the data set has no config ko-ko')
  })
  test('a name the task does not have is refused with the nearest one', async () => {
    await expect(load('STS17', crosslingual, { subsets: ['en_en'] })).rejects.toMatchObject({
      code: 'task.subset',
      hint: 'did you mean en-en?',
    })
  })
  test('languages keep the subsets in which they occur; en means eng', async () => {
    const loaded = await load('STS17', crosslingual, { languages: ['es'] })
    expect(loaded.parts.map(({ subset }) => subset)).toEqual(['es-es'])
    expect(loaded.missing.map(({ subset }) => subset)).toEqual(['es-en'])
  })
  test('names and languages choose together', async () => {
    const loaded = await load('STS17', crosslingual, { subsets: ['en-en', 'es-es'], languages: ['es'] })
    expect(loaded.parts.map(({ subset }) => subset)).toEqual(['es-es'])
    expect(loaded.missing).toEqual([])
    await expect(load('STS17', crosslingual, { subsets: ['en-en'], languages: ['es'] })).rejects.toMatchObject({
      code: 'task.empty',
    })
  })
  test('a language the task does not have leaves nothing, and says so', async () => {
    await expect(load('STS12', { 'test.jsonl': [pair(1)] }, { languages: ['fra'] })).rejects.toMatchObject({
      code: 'task.empty',
      message: expect.stringContaining('no subset is left after the language filter') as string,
    })
  })
  test('that share one table are told apart by its column', async () => {
    const rows = ['en', 'de', 'en', 'de'].map((lang, i) => ({ text: `t${i}`, label: `l${i % 3}`, lang }))
    const loaded = await load(
      'MassiveIntentClassification',
      { 'train.jsonl': rows, 'validation.jsonl': rows, 'test.jsonl': rows },
      { subsets: ['de'] },
    )
    expect(loaded.parts.map(({ split }) => split)).toEqual(['validation', 'test'])
    expect(only(loaded, 'AbsTaskClassification').test).toEqual({ texts: ['t1', 't3'], labels: ['l1', 'l0'] })
    await expect(
      load(
        'MassiveIntentClassification',
        { 'train.jsonl': rows, 'test.jsonl': rows },
        { subsets: ['fr'], splits: ['test'] },
      ),
    ).rejects.toMatchObject({ code: 'task.subset' })
  })
})

describe('classification', () => {
  test('has the training rows of every experiment', async () => {
    const labels = Array.from({ length: 40 }, (_, i) => i % 4)
    const loaded = await load('Banking77Classification', {
      'train.jsonl': labelled(labels),
      'test.jsonl': labelled([0, 1, 2, 3, 9]),
    })
    const part = only(loaded, 'AbsTaskClassification')
    expect(part.experiments).toHaveLength(10)
    expect(part.experiments.every((rows) => rows.length === 32)).toBe(true)
    const [sampled, rest] = loaded.texts()
    expect(sampled?.texts.length).toBe(new Set(part.experiments.flat()).size)
    expect(rest?.texts).toEqual(['t0', 't1', 't2', 't3', 't4'])
  })
  test.each([
    ['a row without label', [0, 1], [0, null], 'task.label'],
    ['numbers and texts as labels', [0, 1], [0, 'x'], 'task.label'],
    ['one class in training', [1, 1], [1, 0], 'task.label'],
    ['no test label that training knows', [0, 1], [-1, -1], 'task.label'],
  ])('%s is refused', async (_, train, rest, code) => {
    await expect(
      load('Banking77Classification', { 'train.jsonl': labelled(train), 'test.jsonl': labelled(rest) }),
    ).rejects.toMatchObject({ code })
  })
  test('integers of separated values stay texts of integers only if something else stands among them', async () => {
    const csv = (labels: string[]): string => `label,text\n${labels.map((label, i) => `${label},t${i}\n`).join('')}`
    const numbers = await load('Banking77Classification', {
      'train.csv': csv(['10', '9']),
      'test.csv': csv(['9', '10']),
    })
    expect(only(numbers, 'AbsTaskClassification').test.labels).toEqual([9, 10])
    const texts = await load('Banking77Classification', { 'train.csv': csv(['10', 'x']), 'test.csv': csv(['x', '10']) })
    expect(only(texts, 'AbsTaskClassification').test.labels).toEqual(['x', '10'])
  })
  test('columns are renamed and labels coded as the registry says', async () => {
    const rows = ['politics', 'health', 'politics', 'travel'].map((category, i) => ({
      index_id: i,
      category,
      text: `t${i}`,
    }))
    const files = { 'README.md': readme({ eng_Latn: { train: 'a.jsonl', test: 'a.jsonl' } }), 'a.jsonl': rows }
    const loaded = await load('SIB200Classification', files, { subsets: ['eng_Latn'], splits: ['test'] })
    expect(only(loaded, 'AbsTaskClassification').test.labels).toEqual([1, 0, 1, 2])
  })
  test('large splits are sampled by class, as datasets samples', async () => {
    const labels = Array.from({ length: 2500 }, (_, i) => (i % 5 === 0 ? 1 : 0))
    const files = { 'train.jsonl': labelled([0, 1, 0, 1]), 'test.jsonl': labelled(labels) }
    const part = only(await load('ToxicConversationsClassification', files), 'AbsTaskClassification')
    const { test: rows } = trainTestSplit(2500, { testSize: 2048, seed: 42, stratifyBy: labels })
    expect(part.test.texts).toEqual(Array.from(rows, (row) => `t${row}`))
    expect(part.test.labels).toEqual(Array.from(rows, (row) => labels[row]))
  })
})

describe('retrieval', () => {
  const corpus = [
    { _id: 'd1', title: 'Title', text: ' body one ' },
    { _id: 'd3', title: '', text: 'body three\u0085' },
    { _id: 'd2', text: '\ufeffbody two' },
  ]
  const queries = [
    { _id: 'q1', text: 'first' },
    { _id: 'q2', text: 'second' },
    { _id: 'q3', text: 'never judged' },
  ]
  const qrels = [
    { 'query-id': 'q2', 'corpus-id': 'd1', score: 2 },
    { 'query-id': 'q1', 'corpus-id': 'd3', score: 0 },
  ]
  const plain = {
    'README.md': readme({
      default: { test: 'qrels.jsonl' },
      corpus: { corpus: 'corpus.jsonl' },
      queries: { queries: 'queries.jsonl' },
    }),
  }
  const files = { ...plain, 'corpus.jsonl': corpus, 'queries.jsonl': queries, 'qrels.jsonl': qrels }

  test('joins titles, trims as Python does, keeps judged queries in their order', async () => {
    const loaded = await load('SciFact', files)
    const part = only(loaded, 'AbsTaskRetrieval')
    expect(part.corpus).toEqual({ ids: ['d1', 'd3', 'd2'], texts: ['Title  body one', 'body three', '\ufeffbody two'] })
    expect(part.queries).toEqual({ ids: ['q1', 'q2'], texts: ['first', 'second'] })
    expect(part.qrels).toEqual(
      new Map([
        ['q2', new Map([['d1', 2]])],
        ['q1', new Map([['d3', 0]])],
      ]),
    )
    expect(loaded.texts().map(({ promptType, texts }) => [promptType, texts.length])).toEqual([
      ['query', 2],
      ['document', 3],
    ])
    expect(loaded.counts).toEqual({ queries: 2, documents: 3 })
  })
  test('1.39.7 trims nothing and goes through the ids backwards', async () => {
    const part = only(await load('SciFact', files, { profile: 'mteb-1' }), 'AbsTaskRetrieval')
    expect(part.corpus).toEqual({
      ids: ['d3', 'd2', 'd1'],
      texts: [' body three\u0085', ' \ufeffbody two', 'Title  body one '],
    })
  })
  test('judgements of a tab-separated file, in a config named qrels, ids as numbers', async () => {
    const part = only(
      await load('SciFact', {
        'README.md': readme({
          qrels: { test: 'q.tsv', train: 'r.tsv' },
          corpus: { corpus: 'corpus.jsonl' },
          queries: { queries: 'queries.jsonl' },
        }),
        'q.tsv': 'query-id\tcorpus-id\tscore\n1\t7\t1\n1\t8\t2.0\n',
        'r.tsv': 'query-id\tcorpus-id\tscore\n2\t7\t1\n',
        'corpus.jsonl': [{ id: 7, text: 'x' }],
        'queries.jsonl': [
          { id: 1, text: 'q' },
          { id: 2, text: 'r' },
        ],
      }),
      'AbsTaskRetrieval',
    )
    expect(part.qrels).toEqual(
      new Map([
        [
          '1',
          new Map([
            ['7', 1],
            ['8', 2],
          ]),
        ],
      ]),
    )
    expect(part.queries.ids).toEqual(['1'])
    expect(part.corpus.ids).toEqual(['7'])
  })
  test('subsets have configs of their own; candidates, instructions and conversations are read', async () => {
    const part = only(
      await load(
        'XQuADRetrieval',
        {
          'README.md': readme(
            Object.fromEntries(
              ['corpus', 'queries', 'qrels', 'top_ranked', 'instruction'].map((kind) => [
                `en-${kind}`,
                { validation: `${kind}.jsonl` },
              ]),
            ),
          ),
          'corpus.jsonl': corpus,
          'queries.jsonl': [
            { _id: 'q1', text: 'plain' },
            {
              _id: 'q2',
              text: [
                { role: 'user', content: 'hi' },
                { role: 'assistant', content: 'yes' },
              ],
            },
          ],
          'qrels.jsonl': qrels,
          'top_ranked.jsonl': [{ 'query-id': 'q1', 'corpus-ids': ['d3', 'd1'] }],
          'instruction.jsonl': [
            { 'query-id': 'q1', instruction: 'be exact' },
            { 'query-id': 'q2', instruction: 'be kind' },
          ],
        },
        { subsets: ['en'] },
      ),
      'AbsTaskRetrieval',
    )
    expect(part.queries.texts).toEqual(['plain be exact', 'be kind user: hi; assistant: yes'])
    expect(part.candidates).toEqual(new Map([['q1', ['d3', 'd1']]]))
  })
  test.each([
    ['no judged query', { 'qrels.jsonl': [{ 'query-id': 'q9', 'corpus-id': 'd1', score: 1 }] }, 'task.empty'],
    [
      'a judgement that is no number',
      { 'qrels.jsonl': [{ 'query-id': 'q1', 'corpus-id': 'd1', score: 'good' }] },
      'task.value',
    ],
    ['a document without id', { 'corpus.jsonl': [{ text: 'x' }] }, 'task.column'],
    ['a corpus without text', { 'corpus.jsonl': [{ _id: 'd1', body: 'x' }] }, 'task.column'],
    ['an empty corpus', { 'corpus.jsonl': [] }, 'task.empty'],
    [
      'a config that is missing',
      { 'README.md': readme({ default: { test: 'qrels.jsonl' }, queries: { queries: 'queries.jsonl' } }) },
      'task.subset',
    ],
  ])('%s is refused', async (_, change, code) => {
    await expect(load('SciFact', { ...files, ...change })).rejects.toMatchObject({ code })
  })
})
