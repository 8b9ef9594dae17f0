import { describe, expect, test } from 'vitest'
import { evaluateTask } from '#task/protocols'
import { loaded, taskNamed } from './made-tasks.ts'
import { differences, goldenCases, recorded, type GoldenCase } from './recorded-vectors.ts'

interface Case extends GoldenCase {
  labels: number[]
  asked: (string | null)[]
  scores: Record<string, number>
}

const language = { languages: ['eng-Latn'], split: 'test', subset: 'default' }

async function scoresOf({ task: name, labels, vectors, similarity }: Case, profile: 'mteb-1' | 'mteb-2' = 'mteb-2') {
  const task = await taskNamed(name)
  const { input1_prompt_type: promptType1, input2_prompt_type: promptType2 } = task.params
  const part = {
    ...language,
    sentence1: labels.map((_, i) => `a${i}`),
    sentence2: labels.map((_, i) => `b${i}`),
    labels,
    ...(promptType1 ? { promptType1 } : {}),
    ...(promptType2 ? { promptType2 } : {}),
  }
  const embedder = recorded(vectors)
  const evaluation = await evaluateTask(
    loaded(task, { protocol: 'AbsTaskPairClassification', parts: [part] }, { profile }),
    embedder,
    { similarity },
  )
  return { asked: embedder.asked, scores: evaluation.scores['test']?.[0] ?? {} }
}

describe('pairs as mteb 2.26.24 scores them', () => {
  test.each(goldenCases<Case>('pair-classification'))('$what', async (given) => {
    const { scores, asked } = await scoresOf(given)
    // scores are ratios of counts, equal unless float32 sums in another order change a ranking
    expect(differences(scores, given.scores, 1e-9)).toEqual([])
    expect([...new Set(asked)].map((side) => side ?? null)).toEqual([...new Set(given.asked)])
  })
})

describe('pairs that say nothing', () => {
  const [given] = goldenCases<Case>('pair-classification')
  if (given === undefined) throw new Error('no case')
  const every = (vector: number[]) => Object.fromEntries(Object.keys(given.vectors).map((text) => [text, vector]))

  test.each<[string, number[]]>([
    ['the same vector for every text', [1, 2, 3]],
    ['zero vectors', [0, 0, 0]],
    ['dot products that overflow', [3e38, 3e38, 1]],
    ['vectors that are not finite', [NaN, 0, 1]],
  ])('fail: %s', async (_, vector) => {
    await expect(scoresOf({ ...given, vectors: every(vector) })).rejects.toMatchObject({ code: 'task.value' })
  })
})
