import { describe, expect, test } from 'vitest'
import { type GroupNode, groupNumbers, type TaskNode, type TaskNumbers } from '#task/harness'

const named = (name: string): TaskNode => ({ kind: 'task', name, source: 'inline' }) as unknown as TaskNode
const group = (weightBySize: boolean, filters?: readonly string[]): GroupNode => ({
  kind: 'group',
  name: 'toy',
  alias: 'toy',
  version: 1,
  metrics: [{ metric: 'acc', weightBySize, filters }],
  members: [named('small'), named('large')],
})
const tasks = (more: Readonly<Record<string, number | 'N/A'>> = {}): Map<string, TaskNumbers> =>
  new Map([
    ['small', { values: { 'acc,none': 0.5, 'acc_stderr,none': 0.1, ...more }, size: 10 }],
    ['large', { values: { 'acc,none': 0.9, 'acc_stderr,none': 0.2 }, size: 30 }],
  ])

// by hand, from `aggregate_subtask_metrics`, `pooled_sample_stderr` and `unweighted_mean_stderr` of
// lm-evaluation-harness 0.4.13
describe('a group', () => {
  test('weighs its tasks by their documents, and pools their variances by degrees of freedom', () => {
    const { values, size, counts } = groupNumbers(group(true), tasks())
    expect(values['acc,none']).toBeCloseTo((10 * 0.5 + 30 * 0.9) / 40, 15)
    const variance = (9 * 0.1 ** 2 * 10 + 29 * 0.2 ** 2 * 30) / (40 - 2)
    expect(values['acc_stderr,none']).toBeCloseTo(Math.sqrt(variance / 40), 15)
    expect([size, counts['acc,none']]).toEqual([40, 40])
  })

  test('counts every task once where it says so', () => {
    const { values } = groupNumbers(group(false), tasks())
    expect(values['acc,none']).toBeCloseTo(0.7, 15)
    expect(values['acc_stderr,none']).toBeCloseTo(Math.sqrt(0.1 ** 2 + 0.2 ** 2) / 2, 15)
  })

  test('names the tasks that lack a filter, and has no error as soon as one of them has none', () => {
    const found = groupNumbers(group(true), tasks({ 'acc,strict': 0.3, 'acc_stderr,none': 'N/A' }))
    expect(found.values).toEqual({
      'acc,none': 0.8,
      'acc_stderr,none': 'N/A',
      'acc,strict': 0.3,
      'acc_stderr,strict': 'N/A',
    })
    expect(found.missing).toEqual({ 'acc,strict': ['large'] })
    expect(found.counts).toEqual({ 'acc,none': 40, 'acc,strict': 10 })
  })

  test('names the tasks that were not run', () => {
    const some = new Map([...tasks()].filter(([name]) => name === 'small'))
    const { values, missing, size } = groupNumbers(group(true), some)
    expect([values['acc,none'], missing, size]).toEqual([0.5, { 'acc,none': ['large'] }, 10])
    expect(groupNumbers(group(true), new Map())).toEqual({ values: {}, size: 0, counts: {}, missing: {} })
  })

  test('looks at the filters that it names alone', () => {
    const { values } = groupNumbers(group(true, ['none', 'nobody']), tasks({ 'acc,strict': 0.3 }))
    expect(Object.keys(values)).toEqual(['acc,none', 'acc_stderr,none'])
  })
})
