import { describe, expect, test } from 'vitest'
import { matrix, type Matrix } from '#core'
import { randomState } from '#platform/random'
import { evaluateTask, taskScore } from '#task/protocols'
import { undersample } from '#task/rows'
import { loaded, lookup, names, taskNamed } from './made-tasks.ts'

const place = { split: 'test', subset: 'default', languages: ['eng-Latn'] }
const random = (rows: number, width: number, seed: number): Matrix =>
  matrix(rows, width, Float32Array.from(randomState(seed).randomSample(rows * width)))

function pairs(subset: string, gold = [1, 2, 3, 4]) {
  return { ...place, subset, sentence1: names('a', 4), sentence2: names('b', 4), score: gold }
}

describe('evaluateTask', () => {
  test('writes every subset under its split, and their mean is the task score', async () => {
    const task = loaded(await taskNamed('STS17'), {
      protocol: 'AbsTaskSTS',
      parts: [pairs('en-en'), pairs('es-es', [4, 3, 2, 1])],
    })
    const { scores, mainScore, items, failed } = await evaluateTask(
      task,
      lookup({ a: random(4, 3, 1), b: random(4, 3, 2) }),
    )
    expect(scores['test']?.map(({ hf_subset: subset, languages }) => [subset, languages])).toEqual([
      ['en-en', ['eng-Latn']],
      ['es-es', ['eng-Latn']],
    ])
    expect(mainScore).toBeCloseTo(0, 12)
    expect(taskScore(scores)).toBe(mainScore)
    expect(items.map(({ subset }) => subset)).toEqual(['en-en', 'es-es'])
    expect(failed).toEqual([])
  })

  test('a part without a score is named with its reason, and the task then has no main score', async () => {
    const missing = [{ ...place, subset: 'ko-ko', code: 'task.subset' as const, reason: 'no config ko-ko' }]
    const task = loaded(
      await taskNamed('STS17'),
      { protocol: 'AbsTaskSTS', parts: [pairs('en-en'), pairs('es-es', [2, 2, 2, 2])] },
      { missing },
    )
    const { scores, mainScore, failed } = await evaluateTask(task, lookup({ a: random(4, 3, 1), b: random(4, 3, 2) }))
    expect(scores['test']).toHaveLength(1)
    expect(mainScore).toBeNull()
    expect(failed.map(({ subset, code }) => [subset, code])).toEqual([
      ['ko-ko', 'task.subset'],
      ['es-es', 'task.value'],
    ])
    expect(failed[1]?.reason).toContain('STS17 › es-es › test: every pair has the same gold score – 2')
  })

  test('vectors that are all alike fail the task', async () => {
    const task = loaded(await taskNamed('STSBenchmark'), { protocol: 'AbsTaskSTS', parts: [pairs('default')] })
    const same = matrix(4, 2, new Float32Array(8).fill(1))
    await expect(evaluateTask(task, lookup({ a: same, b: same }))).rejects.toMatchObject({ code: 'task.value' })
  })

  test('a vector that is not finite fails the task and names the text, wherever the number stands', async () => {
    const part = { ...place, sentence1: names('a', 5), sentence2: names('b', 5), score: [1, 2, 3, 4, 5] }
    const task = loaded(await taskNamed('STSBenchmark'), { protocol: 'AbsTaskSTS', parts: [part] })
    const width = 3
    for (let at = 0; at < 5 * width; at++)
      for (const bad of [NaN, -Infinity]) {
        const b = random(5, width, 1)
        b.data[at] = bad
        await expect(evaluateTask(task, lookup({ a: random(5, width, 2), b }))).rejects.toMatchObject({
          code: 'task.value',
          message: expect.stringContaining(`b${Math.floor(at / width)}`) as string,
        })
      }
  })

  test('a part is scored with an embedder that was calibrated on its texts, all of them and no others', async () => {
    const parts = [pairs('en-en'), pairs('es-es')]
    const task = loaded(await taskNamed('STS17'), { protocol: 'AbsTaskSTS', parts })
    const seen: string[][] = []
    const own = { ...task, texts: (part) => (part === undefined ? [] : [{ texts: [part.subset] }]) } as typeof task
    const plain = lookup({ a: random(4, 3, 1), b: random(4, 3, 2) })
    const { failed } = await evaluateTask(own, {
      ...plain,
      embed: () => Promise.reject(new Error('not calibrated')),
      calibrate(groups) {
        seen.push([...groups].flatMap(({ texts }) => texts))
        return Promise.resolve(plain)
      },
    })
    expect(failed).toEqual([])
    expect(seen).toEqual([['en-en'], ['es-es']])
  })

  test('an embedder that loses a row is refused', async () => {
    const task = loaded(await taskNamed('STSBenchmark'), { protocol: 'AbsTaskSTS', parts: [pairs('default')] })
    await expect(
      evaluateTask(task, { representation: 'default', width: 2, embed: () => Promise.resolve(random(7, 2, 1)) }),
    ).rejects.toMatchObject({
      code: 'internal',
    })
  })

  test('a cancelled run throws instead of failing parts', async () => {
    const task = loaded(await taskNamed('STS17'), { protocol: 'AbsTaskSTS', parts: [pairs('en-en'), pairs('es-es')] })
    await expect(
      evaluateTask(task, lookup({ a: random(4, 3, 1), b: random(4, 3, 2) }), { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      code: 'run.cancelled',
    })
  })

  test('mteb-1 leaves out what 1.39.7 does not write', async () => {
    const labels = ['a', 'b', 'a', 'b', 'a', 'b']
    const texts = { texts: names('x', 6), labels }
    const part = {
      ...place,
      train: texts,
      test: texts,
      experiments: undersample(labels, { perLabel: 2, experiments: 2 }),
    }
    const task = loaded(await taskNamed('Banking77Classification'), {
      protocol: 'AbsTaskClassification',
      parts: [part],
    })
    const embedder = lookup({ x: random(6, 4, 1) })
    const keys = async (profile: 'mteb-1' | 'mteb-2') =>
      Object.keys((await evaluateTask({ ...task, profile }, embedder)).scores['test']?.[0] ?? {})
    expect(await keys('mteb-1')).toEqual([
      'accuracy',
      'f1',
      'f1_weighted',
      'ap',
      'ap_weighted',
      'scores_per_experiment',
      'main_score',
      'hf_subset',
      'languages',
    ])
    expect(await keys('mteb-2')).toContain('recall_weighted')

    const passages = { ids: ['1', '2'], texts: names('x', 2) }
    const retrieval = loaded(await taskNamed('SciFact'), {
      protocol: 'AbsTaskRetrieval',
      parts: [{ ...place, corpus: passages, queries: passages, qrels: new Map([['1', new Map([['1', 1]])]]) }],
    })
    const older = Object.keys(
      (await evaluateTask({ ...retrieval, profile: 'mteb-1' }, embedder)).scores['test']?.[0] ?? {},
    )
    expect(older.filter((key) => key === 'accuracy' || key.startsWith('hit_rate'))).toEqual([])
  })

  test('a candidate that is not in the corpus is refused', async () => {
    const passages = { ids: ['1', '2'], texts: names('x', 2) }
    const part = {
      ...place,
      corpus: passages,
      queries: passages,
      qrels: new Map([['1', new Map([['1', 1]])]]),
      candidates: new Map([['1', ['9']]]),
    }
    const task = loaded(await taskNamed('SciFact'), { protocol: 'AbsTaskRetrieval', parts: [part] })
    await expect(evaluateTask(task, lookup({ x: random(2, 3, 1) }))).rejects.toMatchObject({ code: 'task.value' })
  })
})
