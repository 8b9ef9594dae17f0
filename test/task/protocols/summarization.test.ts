import { describe, expect, test } from 'vitest'
import { evaluateTask } from '#task/protocols'
import { loaded, taskNamed } from './made-tasks.ts'
import { differences, goldenCases, recorded, type GoldenCase } from './recorded-vectors.ts'

interface Case extends GoldenCase {
  human: string[][]
  machine: string[][]
  relevance: number[][]
  scores: Record<string, number | null>
}

const cases = goldenCases<Case>('summarization')

async function evaluation({ task: name, similarity, vectors, human, machine, relevance }: Case) {
  const part = {
    languages: ['eng-Latn'],
    split: 'test',
    subset: 'default',
    texts: human.map((_, i) => `t${i}`),
    human,
    machine,
    relevance,
  }
  return evaluateTask(
    loaded(await taskNamed(name), { protocol: 'AbsTaskSummarization', parts: [part] }),
    recorded(vectors),
    { similarity },
  )
}

describe('summaries as mteb 2.26.24 scores them', () => {
  test.each(cases)('$what', async (given) => {
    const { scores, items } = await evaluation(given)
    // the correlations are of float32 similarities, whose last place depends on the order of summation
    expect(differences(scores['test']?.[0], given.scores, 1e-6)).toEqual([])
    // a text with equal ratings and one with equal summaries are left out
    expect(items[0]?.columns['text']?.length).toBe(given.human.length - 2)
  })

  test('a part without any text that can be scored fails', async () => {
    const [given] = cases
    if (given === undefined) throw new Error('no case')
    await expect(
      evaluation({ ...given, relevance: given.relevance.map((ratings) => ratings.map(() => 1)) }),
    ).rejects.toMatchObject({ code: 'task.value' })
  })
})
