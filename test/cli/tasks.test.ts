import { describe, expect, test } from 'vitest'
import { findTasks } from '#task/registry'
import { carriedHub, carriedModel } from '../carried.ts'
import { strata } from './program.ts'

const lines = (stdout: string): string[] => stdout.trim().split('\n')

describe('strata tasks', () => {
  test('counts what can be run in one number', async () => {
    const { code, stdout } = await strata(['tasks', '--runnable', '--count'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d+\n$/)
    expect(Number(stdout)).toBe((await findTasks(['*'])).tasks.length)
  })
  test('shows one with everything about it', async () => {
    const { stdout } = await strata(['tasks', 'stsbenchmark'])
    for (const words of [
      'mteb/stsbenchmark-sts @ b0fddb56',
      'split       test: 2,593 texts',
      'default: eng-Latn',
      'cosine_spearman',
      'MTEB(eng, v2)',
    ])
      expect(stdout).toContain(words)
    const [document] = lines((await strata(['tasks', 'STS17', '--json'])).stdout).map(
      (line) => JSON.parse(line) as Record<string, unknown>,
    )
    expect(document).toMatchObject({
      name: 'STS17',
      runnable: true,
      sizes: { test: { texts: 9370 } },
      benchmarks: expect.arrayContaining(['MTEB(eng, v1)']) as string[],
    })
  })
  test('filters combine', async () => {
    const { stdout } = await strata(['tasks', 'STS*', '--benchmark', 'MTEB(eng, v2)', '--languages', 'eng', '--count'])
    expect(stdout).toBe('7\n')
    const both = await strata([
      'tasks',
      '--benchmark',
      'MTEB(deu, v1)',
      '--benchmark',
      'MTEB(fra, v1)',
      '--types',
      'sts',
      '--json',
    ])
    expect(lines(both.stdout).every((line) => (JSON.parse(line) as { type: string }).type === 'STS')).toBe(true)
  })
  test('counts the rows of a list that the package carries', async () => {
    const { stdout } = await strata(['tasks', 'ContrastSemantic'])
    for (const words of [
      'test: 42 anchors, 126 negatives, carried by the package',
      'licence     apache-2.0',
      'default: eng-Latn',
      'auc_centered',
    ])
      expect(stdout).toContain(words)
    const [document] = lines((await strata(['tasks', 'ContrastSemantic', '--json'])).stdout)
    expect(JSON.parse(document ?? '')).toMatchObject({ counts: { anchors: 42, negatives: 126 } })
  })
  test('lists benchmarks with how much of them can be run', async () => {
    const { stdout } = await strata(['tasks', '--benchmarks'])
    expect(lines(stdout)).toHaveLength(63)
    expect(stdout).toMatch(/MTEB\(eng, v2\) +41 +\d+ +MTEB\(eng\)/)
  })
  test.each([
    { args: ['tasks', '--benchmark', 'MTEB(eng, v3)'], words: 'did you mean "MTEB(eng, v2)"?' },
    { args: ['tasks', '--domains', 'Cooking'], words: 'no task is of this domain' },
    { args: ['tasks', '--types', 'STSS'], words: 'did you mean STS?' },
    { args: ['tasks', '--languages', 'english'], words: 'ISO 639-3' },
    { args: ['tasks', '--runnable', '--unsupported'], words: 'give one of' },
  ])('$args.1 $args.2 is refused: exit 2', async ({ args, words }) => {
    const { code, stderr } = await strata(args)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })
})

describe('a benchmark without any of its data', () => {
  test('has a plan with sizes, cost, prompts and what cannot be run', async () => {
    const { code, stdout } = await strata(['evaluate', carriedModel, '--benchmark', 'MTEB(eng, v2)', '--dry-run'], {
      env: carriedHub,
    })
    expect(code).toBe(0)
    expect(stdout).toContain('41 tasks × 1 representation')
    expect(stdout).toMatch(/run +ArguAna: 9,924 texts, 9,924 to encode, about [\d,]+ tokens \(counted by mteb\)/)
    expect(stdout).toMatch(/prompt +none before any text/)
    const plan = JSON.parse(
      (
        await strata(['evaluate', carriedModel, '--benchmark', 'MTEB(eng, v2)', '--dry-run', '--json'], {
          env: carriedHub,
        })
      ).stdout,
    ) as {
      entries: { task: string; state: string; reason: string }[]
      prompts: { task: string; side: string | null; prompt: string | null }[]
    }
    expect(new Set(plan.entries.map(({ task }) => task)).size).toBe(41)
    expect(plan.entries.every(({ state, reason }) => state !== 'skipped' || reason.length > 0)).toBe(true)
    expect(plan.prompts.find(({ task, side }) => task === 'ArguAna' && side === 'query')?.prompt).toBeNull()
  })
  test('shows the prompt that is asked for, and where it comes from', async () => {
    const { stdout } = await strata(
      ['evaluate', carriedModel, '--tasks', 'SciFact', '--prompt', 'find: ', '--dry-run'],
      { env: carriedHub },
    )
    expect(stdout).toContain('prompt      queries: "find: " (--prompt) – SciFact')
  })
})
