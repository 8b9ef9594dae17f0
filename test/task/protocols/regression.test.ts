import { describe, expect, test } from 'vitest'
import { type Profile, type LoadedTask, type TaskInfo, textBlocks } from '#task/rows'
import { randomState } from '#platform/random'
import { type Evaluation, evaluateTask } from '#task/protocols'
import { kendall } from '#platform/linalg'
import { type DataShape, sampleData } from '../../platform/linalg/sample-data.ts'
import { lookup, taskNamed } from './made-tasks.ts'
import { differences, loadRows, numberedTexts } from './own-rows.ts'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  what: string
  data: Omit<DataShape, 'scale' | 'unit'>
  /** Columns repeat after so many; null: none does. */
  rank: number | null
  constant: boolean
  params: Partial<TaskInfo['params']>
  train: number
  values: number[]
}
interface Ranks {
  what: 'kendall'
  ranks: { n: number; low: number; high: number; tau: number | null }[]
}
type Answer = { scores?: Record<string, unknown> & { scores_per_experiment: Record<string, number>[] } }[]

// mteb 2.26.24, scikit-learn 1.8.0, scipy 1.17.1: oracles/regression.py
const golden = goldenOf<{
  cases: (Case | Ranks)[]
  versions: Record<string, { answers: Answer[] }>
}>('task/protocols', 'regression')
const cases = golden.cases.filter((one): one is Case => one.what !== 'kendall')
const undefinedOnes = ['the same vector for all', 'the same value for all']
const scored = cases.flatMap((one, i) => {
  const want = golden.versions['1.8.0']?.answers[i]?.[0]?.scores
  return want === undefined || undefinedOnes.includes(one.what) ? [] : [{ what: one.what, one, want }]
})

async function load({ values, train, params }: Case, profile: Profile = 'mteb-2'): Promise<LoadedTask> {
  const rows = (from: number, to: number) =>
    numberedTexts(from, to).map((text, i) => ({ text, value: values[from + i] }))
  const parts = [
    { split: 'train', subset: 'a', rows: rows(0, train) },
    { split: 'test', subset: 'a', rows: rows(train, values.length) },
  ]
  return loadRows(await taskNamed('RuSciBenchYearPublRegression', params), parts, { splits: ['test'], profile })
}

function embedder({ data, rank, constant }: Case) {
  const { x } = sampleData({ ...data, scale: 1, unit: true })
  if (rank !== null) for (let i = 0; i < x.data.length; i++) if (i % x.width >= rank) x.data[i] = x.data[i - rank] ?? 0
  if (constant) for (let i = x.width; i < x.data.length; i++) x.data[i] = x.data[i % x.width] ?? 0
  return lookup({ x })
}

const score = async (one: Case, profile: Profile = 'mteb-2'): Promise<Evaluation> =>
  evaluateTask(await load(one, profile), embedder(one))

describe('regression as mteb scores it', () => {
  test('the golden file has the cases', () => expect(scored).toHaveLength(7))

  test.each(scored)('$what', async ({ one, want }) => {
    const { scores } = await score(one)
    const [got] = scores['test'] ?? []
    expect(Object.keys(got ?? {})).toEqual([...Object.keys(want), 'hf_subset', 'languages'])
    const own = got?.['scores_per_experiment'] as Record<string, number>[]
    expect(own).toHaveLength(want.scores_per_experiment.length)
    want.scores_per_experiment.forEach((experiment, i) => {
      expect(Object.keys(own[i] ?? {})).toEqual(Object.keys(experiment))
      for (const [name, value] of Object.entries(experiment)) {
        // scikit-learn solves and measures in float32: errors of 1e-6, and as many pairs of predictions may change
        // places as lie that near
        expect(Math.abs((own[i]?.[name] ?? NaN) - value), `${name} of experiment ${i}`).toBeLessThan(
          2e-5 * Math.max(1, Math.abs(value)),
        )
      }
    })
    const { scores_per_experiment: _, ...means } = want
    expect(differences(got, { kendalltau: means['kendalltau'], main_score: means['main_score'] }, 2e-5)).toEqual([])
  })

  test.each(scored)('$what: texts() lists what is asked', async ({ one }) => {
    const loaded = await load(one)
    const asked: string[] = []
    const model = embedder(one)
    await evaluateTask(loaded, {
      ...model,
      embed: (texts, options) => (asked.push(...texts), model.embed(texts, options)),
    })
    expect(loaded.texts().flatMap(({ texts }) => [...textBlocks(texts)].flat())).toEqual(asked)
  })

  test.each(undefinedOnes)('%s is a fault: its rank correlation is not defined', async (what) => {
    const one = cases.find((own) => own.what === what)
    if (one === undefined) throw new Error('the golden file lacks the case')
    await expect(score(one)).rejects.toMatchObject({ code: 'task.value', message: expect.stringContaining('the same') })
  })

  test('1.x names the same errors in another order', async () => {
    const [first] = scored
    if (first === undefined) throw new Error('the golden file has no cases')
    const [a, b] = [await score(first.one, 'mteb-1'), await score(first.one)].map(({ scores }) => scores['test']?.[0])
    expect(Object.keys(a ?? {})).toEqual([
      'mae',
      'mse',
      'rmse',
      'r2',
      'kendalltau',
      'scores_per_experiment',
      'main_score',
      'hf_subset',
      'languages',
    ])
    expect(a?.['kendalltau']).toBe(b?.['kendalltau'])
  })
})

test("Kendall's correlation as scipy's", () => {
  const ranks = golden.cases.find((one): one is Ranks => one.what === 'kendall')?.ranks ?? []
  const draws = randomState(3)
  expect(ranks).toHaveLength(5)
  for (const { n, low, high, tau } of ranks) {
    const [a, b] = [draws.randint(low, high, n), draws.randint(low, high, n)]
    const got = kendall(a, b)
    expect(Number.isNaN(got) ? null : got).toBe(tau)
  }
})
