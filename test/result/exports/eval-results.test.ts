import { expect, test } from 'vitest'
import type { FormatContext } from '../../../src/result/exports/exported.ts'
import { evalResults } from '../../../src/result/exports/eval-results.ts'
import { context, finished } from './made-finished.ts'

test('each part is an entry in percent, and the whole task another', () => {
  const [file, ...more] = evalResults.files([finished('default')], context)
  expect(more).toEqual([])
  expect(file?.path).toBe('.eval_results/STS17.yaml')
  expect(file?.content).toBe(`- dataset:
    id: mteb/sts17-crosslingual-sts
    task_id: STS17_en-en_test
    revision: faeb762787bd10488a50c8b5be4a3b82e411949c
  value: 70.692
  date: "2025-10-09"
  notes: Strata 0.1.0
- dataset:
    id: mteb/sts17-crosslingual-sts
    task_id: STS17
    revision: faeb762787bd10488a50c8b5be4a3b82e411949c
  value: 70.692
  date: "2025-10-09"
  notes: Strata 0.1.0
`)
})

test('a part of a task has no score of the whole, and a representation is named', () => {
  const taskFacts: FormatContext['taskFacts'] = (task) => {
    const facts = context.taskFacts(task)
    return facts && { ...facts, subsets: ['en-en', 'de-de'] }
  }
  const twice = { ...context, taskFacts }
  const [file] = evalResults.files([finished('h3')], twice)
  expect(file?.content).not.toContain('task_id: STS17\n')
  expect(file?.content).toContain('notes: Strata 0.1.0, representation h3\n')
})

test('scores of another split are not those of the task', () => {
  const { scores } = finished('default').result
  const [file] = evalResults.files([finished('default', { scores: { validation: scores?.['test'] ?? [] } })], context)
  expect(file?.content).toContain('task_id: STS17_en-en_validation\n')
  expect(file?.content).not.toContain('task_id: STS17\n')
})

test('a task without a data set on the hub has no file', () => {
  expect(evalResults.files([finished('default', { task_name: 'Mine' })], context)).toEqual([])
})
