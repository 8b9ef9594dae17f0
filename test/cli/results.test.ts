import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { writeResult } from '#result/ledger'
import { scratchFolder } from '../scratch.ts'
import { strata } from './program.ts'
import { goldenOf } from '../golden-of.ts'

const results = goldenOf<Result[]>('result/ledger', 'ledger')
const { path } = scratchFolder()
const root = path('results')
const run = (...args: string[]) => strata(['results', ...args, '--results', root])
const documents = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

beforeAll(async () => {
  for (const result of results) await writeResult(root, result)
  // the same scores as the published model of that revision has, and one that is off
  for (const [task, score, subset] of [
    ['STS17', 0.875878, 'en-en'],
    ['STSBenchmark', 0.8103, 'default'],
  ] as const) {
    const [first] = results
    if (first === undefined) throw new Error('no result')
    const strata = { ...first.strata, model: 'sentence-transformers/all-MiniLM-L6-v2' }
    await writeResult(root, {
      ...first,
      task_name: task,
      scores: { test: [{ main_score: score, hf_subset: subset, languages: ['eng-Latn'] }] },
      strata,
    })
  }
})

describe('strata results', () => {
  test('lists what is there, failures too, and filters', async () => {
    expect(documents((await run('list', '--json')).stdout)).toHaveLength(8)
    const { code, stdout } = await run('list', 'STS*', '--models', 'org/encoder')
    expect(code).toBe(0)
    expect(stdout).toMatch(/org\/encoder +8b3219a92973 +default +STS17 +53\.14 +3 +strata 0\.1\.0, mteb-2/)
    expect(stdout).toMatch(/h3 +STS12 +task\.value/)
    expect(stdout).not.toContain('EmotionClassification')
  })
  test('shows every number of a result', async () => {
    const { stdout } = await run('show', 'STS17', '--models', 'org/encoder', '--representation', 'default')
    for (const words of ['test · en-ar (eng-Latn, ara-Arab)', 'cosine_spearman', '-0.042762'])
      expect(stdout).toContain(words)
  })
  test('averages a benchmark over what all have, and withholds its mean', async () => {
    const { stdout } = await run(
      'list',
      '--benchmark',
      'MTEB(eng, v2)',
      '--status',
      'ok',
      '--representation',
      'default',
    )
    expect(stdout).toMatch(/over 1 of 41 tasks that all completed; the benchmark’s means are withheld/)
    expect(stdout).toMatch(/missing {2}STSBenchmark \(org\/encoder default\): no result/)
    const last = documents((await run('list', '--benchmark', 'MTEB(eng, v2)', '--status', 'ok', '--json')).stdout).at(
      -1,
    )
    expect(last).toMatchObject({ benchmarks: [{ name: 'MTEB(eng, v2)', total: 41, complete: false }] })
  })
  test('stands beside published scores, with the difference', async () => {
    const { stdout } = await run(
      'list',
      '--against',
      'published',
      '--json',
      '--models',
      'sentence-transformers/all-MiniLM-L6-v2',
    )
    const compared = documents(stdout).at(-1) as {
      comparisons: { task: string; difference: number; parts: number; against: string }[]
    }
    expect(compared.comparisons.map(({ task, parts }) => [task, parts])).toEqual([
      ['STS17', 1],
      ['STSBenchmark', 1],
    ])
    expect(compared.comparisons[0]?.difference).toBeCloseTo(0, 6)
    expect(compared.comparisons[1]?.difference).toBeCloseTo(0.8103 - 0.820325, 6)
    expect(compared.comparisons[0]?.against).toContain('embeddings-benchmark/results')
  })
  test('imports a folder, and says what was there already', async () => {
    const into = path('imported')
    const once = await strata(['results', 'import', root, '--results', into])
    // finished results only: the two failures stay where they are
    expect(once.stdout).toMatch(/6 imported, 0 there already, 0 failed/)
    expect(once.code).toBe(0)
    expect((await strata(['results', 'import', root, '--results', into])).stdout).toMatch(
      /0 imported, 6 there already, 0 failed/,
    )
  })
  test.each([
    { args: ['lst'], words: 'did you mean list?' },
    { args: ['show'], words: 'no tasks are given' },
    { args: ['import', root, '--models', 'org/one,org/two'], words: 'belong to one model' },
    { args: ['import', root, '--models', 'org/one'], words: 'every result names its own model' },
    { args: ['list', '--against', 'published:org/nobody'], words: 'known: ' },
    { args: ['list', '--against', 'org/nobody'], words: 'there are results of' },
  ])('$args is refused: exit 2', async ({ args, words }) => {
    const { code, stderr } = await run(...args)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })
})

test('strata verify says which results are what was published, and exits 1 when one is not', async () => {
  const both = await strata(['verify', 'sentence-transformers/all-MiniLM-L6-v2', '--results', root])
  expect(both.stdout).toContain('differs  sentence-transformers/all-MiniLM-L6-v2 STSBenchmark')
  expect(both.stdout).toContain('1 of 2 agree')
  expect(both.code).toBe(1)
  const one = await strata(['verify', 'sentence-transformers/all-MiniLM-L6-v2', '--tasks', 'STS17', '--results', root])
  expect([one.code, one.stdout.includes('1 of 1 agree')]).toEqual([0, true])
})
