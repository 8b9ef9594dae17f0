/**
 * A share of what a task asks: the same rows for everybody, a smaller share within a larger one, the rest of the task
 * as it is.
 */
import { expect, onTestFinished, test } from 'vitest'
import { findTasks } from '#task/registry'
import { loadTask, type PartOf, type Protocol, type StsPart } from '#task/rows'
import type { ProtocolReader } from '../../../src/task/rows/readers/protocol.ts'
import { readers } from '../../../src/task/rows/readers/table.ts'
import { shareOfRows } from '../../../src/task/rows/share-of-rows.ts'
import { makeRepo } from './made-repo.ts'

const part = { split: 'test', subset: 'default' }

test('a larger share holds every smaller one, in the order of the rows', () => {
  const of = (share: number): number[] => shareOfRows(1000, share, 'STSBenchmark', part)
  expect([0.001, 0.1, 0.125, 0.9995].map((share) => of(share).length)).toEqual([1, 100, 125, 1000])
  expect(of(0.5)).toEqual([...of(0.5)].sort((a, b) => a - b))
  expect(of(0.125).every((row) => of(0.5).includes(row))).toBe(true)
  // spread over all of them: a quarter of each quarter, give or take
  const quarters = [0, 250, 500, 750].map((from) => of(0.25).filter((row) => row >= from && row < from + 250).length)
  expect(Math.min(...quarters)).toBeGreaterThan(40)
})

test('each task, split and subset draws its own', () => {
  const draws = [
    shareOfRows(1000, 0.1, 'STSBenchmark', part),
    shareOfRows(1000, 0.1, 'SICK-R', part),
    shareOfRows(1000, 0.1, 'STSBenchmark', { ...part, split: 'dev' }),
    shareOfRows(1000, 0.1, 'STSBenchmark', { ...part, subset: 'de' }),
  ]
  expect(new Set(draws.map((rows) => rows.join())).size).toBe(4)
})

const list = (name: string): string[] => Array.from({ length: 6 }, (_, i) => `${name}${i}`)
const numbers = [10, 11, 12, 13, 14, 15]
const bare = { ...part, languages: ['eng-Latn'] }
const [rows, train] = [[1, 4], { texts: list('t'), labels: list('l'), values: numbers }]

test.each<[Protocol, object, object]>([
  [
    'AbsTaskSTS',
    { sentence1: list('a'), sentence2: list('b'), score: numbers },
    { sentence1: ['a1', 'a4'], sentence2: ['b1', 'b4'], score: [11, 14] },
  ],
  [
    'AbsTaskPairClassification',
    { sentence1: list('a'), sentence2: list('b'), labels: numbers, promptType1: 'query' },
    { sentence1: ['a1', 'a4'], sentence2: ['b1', 'b4'], labels: [11, 14] },
  ],
  [
    'AbsTaskClassification',
    { train, test: train, experiments: [[5, 0]] },
    { test: { texts: ['t1', 't4'], labels: ['l1', 'l4'] } },
  ],
  [
    'AbsTaskClassification',
    {
      train,
      test: train,
      experiments: [[0], [1]],
      tested: [
        [4, 5],
        [0, 1, 2],
      ],
    },
    { test: { texts: ['t1', 't4'], labels: ['l1', 'l4'] }, tested: [[1], [0]] },
  ],
  [
    'AbsTaskMultilabelClassification',
    { train, test: train, experiments: [[5, 0]] },
    { test: { texts: ['t1', 't4'], labels: ['l1', 'l4'] } },
  ],
  [
    'AbsTaskRegression',
    { train, test: train, experiments: [[5, 0]] },
    { test: { texts: ['t1', 't4'], values: [11, 14] } },
  ],
  [
    'AbsTaskBitextMining',
    { sentence1: list('a'), sentence2: list('b'), gold: [5, 4, 3, 2, 1, 0] },
    { sentence1: ['a1', 'a4'], gold: [4, 1] },
  ],
  [
    'AbsTaskSummarization',
    { texts: list('t'), human: list('h'), machine: list('m'), relevance: numbers },
    { texts: ['t1', 't4'], human: ['h1', 'h4'], machine: ['m1', 'm4'], relevance: [11, 14] },
  ],
  [
    'AbsTaskRetrieval',
    {
      corpus: { ids: list('d'), texts: list('c') },
      queries: { ids: list('q'), texts: list('w') },
      qrels: new Map([['q1', new Map([['d5', 1]])]]),
    },
    { queries: { ids: ['q1', 'q4'], texts: ['w1', 'w4'] } },
  ],
  [
    'Contrast',
    { anchors: list('a'), positives: list('p'), negatives: list('n').map((text) => [text]), topics: list('t') },
    { anchors: ['a1', 'a4'], positives: ['p1', 'p4'], negatives: [['n1'], ['n4']], topics: ['t1', 't4'] },
  ],
  [
    'SequenceClassification',
    { texts: list('t'), labels: list('l'), names: ['x'] },
    { texts: ['t1', 't4'], labels: ['l1', 'l4'] },
  ],
])('%s: what is asked is left out row by row, what it is asked about stays', (protocol, own, changed) => {
  const { asked } = readers[protocol] as ProtocolReader<PartOf>
  const whole = { ...bare, ...own }
  expect(asked?.count(whole)).toBe(6)
  expect(asked?.only(whole, rows)).toEqual({ ...whole, ...changed })
})

test('of a task that is loaded; clusters are of all texts', async () => {
  const [sts, clusters] = (await findTasks(['STSBenchmark', 'TwentyNewsgroupsClustering.v2'])).tasks
  if (sts === undefined || clusters === undefined) throw new Error('no such tasks')
  const pairs = Array.from({ length: 40 }, (_, i) => ({ sentence1: `a${i}`, sentence2: `b${i}`, score: i }))
  const repo = await makeRepo({ 'test.jsonl.gz': pairs })
  onTestFinished(repo.remove)
  const openDataset = (): Promise<typeof repo.files> => Promise.resolve(repo.files)
  const loaded = await loadTask(sts, { openDataset, share: 0.25 })
  const [{ sentence1 = [], sentence2 = [], score = [] } = {}] = loaded.parts as readonly Partial<StsPart>[]
  expect([loaded.counts, sentence1.length]).toEqual([{ pairs: 10 }, 10])
  expect([sentence1, sentence2]).toEqual([score.map((i) => `a${i}`), score.map((i) => `b${i}`)])
  const texts = Array.from({ length: 40 }, (_, i) => ({ sentences: `a${i}`, labels: i % 20 }))
  const others = await makeRepo({ 'test.jsonl.gz': texts })
  onTestFinished(others.remove)
  await expect(
    loadTask(clusters, { openDataset: () => Promise.resolve(others.files), share: 0.25 }),
  ).rejects.toMatchObject({ code: 'task.unsupported' })
})
