import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { environmentFor, limitThreads, readBudget, threadBudget } from '#platform/threads'

const machine = { processors: 8, quota: () => Infinity }

test('the processors limit the threads, a quota or Slurm further, and STRATA_THREADS alone decides', () => {
  expect(readBudget({}, machine)).toEqual({ threads: 8, from: 'processors' })
  expect(readBudget({}, { ...machine, quota: () => 2.9 })).toEqual({ threads: 2, from: 'cgroup' })
  expect(readBudget({}, { ...machine, quota: () => 0.5 })).toEqual({ threads: 1, from: 'cgroup' })
  expect(readBudget({ SLURM_CPUS_PER_TASK: '4' }, machine)).toEqual({ threads: 4, from: 'SLURM_CPUS_PER_TASK' })
  expect(readBudget({ SLURM_CPUS_PER_TASK: '16' }, machine)).toEqual({ threads: 8, from: 'processors' })
  expect(readBudget({ STRATA_THREADS: '16', SLURM_CPUS_PER_TASK: '4' }, machine)).toEqual({
    threads: 16,
    from: 'STRATA_THREADS',
  })
  expect(readBudget({ STRATA_THREADS: '' }, machine)).toEqual({ threads: 8, from: 'processors' })
})

test.each(['0', '-1', '1.5', 'two', '2000'])('STRATA_THREADS=%s is refused', (asked) => {
  expect(() => readBudget({ STRATA_THREADS: asked }, machine)).toThrow('STRATA_THREADS: is not a number of threads')
})

test('a limit holds for this process and those it starts, and a worker gets its own', () => {
  const before = process.env['STRATA_THREADS']
  onTestFinished(() => {
    if (before === undefined) delete process.env['STRATA_THREADS']
    else process.env['STRATA_THREADS'] = before
  })
  limitThreads(3)
  expect([threadBudget(), process.env['STRATA_THREADS']]).toEqual([3, '3'])
  expect(environmentFor(1)['STRATA_THREADS']).toBe('1')
  expect(threadBudget()).toBe(3)
})

test('nothing but the budget counts processors, and what describes the machine', () => {
  const source = join(import.meta.dirname, '..', '..', '..', 'src')
  const counting = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.endsWith('.ts') && /\bavailableParallelism\b|\bcpus\(\)/.test(readFileSync(join(source, path), 'utf8')),
  )
  expect(counting.toSorted()).toEqual(['cli/commands/doctor/checks.ts', 'platform/threads/budget.ts'])
})
