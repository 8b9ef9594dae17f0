import { describe, expect, test } from 'vitest'
import { type Evaluation, evaluateTask } from '#task/protocols'
import { type LoadedTask, type TaskInfo, textBlocks } from '#task/rows'
import { type DataShape, sampleData } from '../../platform/linalg/sample-data.ts'
import { lookup, taskNamed } from './made-tasks.ts'
import { differences, loadRows, numberedTexts } from './own-rows.ts'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  what: string
  data: Omit<DataShape, 'scale' | 'unit'>
  labels: (string | number)[]
  params: Partial<TaskInfo['params']>
}
type Answer = { scores: Record<string, unknown> }[]

// mteb 2.26.24, scikit-learn 1.8.0: oracles/cross_validation.py
const golden = goldenOf<{
  cases: Case[]
  versions: Record<string, { answers: Answer[] }>
}>('task/protocols', 'cross-validation')
const cases = golden.cases.map((one, i) => ({ ...one, want: golden.versions['1.8.0']?.answers[i]?.[0]?.scores ?? {} }))

async function load({ labels, params }: Pick<Case, 'labels' | 'params'>, split = 'evaluation'): Promise<LoadedTask> {
  const texts = numberedTexts(0, labels.length)
  const rows = texts.map((text, i) => ({ text, label: labels[i] }))
  const parts = ['evaluation', 'other'].map((name) => ({ split: name, subset: 'a', rows }))
  return loadRows(await taskNamed('SciRepEvalBiomimicryClassification', params), parts, { splits: [split] })
}

const embedder = ({ data }: Case) => lookup({ x: sampleData({ ...data, scale: 1, unit: true }).x })
const score = async (one: Case): Promise<Evaluation> => evaluateTask(await load(one), embedder(one))

describe('cross-validated classification as mteb scores it', () => {
  test('the golden file has the cases', () => expect(cases).toHaveLength(4))

  test.each(cases)('$what', async ({ want, ...one }) => {
    const { scores, items } = await score(one)
    // every prediction is the same; means are summed in another order
    expect(differences(scores['evaluation']?.[0], want, 1e-12)).toEqual([])
    const correct = Array.from(items[0]?.columns['correct'] as Float64Array)
    expect(new Set(correct)).toEqual(new Set([0, 1]))
    expect(correct).toHaveLength(one.labels.length)
  })

  test.each(cases)('$what: texts() lists what is asked', async (one) => {
    const loaded = await load(one)
    const asked: string[] = []
    const model = embedder(one)
    await evaluateTask(loaded, {
      ...model,
      embed: (texts, options) => (asked.push(...texts), model.embed(texts, options)),
    })
    expect(loaded.texts().flatMap(({ texts }) => [...textBlocks(texts)].flat())).toEqual(asked)
  })

  test('another split than the one that is cut is refused, and so are fewer rows than folds', async () => {
    await expect(load({ labels: [0, 1, 0, 1, 1], params: {} }, 'other')).rejects.toMatchObject({ code: 'task.split' })
    await expect(load({ labels: [0, 1, 0, 1], params: {} })).rejects.toMatchObject({ code: 'task.empty' })
  })
})
