/** Numbers of users' files are exact, or refused with their row. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readTaskFiles } from '#task/registry'
import { loadTask, type RetrievalPart } from '#task/rows'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

/** The first part of a task of these files. */
async function part(name: string, files: Readonly<Record<string, string>>): Promise<unknown> {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path(name), file)), { recursive: true })
    writeFileSync(join(path(name), file), text)
  }
  const { tasks, data } = await readTaskFiles(['task.yaml' in files ? join(path(name), 'task.yaml') : path(name)])
  const [task] = tasks
  if (task === undefined) throw new Error('no task')
  const openDataset = async (from: string) => (data.get(from) ?? (() => Promise.reject(new Error(from))))()
  return (await loadTask(task, { openDataset, profile: 'mteb-2' })).parts[0]
}

const judged = async (grade: string): Promise<unknown> =>
  part(`graded-${grade}`, {
    'corpus.jsonl': '{"_id": "d1", "text": "one"}\n',
    'queries.jsonl': '{"_id": "q1", "text": "first"}\n',
    'qrels/test.tsv': `query-id\tcorpus-id\tscore\nq1\td1\t${grade}\n`,
  })

test.each([
  ['1.0', 1],
  ['2', 2],
])('a judgement of %s is %d', async (grade, wanted) => {
  expect(((await judged(grade)) as RetrievalPart).qrels.get('q1')?.get('d1')).toBe(wanted)
})

test.each([
  ['0.5', 'a judgement is not a whole number'],
  ['9007199254740993', 'a judgement is not a whole number'],
  ['high', 'score is not a number'],
])('a judgement of %s is refused', async (grade, words) => {
  await expect(judged(grade)).rejects.toThrow(words)
})

test.each([
  ['Classification', 'label: topic', 'a row has no usable label'],
  ['Regression', 'value: topic', 'topic is not a number'],
])('%s of integers beyond 2^53 is refused', async (type, column, words) => {
  const rows = [2, 3].map((last) => `{"text": "t${last}", "topic": 900719925474099${last}}\n`).join('')
  const task = `name: Large${type}\ntype: ${type}\ndata: {train: rows.jsonl, test: rows.jsonl}\ncolumns: {text: text, ${column}}\n`
  await expect(part(`large-${type}`, { 'rows.jsonl': rows, 'task.yaml': task })).rejects.toThrow(words)
})
