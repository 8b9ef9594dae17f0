import { describe, expect, test } from 'vitest'
import { carriedHub } from '../../../carried.ts'
import { scratchFolder } from '../../../scratch.ts'
import { strata } from '../../program.ts'

const scratch = scratchFolder()
const rows = (stdout: string): unknown[] =>
  stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))

describe('strata tasks --rows', () => {
  test('prints the rows of a task in the hub’s cache, the first of every subset and split', async () => {
    const { code, stdout, stderr } = await strata(['tasks', 'STS17', '--rows', '--subsets', 'en-en', '--limit', '2'], {
      env: carriedHub,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [first, second, ...more] = rows(stdout)
    expect(first).toMatchObject({
      task: 'STS17',
      subset: 'en-en',
      split: 'test',
      sentence1: expect.any(String),
      score: expect.any(Number),
    })
    expect(second).not.toEqual(first)
    expect(more).toEqual([])
  })
  test('of data of one’s own, with what an evaluation would refuse', async () => {
    scratch.file('good.jsonl', '{"sentences": "a", "labels": "x"}\n{"sentences": "b", "labels": "y"}\n')
    scratch.file('bad.jsonl', '{"sentences": "c", "labels": null}\n')
    const task = scratch.file(
      'mine.yaml',
      'name: Mine\ntype: Clustering\ndata: { test: good.jsonl, dev: bad.jsonl }\nsplits: [test, dev]\n',
    )
    const { code, stdout, stderr } = await strata(['tasks', task, '--rows'])
    expect(rows(stdout)).toEqual([
      { task: 'Mine', subset: 'default', split: 'test', sentences: 'a', labels: 'x' },
      { task: 'Mine', subset: 'default', split: 'test', sentences: 'b', labels: 'y' },
      { task: 'Mine', subset: 'default', split: 'dev', sentences: 'c', labels: null },
    ])
    expect(stderr).toContain('bad.jsonl:1')
    expect(code).toBe(1)
  })
  test('of a search come table by table', async () => {
    scratch.file('corpus.jsonl', '{"_id": "d1", "title": "T", "text": "one"}\n{"_id": "d2", "text": "two"}\n')
    scratch.file('queries.jsonl', '{"_id": "q1", "text": "which?"}\n{"_id": "q2", "text": "not judged"}\n')
    scratch.file('qrels.tsv', 'query-id\tcorpus-id\tscore\nq1\td2\t1\n')
    const task = scratch.file(
      'search.yaml',
      'name: Search\ntype: Retrieval\ndata: { corpus: corpus.jsonl, queries: queries.jsonl, qrels: qrels.tsv }\n',
    )
    const { code, stdout } = await strata(['tasks', task, '--rows'])
    const own = { task: 'Search', subset: 'default', split: 'test' }
    expect(rows(stdout)).toEqual([
      { ...own, table: 'corpus', id: 'd1', text: 'T one' },
      { ...own, table: 'corpus', id: 'd2', text: 'two' },
      { ...own, table: 'queries', id: 'q1', text: 'which?' },
      { ...own, table: 'qrels', 'query-id': 'q1', 'corpus-id': 'd2', score: 1 },
    ])
    expect(code).toBe(0)
  })
  test.each([
    { args: ['tasks', '--rows'], words: 'no task is given', wanted: 2 },
    { args: ['tasks', 'STS17', '--rows', '--subsets', 'en-xx'], words: 'STS17 has no such subset – en-xx', wanted: 2 },
  ])('$words: exit $wanted', async ({ args, words, wanted }) => {
    const { code, stderr } = await strata(args, { env: carriedHub })
    expect(stderr).toContain(words)
    expect(code).toBe(wanted)
  })
})
