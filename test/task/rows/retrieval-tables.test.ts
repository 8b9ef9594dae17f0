import { describe, expect, onTestFinished, test } from 'vitest'
import { findTasks } from '#task/registry'
import { loadTask, type LoadedTask, type LoadOptions, type RetrievalPart } from '#task/rows'
import { makeRepo, readme, type Row } from './made-repo.ts'

type Files = Record<string, string | readonly Row[]>

async function load(name: string, files: Files, options: Omit<LoadOptions, 'openDataset'> = {}): Promise<LoadedTask> {
  const [task] = (await findTasks([name])).tasks
  if (task === undefined) throw new Error(`no task ${name}`)
  const repo = await makeRepo(files)
  onTestFinished(repo.remove)
  return loadTask(task, { openDataset: () => Promise.resolve(repo.files), ...options })
}

async function part(...asked: Parameters<typeof load>): Promise<RetrievalPart> {
  const { protocol, parts } = await load(...asked)
  const [first] = parts
  if (protocol !== 'AbsTaskRetrieval' || first === undefined) throw new Error('no search')
  return first as RetrievalPart
}

const corpus = [
  { _id: 'd1', text: 'one' },
  { _id: 'd2', text: 'two', title: 'Second' },
]
const queries = [
  { _id: 'q1', text: 'first' },
  { _id: 'q2', text: 'second' },
]
const qrels = [
  { 'query-id': 'q1', 'corpus-id': 'd1', score: 1 },
  { 'query-id': 'q2', 'corpus-id': 'd2', score: '2' },
]
const standard: Files = {
  'README.md': readme({
    default: { test: 'qrels.jsonl' },
    corpus: { corpus: 'corpus.jsonl' },
    queries: { queries: 'queries.jsonl' },
  }),
  'corpus.jsonl': corpus,
  'queries.jsonl': queries,
  'qrels.jsonl': qrels,
}

describe("where mteb's loader looks", () => {
  test('a table of another single split is taken, of several others none', async () => {
    const two = {
      'README.md': readme({
        default: { test: 'qrels.jsonl' },
        corpus: { a: 'corpus.jsonl', b: 'corpus.jsonl' },
        queries: { queries: 'queries.jsonl' },
      }),
    }
    expect((await part('SciFact', standard)).corpus.ids).toEqual(['d1', 'd2'])
    await expect(load('SciFact', { ...standard, ...two })).rejects.toMatchObject({ code: 'task.split' })
  })
  test('the split asked for goes before a single one', async () => {
    const head = readme({
      default: { test: 'qrels.jsonl' },
      corpus: { test: 'corpus.jsonl', train: 'other.jsonl' },
      queries: { queries: 'queries.jsonl' },
    })
    const { corpus: read } = await part('SciFact', {
      ...standard,
      'README.md': head,
      'other.jsonl': [{ _id: 'd9', text: 'nine' }],
    })
    expect(read).toEqual({ ids: ['d1', 'd2'], texts: ['one', 'Second two'] })
  })
  test('a config named query goes before one named queries', async () => {
    const head = readme({
      default: { test: 'qrels.jsonl' },
      corpus: { corpus: 'corpus.jsonl' },
      queries: { queries: 'queries.jsonl' },
      query: { query: 'query.jsonl' },
    })
    const { queries: read } = await part('SciFact', {
      ...standard,
      'README.md': head,
      'query.jsonl': [{ id: 'q2', text: 'other' }],
    })
    expect(read).toEqual({ ids: ['q2'], texts: ['other'] })
  })
  test('repeated ids stay, as rows of a table', async () => {
    const repeated = [...queries, { _id: 'q1', text: 'first again' }]
    const read = await part('SciFact', {
      ...standard,
      'queries.jsonl': repeated,
      'corpus.jsonl': [...corpus, { _id: 'd1', text: 'again' }],
    })
    expect(read.queries.ids).toEqual(['q1', 'q2', 'q1'])
    expect(read.corpus).toEqual({ ids: ['d1', 'd2', 'd1'], texts: ['one', 'Second two', 'again'] })
  })
  test('queries may bring their instructions along', async () => {
    const told = [
      { _id: 'q1', text: 'first', instruction: 'be exact' },
      { _id: 'q2', text: 'second', instruction: null },
    ]
    expect((await part('SciFact', { ...standard, 'queries.jsonl': told })).queries.texts).toEqual([
      'first be exact',
      'second',
    ])
  })
  test('a table of instructions has one for every judged query', async () => {
    const head = readme({
      default: { test: 'qrels.jsonl' },
      corpus: { corpus: 'corpus.jsonl' },
      queries: { queries: 'queries.jsonl' },
      instruction: { instruction: 'instruction.jsonl' },
    })
    const one = [{ 'query-id': 'q1', instruction: 'a' }]
    const files = { ...standard, 'README.md': head }
    await expect(load('SciFact', { ...files, 'instruction.jsonl': one })).rejects.toMatchObject({ code: 'task.value' })
    const both = [...one, { 'query-id': 'q2', instruction: 'b' }, { 'query-id': 'q1', instruction: 'c' }]
    expect((await part('SciFact', { ...files, 'instruction.jsonl': both })).queries.texts).toEqual([
      'first c',
      'second b',
    ])
  })
})

