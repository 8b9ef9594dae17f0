import { describe, expect, onTestFinished, test } from 'vitest'
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

async function load(
  name: string,
  files: Record<string, string | readonly Row[]>,
  options: Omit<LoadOptions, 'openDataset'> = {},
  change: (task: TaskInfo) => TaskInfo = (task) => task,
): Promise<LoadedTask> {
  const [task] = (await findTasks([name])).tasks
  if (task === undefined) throw new Error(`no task ${name}`)
  const repo = await makeRepo(files)
  onTestFinished(repo.remove)
  return loadTask(change(task), { openDataset: () => Promise.resolve(repo.files), ...options })
}

function parts<Name extends Protocol>(
  { protocol, parts: own }: LoadedTask,
  wanted: Name,
): readonly PartOfProtocol[Name][] {
  if (protocol !== wanted) throw new Error(`parts of ${protocol}`)
  return own as unknown as readonly PartOfProtocol[Name][]
}

/** No steps before the pairs: they lie as the protocol wants them. */
const plain = (task: TaskInfo): TaskInfo => ({ ...task, steps: [] })

describe('pairs', () => {
  const rows = [
    { sentence1: 'a0', sentence2: 'b0', labels: 1 },
    { sentence1: 'a1', sentence2: 'b1', labels: 0 },
  ]
  const listed = { sentence1: ['a0', 'a1'], sentence2: ['b0', 'b1'], labels: [1, 0] }
  const want = { ...listed, split: 'test', subset: 'default' }

  test('lie in a row each, or all in one row', async () => {
    expect(
      parts(await load('TwitterSemEval2015', { 'test.jsonl': rows }, {}, plain), 'AbsTaskPairClassification')[0],
    ).toMatchObject(want)
    expect(
      parts(await load('TwitterSemEval2015', { 'test.jsonl': [listed] }, {}, plain), 'AbsTaskPairClassification')[0],
    ).toMatchObject(want)
  })
  test('have labels of separated values, too', async () => {
    const loaded = await load(
      'TwitterSemEval2015',
      { 'test.csv': 'sentence1,sentence2,labels\na0,b0,1\na1,b1,0\n' },
      {},
      plain,
    )
    expect(parts(loaded, 'AbsTaskPairClassification')[0]).toMatchObject(want)
    expect(loaded.counts).toEqual({ pairs: 2 })
  })
  test('of asymmetric tasks say which side is what', async () => {
    const loaded = await load('TERRa.V2', { 'test.jsonl': rows }, { splits: ['test'] }, plain)
    expect(parts(loaded, 'AbsTaskPairClassification')[0]).toMatchObject({
      promptType1: 'document',
      promptType2: 'query',
    })
    expect(loaded.texts()).toEqual([
      { texts: ['a0', 'a1'], promptType: 'document' },
      { texts: ['b0', 'b1'], promptType: 'query' },
    ])
  })
  test.each<[string, Row[], string]>([
    ['a label that is neither 0 nor 1', [{ sentence1: 'a', sentence2: 'b', labels: 2 }], 'task.label'],
    ['no label', [{ sentence1: 'a', sentence2: 'b', labels: null }, rows[0] ?? {}], 'task.label'],
    ['lists of different lengths', [{ sentence1: ['a', 'c'], sentence2: ['b'], labels: [1] }], 'task.value'],
    ['empty lists', [{ sentence1: [], sentence2: [], labels: [] }], 'task.empty'],
    ['no such column', [{ sentence1: 'a', other: 'b', labels: 1 }], 'task.column'],
  ])('are refused with %s', async (_, bad, code) => {
    await expect(load('TwitterSemEval2015', { 'test.jsonl': bad }, {}, plain)).rejects.toMatchObject({ code })
  })
})

describe('bitext', () => {
  test('row by row', async () => {
    const loaded = await load('BornholmBitextMining', {
      'test.jsonl': [1, 2].map((i) => ({ sentence1: `a${i}`, sentence2: `b${i}` })),
    })
    expect(parts(loaded, 'AbsTaskBitextMining')[0]).toMatchObject({
      sentence1: ['a1', 'a2'],
      sentence2: ['b1', 'b2'],
      gold: [0, 1],
    })
  })
  test('as pairs of row numbers: only sentences with a translation are asked about', async () => {
    const row = { sentence1: ['a1', 'a2', 'a3'], sentence2: ['b1', 'b2', 'b3', 'b4'], gold: [[3, 1], [1, 4]] } // prettier-ignore
    const files = { 'README.md': readme({ 'de-en': { test: 'de.jsonl' } }), 'de.jsonl': [row] }
    const loaded = await load('BUCC', files, { subsets: ['de-en'] })
    expect(parts(loaded, 'AbsTaskBitextMining')[0]).toMatchObject({
      sentence1: ['a3', 'a1'],
      sentence2: row.sentence2,
      gold: [0, 3],
    })
    await expect(
      load('BUCC', { ...files, 'de.jsonl': [{ ...row, gold: [[3, 5]] }] }, { subsets: ['de-en'] }),
    ).rejects.toMatchObject({ code: 'task.value' })
  })
  test('as a column a language, which is the same list in every pair', async () => {
    const languages = ['eng_Latn', 'fra_Latn', 'deu_Latn']
    const rows = [0, 1, 2].map((i) => Object.fromEntries(languages.map((language) => [language, `${language} ${i}`])))
    const chosen = ['eng_Latn-fra_Latn', 'deu_Latn-eng_Latn']
    const loaded = await load('NTREXBitextMining', { 'test.jsonl': rows }, { subsets: chosen }, (task) => ({
      ...task,
      subsets: Object.fromEntries(
        chosen.map((subset) => [subset, subset.replaceAll('_', '-').match(/[a-z]+-[A-Z][a-z]+/g) ?? []]),
      ),
    }))
    const [first, second] = parts(loaded, 'AbsTaskBitextMining')
    const texts = (language: string): string[] => [0, 1, 2].map((i) => `${language} ${i}`)
    expect(first).toMatchObject({ sentence1: texts('eng_Latn'), sentence2: texts('fra_Latn'), gold: [0, 1, 2] })
    expect(second).toMatchObject({ sentence1: texts('deu_Latn') })
    expect(second?.sentence2).toBe(first?.sentence1)
    expect(loaded.texts().map(({ texts: list }) => list)).toEqual(languages.map(texts))
  })
})

describe('summaries', () => {
  const row = {
    text: 't',
    human_summaries: ['h1', 'h2'],
    machine_summaries: ['m1', 'm2', 'm3'],
    relevance: [1, 2.5, 3],
  }
  test('lie in lists beside their ratings', async () => {
    const loaded = await load('SummEvalSummarization.v2', { 'test.jsonl': [row] })
    expect(parts(loaded, 'AbsTaskSummarization')[0]).toMatchObject({
      texts: ['t'],
      human: [row.human_summaries],
      machine: [row.machine_summaries],
      relevance: [row.relevance],
    })
    expect(loaded.texts()).toEqual([{ texts: ['h1', 'h2'] }, { texts: ['m1', 'm2', 'm3'] }])
  })
  test.each<[string, Row]>([
    ['fewer ratings than summaries', { ...row, relevance: [1, 2] }],
    ['no summary by people', { ...row, human_summaries: [] }],
    ['a rating that is no number', { ...row, relevance: ['1', '2', '3'] }],
  ])('are refused with %s', async (_, bad) => {
    await expect(load('SummEval', { 'test.jsonl': [bad] })).rejects.toMatchObject({ code: 'task.value' })
  })
})
