import { describe, expect, test } from 'vitest'
import { type Profile, type LoadedTask, type TaskInfo, textBlocks } from '#task/rows'
import { type Evaluation, evaluateTask } from '#task/protocols'
import type { KMeansProfile } from '#platform/linalg'
import { type DataShape, sampleData } from '../../platform/linalg/sample-data.ts'
import { lookup, taskNamed } from './made-tasks.ts'
import { differences, loadRows, numberedTexts, type PartRows } from './own-rows.ts'
import { goldenOf } from '../../golden-of.ts'

type Part = readonly [split: string, subset: string]
interface Case {
  what: string
  protocol: 'AbsTaskClustering' | 'AbsTaskClusteringLegacy'
  data: Omit<DataShape, 'scale' | 'unit'>
  constant: boolean
  params: Partial<TaskInfo['params']>
  /** Split, subset, first row, number of rows. */
  rows?: [string, string, number, number][]
  sets?: number[]
  labels: unknown[]
  asked: Part[]
}
interface Answer {
  split: string
  subset: string
  scores?: Record<string, unknown>
}

// mteb 2.26.24 under scikit-learn 1.6.1, 1.8.0, 1.9.1: oracles/clustering.py
const golden = goldenOf<{
  cases: Case[]
  versions: Record<string, { answers: Answer[][] }>
}>('task/protocols', 'clustering')
const madeWith: Partial<Record<KMeansProfile, string>> = { A: '1.6.1', A1: '1.8.0', B: '1.9.1' }

function partsOf({ rows, sets = [], labels }: Case): PartRows {
  if (rows === undefined) {
    const lists = sets
      .slice(1)
      .map((end, i) => ({ sentences: numberedTexts(sets[i] ?? 0, end), labels: labels.slice(sets[i], end) }))
    return [{ split: 'test', subset: 'default', rows: lists }]
  }
  return rows.map(([split, subset, first, count]) => ({
    split,
    subset,
    rows: numberedTexts(first, first + count).map((sentences, i) => ({ sentences, labels: labels[first + i] })),
  }))
}

async function load(one: Case, profile: Profile = 'mteb-2'): Promise<LoadedTask> {
  const task = await taskNamed(
    one.protocol === 'AbsTaskClustering' ? 'WikiClusteringP2P.v2' : 'TwentyNewsgroupsClustering',
    one.params,
  )
  const [splits, subsets] = [
    [...new Set(one.asked.map(([split]) => split))],
    [...new Set(one.asked.map(([, subset]) => subset))],
  ]
  return loadRows(task, partsOf(one), { splits, subsets, profile })
}

function embedder({ data, constant }: Pick<Case, 'data' | 'constant'>) {
  const { x } = sampleData({ ...data, scale: 1, unit: true })
  if (constant) for (let i = x.width; i < x.data.length; i++) x.data[i] = x.data[i % x.width] ?? 0
  return lookup({ x })
}

async function score(
  one: Case,
  { profile, ...options }: Parameters<typeof evaluateTask>[2] & { profile?: Profile } = {},
): Promise<Evaluation> {
  return evaluateTask(await load(one, profile), embedder(one), options)
}

const refused = golden.cases.filter(({ constant }) => constant)
const tooSmall = 'a sample smaller than the labels are many'
const scored = golden.cases.flatMap((one, i) =>
  one.constant || one.what === tooSmall ? [] : [{ what: one.what, one, i }],
)

describe.each(Object.entries(madeWith) as [KMeansProfile, string][])(
  'profile %s: mteb under scikit-learn %s',
  (kmeans, version) => {
    test.each(scored)('$what', async ({ one, i }) => {
      const answers = golden.versions[version]?.answers[i] ?? []
      const { scores } = await score(one, { kmeans })
      for (const { split, subset, scores: want = {} } of answers) {
        const got = scores[split]?.find(({ hf_subset: name }) => name === subset)
        // the same clusters give the same counts, whose logarithms are summed in another order
        expect(differences(got, want, 1e-10)).toEqual([])
        expect(Object.keys(got ?? {})).toEqual([...Object.keys(want), 'hf_subset', 'languages'])
      }
    })
  },
)

describe('what is asked of the model', () => {
  test.each(scored)('$what: texts() lists it', async ({ one }) => {
    const loaded = await load(one)
    const asked: string[] = []
    const model = embedder(one)
    await evaluateTask(loaded, {
      ...model,
      embed: (texts, options) => (asked.push(...texts), model.embed(texts, options)),
    }).catch(() => undefined)
    expect(loaded.texts().flatMap(({ texts }) => [...textBlocks(texts)].flat())).toEqual(asked)
  })
})

test.each(refused)('$what ($protocol) is a fault, not a score', async (one) => {
  await expect(score(one)).rejects.toMatchObject({
    code: 'task.value',
    message: expect.stringContaining('the same vector'),
  })
})

test('more labels than documents in a sample are refused, as by scikit-learn', async () => {
  const one = golden.cases.find(({ what }) => what === tooSmall)
  if (one === undefined) throw new Error('the golden file lacks the case')
  await expect(score(one)).rejects.toMatchObject({
    code: 'task.value',
    message: expect.stringContaining('fewer documents than there are labels'),
  })
})

test('1.x has no ami, and its fits draw on from one another', async () => {
  const [one] = golden.cases
  if (one === undefined) throw new Error('the golden file has no cases')
  const [older, newer] = [await score(one, { profile: 'mteb-1' }), await score(one)]
  const [a, b] = [older.scores['test']?.[0], newer.scores['test']?.[0]]
  expect(Object.keys(a ?? {})).toEqual([
    'v_measures',
    'v_measure',
    'v_measure_std',
    'main_score',
    'hf_subset',
    'languages',
  ])
  const level = (entry: typeof a): number[] =>
    (entry?.['v_measures'] as Record<string, number[]> | undefined)?.['Level 0'] ?? []
  expect(level(a)[0]).toBe(level(b)[0])
  expect(level(a)[1]).not.toBe(level(b)[1])
})

test('per-fit scores are items', async () => {
  const [one] = golden.cases
  if (one === undefined) throw new Error('the golden file has no cases')
  const { items } = await score(one)
  expect(items[0]?.columns).toMatchObject({ level: ['Level 0', 'Level 0', 'Level 0'] })
  expect(items[0]?.columns['v_measure']).toHaveLength(3)
})