describe('where the registry says', () => {
  const pairs = [{ query: 'ask', document_1: 'one', document_2: 'two' }]
  test('files named after subsets', async () => {
    const read = await part(
      'ColDeRReranking',
      { 'test/foil.jsonl': pairs, 'test/answer_importance.jsonl': pairs },
      { subsets: ['foil'] },
    )
    expect(read.qrels).toEqual(new Map([['foil_0', new Map([['foil_0_doc2', 1]])]]))
    expect(read.candidates).toEqual(new Map([['foil_0', ['foil_0_doc1', 'foil_0_doc2']]]))
  })
  test('folders named after subsets, whatever the files in them are called', async () => {
    const rows = [{ commit: 'c', instruction: 'do', diff: '+' }]
    const read = await part(
      'CodeEditSearchRetrieval',
      { 'c++/data.jsonl': rows, 'go/data.jsonl': [] },
      { subsets: ['c++'] },
    )
    expect(read).toMatchObject({ queries: { ids: ['0'], texts: ['do'] }, corpus: { ids: ['c'], texts: ['+'] } })
  })
  test('judgements in another repository', async () => {
    const files: Record<string, Files> = {
      'mteb/germanquad-retrieval': {
        ...standard,
        'README.md': readme({ corpus: { corpus: 'corpus.jsonl' }, queries: { queries: 'queries.jsonl' } }),
      },
      'mteb/germanquad-retrieval-qrels': { 'test.jsonl': qrels },
    }
    const [task] = (await findTasks(['GermanQuAD-Retrieval'])).tasks
    if (task === undefined) throw new Error('no task')
    const opened: string[] = []
    const loaded = await loadTask(task, {
      async openDataset(path, revision) {
        opened.push(`${path}@${revision.slice(0, 6)}`)
        const repo = await makeRepo(files[path] ?? {})
        onTestFinished(repo.remove)
        return repo.files
      },
    })
    expect(loaded.counts).toEqual({ queries: 2, documents: 2 })
    expect(opened).toEqual(['mteb/germanquad-retrieval@f5c87a', 'mteb/germanquad-retrieval-qrels@main'])
  })
  test('what a row refers to must be there', async () => {
    const head = readme({ acm_Arab: { test: 'a.jsonl' }, eng_Latn: { test: 'e.jsonl' } })
    const rows = {
      'a.jsonl': [{ link: 'x', flores_passage: 'p', question: 'q' }],
      'e.jsonl': [{ link: 'y', flores_passage: 'p', question: 'q' }],
    }
    await expect(
      load('BelebeleRetrieval', { 'README.md': head, ...rows }, { subsets: ['acm_Arab-eng_Latn'] }),
    ).rejects.toMatchObject({ code: 'task.value' })
  })
  test('a split that the task says nothing about', async () => {
    await expect(
      load(
        'LEMBNeedleRetrieval',
        { 'README.md': readme({ needle: { corpus: 'c.jsonl' } }), 'c.jsonl': [] },
        { splits: ['test'] },
      ),
    ).rejects.toMatchObject({
      code: 'task.split',
    })
  })
  test('a column that is missing is named', async () => {
    const files = { 'test.jsonl': [{ uuid: '1', title: 't', lead: 'l' }] }
    await expect(load('HunSum2AbstractiveRetrieval', files)).rejects.toMatchObject({
      code: 'task.column',
      message: expect.stringContaining('article') as string,
    })
  })
})
