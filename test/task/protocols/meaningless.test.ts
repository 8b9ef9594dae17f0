import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Embedder } from '#core'
import { readTaskFiles } from '#task/registry'
import { evaluateTask, implausible } from '#task/protocols'
import { loadTask, type LoadedTask } from '#task/rows'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

/** Different vectors for different texts. */
const model: Embedder = {
  representation: 'letters',
  width: 26,
  embed: async (texts) => ({
    rows: texts.length,
    width: 26,
    data: Float32Array.from(
      texts.flatMap((text) => Array.from({ length: 26 }, (_, i) => text.split(String.fromCharCode(97 + i)).length)),
    ),
  }),
}

async function scored(
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<{ loaded: LoadedTask; notices: string[]; main: number | null }> {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path(name), file)), { recursive: true })
    writeFileSync(join(path(name), file), text)
  }
  const { tasks, data } = await readTaskFiles(['task.yaml' in files ? join(path(name), 'task.yaml') : path(name)])
  const [task] = tasks
  if (task === undefined) throw new Error('no task')
  const openDataset = async (from: string) => (data.get(from) ?? (() => Promise.reject(new Error(from))))()
  const loaded = await loadTask(task, { openDataset, profile: 'mteb-2' })
  const { scores, mainScore } = await evaluateTask(loaded, model)
  return { loaded, notices: implausible(loaded, scores, 1), main: mainScore }
}

const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']

describe('data of one class', () => {
  const own = (type: string, rows: readonly unknown[], columns: string): Readonly<Record<string, string>> => ({
    'test.jsonl': lines(rows),
    'task.yaml': `name: One${type}\ntype: ${type}\ndata: {test: test.jsonl}\ncolumns: {${columns}}\n`,
  })
  const pairs = (label: (i: number) => number): readonly unknown[] =>
    words.map((text, i) => ({ a: text, b: `${text}s`, label: label(i) }))

  const said = [expect.stringContaining('every label is the same')]

  test.each([0, 1])('pairs that all have the label %d are said to be it', async (label) => {
    const task = own(
      'PairClassification',
      pairs(() => label),
      'sentence1: a, sentence2: b, labels: label',
    )
    expect((await scored(`pairs-${label}`, task)).notices).toEqual(said)
  })

  test('pairs of both labels need no word', async () => {
    const task = own(
      'PairClassification',
      pairs((i) => i % 2),
      'sentence1: a, sentence2: b, labels: label',
    )
    expect((await scored('pairs', task)).notices).toEqual([])
  })

  test.each(['AbsTaskClustering', 'AbsTaskClusteringLegacy'])('documents of one label, in %s', async (protocol) => {
    for (const [name, label, wanted] of [
      ['one', () => 'x', said],
      ['two', (i: number) => i % 2, []],
    ] as const) {
      const rows = words.map((text, i) => ({ text, label: String(label(i)) }))
      const sets =
        protocol === 'AbsTaskClustering'
          ? rows
          : [{ text: rows.map(({ text }) => text), label: rows.map((row) => row.label) }]
      const task = own('Clustering', sets, `text: text, label: label`)
      const clustering = { ...task, 'task.yaml': `${task['task.yaml']}protocol: ${protocol}\n` }
      expect((await scored(`${protocol}-${name}`, clustering)).notices).toEqual(wanted)
    }
  })
})

describe('a corpus and its judgements', () => {
  const corpus = words.map((text, i) => ({ _id: `d${i}`, text }))
  const queries = words.slice(0, 3).map((text, i) => ({ _id: `q${i}`, text }))
  const folder = (rows: string, documents: readonly unknown[] = corpus): Readonly<Record<string, string>> => ({
    'corpus.jsonl': lines(documents),
    'queries.jsonl': lines(queries),
    'qrels/test.tsv': `query-id\tcorpus-id\tscore\n${rows}`,
  })
  const plain = 'q0\td0\t1\nq1\td1\t1\nq2\td2\t1\n'

  test('that agree need no word', async () => {
    expect(await scored('agreeing', folder(`${plain}q0\td0\t1\n`))).toMatchObject({ notices: [], main: 1 })
  })

  test('judgements that contradict each other, ids that stand twice, and documents that are not there are said', async () => {
    const { notices } = await scored(
      'odd',
      folder(`${plain}q0\td0\t0\nq1\td99\t1\n`, [...corpus, { _id: 'd0', text: 'another' }]),
    )
    expect(notices).toEqual([
      'default (test): judgements that contradict an earlier one (the last counts): 1',
      'default (test): documents with the id of another: 1',
      'default (test): 1 of 4 judged documents are not in the corpus (such as d99): they count as not found',
    ])
  })

  test('of which no judged document is there are refused', async () => {
    const other = corpus.map(({ _id, text }) => ({ _id: `doc-${_id}`, text }))
    await expect(scored('apart', folder(plain, other))).rejects.toThrow('no judged document is in the corpus')
  })
})
