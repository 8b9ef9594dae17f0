import { describe, expect, test } from 'vitest'
import { type Profile, type LoadedTask, type TaskInfo, textBlocks } from '#task/rows'
import { randomState } from '#platform/random'
import { type Evaluation, evaluateTask } from '#task/protocols'
import { type DataShape, sampleData } from '../../platform/linalg/sample-data.ts'
import { lookup, taskNamed } from './made-tasks.ts'
import { differences, loadRows, numberedTexts, type PartRows } from './own-rows.ts'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  what: string
  data: Omit<DataShape, 'scale' | 'unit'>
  /** Vectors begin anew after so many rows; 0: never. */
  repeat: number
  constant: boolean
  params: Partial<TaskInfo['params']>
  /** Split, subset, first row, number of rows. */
  rows: [string, string, number, number][]
  labels: (string | number)[][]
  asked: [split: string, subset: string][]
}
type Answer = { split: string; subset: string; scores?: Record<string, unknown>; error?: string }[]

// mteb 2.26.24, scikit-learn 1.8.0: oracles/multilabel.py
const golden = goldenOf<{
  cases: (Case | OlderCut)[]
  versions: Record<string, { answers: Answer[] }>
}>('task/protocols', 'multilabel')
const answers = golden.versions['1.8.0']?.answers ?? []

const partsOf = ({ rows, labels }: Case): PartRows =>
  rows.map(([split, subset, first, count]) => ({
    split,
    subset,
    rows: numberedTexts(first, first + count).map((text, i) => ({ text, label: labels[first + i] })),
  }))

async function load(one: Case, profile: Profile = 'mteb-2'): Promise<LoadedTask> {
  const [splits, subsets] = [
    [...new Set(one.asked.map(([split]) => split))],
    [...new Set(one.asked.map(([, subset]) => subset))],
  ]
  return loadRows(await taskNamed('EmotionAnalysisPlus.v2', one.params), partsOf(one), { splits, subsets, profile })
}

function embedder({ data, repeat, constant }: Case) {
  const { x } = sampleData({ ...data, scale: 1, unit: true })
  const period = (constant ? 1 : repeat || x.rows) * x.width
  for (let i = period; i < x.data.length; i++) x.data[i] = x.data[i - period] ?? 0
  return lookup({ x })
}

const score = async (one: Case, profile: Profile = 'mteb-2'): Promise<Evaluation> =>
  evaluateTask(await load(one, profile), embedder(one))

interface OlderCut {
  what: 'older cut'
  n: number
  seed: number
  K: number
  labels: number[][]
  kept: number[]
}
const cases = golden.cases.filter((one): one is Case => one.what !== 'older cut')
const older = golden.cases.find((one): one is OlderCut => one.what === 'older cut')

const scored = cases.flatMap((one, i) =>
  one.constant || answers[i]?.some(({ error }) => error !== undefined)
    ? []
    : [{ what: one.what, one, answer: answers[i] ?? [] }],
)
const named = (what: string): Case => {
  const one = cases.find((own) => own.what === what)
  if (one === undefined) throw new Error(`the golden file lacks ${what}`)
  return one
}

describe('multilabel classification as mteb scores it', () => {
  test('the golden file has the cases', () => expect(scored).toHaveLength(9))

  test.each(scored)('$what', async ({ one, answer }) => {
    const { scores, items } = await score(one)
    for (const { split, subset, scores: want = {} } of answer) {
      const got = scores[split]?.find(({ hf_subset: name }) => name === subset)
      // counts are the same; their means are summed in another order
      expect(differences(got, want, 1e-12)).toEqual([])
      expect(Object.keys(got ?? {})).toEqual([...Object.keys(want), 'hf_subset', 'languages'])
      const own = items.find((item) => item.split === split && item.subset === subset)
      const correct = Array.from(own?.columns['correct'] as Float64Array)
      expect(correct.reduce((sum, share) => sum + share, 0) / correct.length).toBeCloseTo(
        want['accuracy'] as number,
        12,
      )
    }
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

  test.each([
    // mteb: y_true and y_score have different shape
    ['one label', 'task.label'],
    // mteb: Expected n_neighbors <= n_samples_fit
    ['fewer training texts than neighbours', 'task.value'],
    ['the same vector for all', 'task.value'],
  ])('%s is a fault', async (what, code) => {
    await expect(score(named(what))).rejects.toMatchObject({ code })
  })

  test('rows without a list of labels are refused by number', async () => {
    const rows = [
      { text: 'x0', label: [1] },
      { text: 'x1', label: 2 },
    ]
    const parts = ['train', 'test'].map((split) => ({ split, subset: 'a', rows }))
    await expect(
      loadRows(await taskNamed('EmotionAnalysisPlus.v2'), parts, { splits: ['test'] }),
    ).rejects.toMatchObject({
      code: expect.stringMatching(/^(task|table)\./),
    })
  })
})

describe('multilabel classification as 1.x scores it', () => {
  test('no hamming, the list of experiments last, other samples', async () => {
    const one = named('numbers as labels')
    const [older, newer] = [await score(one, 'mteb-1'), await score(one)]
    const [a, b] = [older.scores['test']?.[0], newer.scores['test']?.[0]]
    expect(Object.keys(a ?? {})).toEqual([
      'accuracy',
      'f1',
      'lrap',
      'scores_per_experiment',
      'main_score',
      'hf_subset',
      'languages',
    ])
    expect(a?.['lrap']).not.toBe(b?.['lrap'])
  })

  test('rows beyond 2000 are left out with the shares of the label sets, by the generator that shuffled the samples', async () => {
    if (older === undefined) throw new Error('the golden file lacks the cut')
    const { n, seed, K, labels, kept } = older
    const drawn = randomState(seed).randint(0, K, 2 * n)
    const sets = Array.from({ length: n }, (_, i) => {
      const [a = 0, b = 0] = drawn.slice(2 * i, 2 * i + 2)
      return [...new Set([a, (a * b) % K])].sort((x, y) => x - y)
    })
    expect(sets.filter((_, i) => i % 100 === 0)).toEqual(labels)
    const rows = sets.map((label, i) => ({ text: `x${i}`, label }))
    const parts = [
      { split: 'train', subset: 'a', rows: rows.slice(0, 30) },
      { split: 'test', subset: 'a', rows },
    ]
    const loaded = await loadRows(await taskNamed('EmotionAnalysisPlus.v2'), parts, {
      splits: ['test'],
      profile: 'mteb-1',
    })
    const [, test] = loaded.texts().map(({ texts }) => [...textBlocks(texts)].flat())
    expect(test).toHaveLength(2000)
    expect(test?.filter((_, i) => i % 50 === 0)).toEqual(kept.map((row) => `x${row}`))
  })
})
