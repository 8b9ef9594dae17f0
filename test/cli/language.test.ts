import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { findTasks } from '#task/registry'
import { carriedHub, carriedModel } from '../carried.ts'
import { strata } from './program.ts'

const lines = (stdout: string): string[] => stdout.trim().split('\n')

// mteb 1.39.7 with these five tasks and languages=["en"] writes four results without scores, each in some 5e-06 s
// (specs: mteb.md 5.1)
describe('the language "en"', () => {
  const names = [
    'SICK-R',
    'STSBenchmark',
    'SprintDuplicateQuestions',
    'TwentyNewsgroupsClustering',
    'Banking77Classification',
  ]
  const words = ['card', 'bank', 'guitar', 'man', 'plays', 'lost', 'money', 'arrived', 'dog', 'runs', 'red', 'tree']
  const text = (i: number): string =>
    [i, i * 5 + 1, i * 7 + 2, i * 11 + 3].map((k) => words[k % words.length] ?? '').join(' ')
  const many = Array.from({ length: 24 }, (_, i) => i)
  const rowsOf = (type: string): Record<string, unknown[]> => {
    const pairs = { sentence1: many.map(text), sentence2: many.map((i) => text(i + (i % 3))) }
    switch (type) {
      case 'STS':
        return {
          test: many.map((i) => ({
            sentence1: pairs.sentence1[i],
            sentence2: pairs.sentence2[i],
            score: 5 - (i % 3) - i / 100,
          })),
        }
      case 'PairClassification':
        return {
          test: [{ sent1: pairs.sentence1, sent2: pairs.sentence2, labels: many.map((i) => (i % 3 === 0 ? 1 : 0)) }],
        }
      case 'Clustering':
        return { test: [{ sentences: many.map(text), labels: many.map((i) => `${i % 3}`) }] }
      default:
        return {
          train: many.map((i) => ({ text: text(i), label: i % 2 })),
          test: many.map((i) => ({ text: text(i + 1), label: (i + 1) % 2 })),
        }
    }
  }
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'strata-en-'))
    const hub = join(folder, 'hub')
    await mkdir(hub)
    const model = `models--${carriedModel.replace('/', '--')}`
    await symlink(join(carriedHub['HF_HUB_CACHE'] ?? '', model), join(hub, model))
    for (const { type, dataset } of (await findTasks(names, { runnable: false })).tasks) {
      const snapshot = join(hub, `datasets--${dataset.path.replace('/', '--')}`, 'snapshots', dataset.revision)
      await mkdir(snapshot, { recursive: true })
      for (const [split, rows] of Object.entries(rowsOf(type)))
        await writeFile(join(snapshot, `${split}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const ask = async (
    out: string,
    ...flags: string[]
  ): Promise<{ code: number | null; results: Result[]; stderr: string }> => {
    const { code, stdout, stderr } = await strata(
      [
        'evaluate',
        carriedModel,
        '--tasks',
        names.join(','),
        '--json',
        '--results',
        join(folder, out),
        '--cache-dir',
        join(folder, 'cache'),
        ...flags,
      ],
      { env: { HF_HUB_CACHE: join(folder, 'hub'), HF_HUB_OFFLINE: '1' } },
    )
    return {
      code,
      stderr,
      results: stdout.trim() === '' ? [] : lines(stdout).map((line) => JSON.parse(line) as Result),
    }
  }
  const scoresOf = (results: readonly Result[]): unknown[] =>
    results.map(({ task_name: task, scores, strata: { status } }) => [task, status, scores])

  test('is read as "eng": every task has scores, the same ones', async () => {
    const [short, long] = [await ask('en', '--languages', 'en'), await ask('eng', '--languages', 'eng')]
    expect(short.results.flatMap(({ strata: own }) => own.reason ?? [])).toEqual([])
    expect(short.code).toBe(0)
    expect(short.results.map(({ task_name: task }) => task)).toEqual(names)
    for (const { task_name: task, scores, strata: own, evaluation_time: seconds = 0 } of short.results) {
      expect([task, own.status]).toEqual([task, 'ok'])
      expect(scores?.['test']).toHaveLength(1)
      expect(Number.isFinite(scores?.['test']?.[0]?.main_score)).toBe(true)
      expect(seconds).toBeGreaterThan(1e-4) // the empty ones took 5e-06 s
    }
    expect(scoresOf(short.results)).toEqual(scoresOf(long.results))
  })
  test('as a subset that none of the tasks has stops before any work, and nothing is written', async () => {
    const { code, results } = await ask('subset', '--subsets', 'en')
    expect([code, results.length > 0 && 'strata' in (results[0] ?? {})]).toEqual([2, false])
    await expect(readdir(join(folder, 'subset'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
  test('that no task speaks stops before any work', async () => {
    const { code, results } = await ask('none', '--languages', 'qqq')
    expect([code, results.length > 0 && 'strata' in (results[0] ?? {})]).toEqual([2, false])
  })
})
