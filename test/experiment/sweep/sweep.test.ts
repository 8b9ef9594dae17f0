import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault, type Result } from '#core'
import { encode, evaluate, layerVectors, planSweep, runSweep } from '#experiment/sweep'
import { planLines } from '../../../src/cli/sweep/plan-lines.ts'
import { openModel } from '#experiment/open'
import type { Model } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { findTasks } from '#task/registry'
import { carriedModel, useCarriedHub } from '../../carried.ts'

describe('a sweep on the carried model', () => {
  let folder: string
  let model: Model
  let restore: () => void
  beforeAll(async () => {
    restore = useCarriedHub()
    folder = await mkdtemp(join(tmpdir(), 'strata-sweep-'))
    model = await openModel(carriedModel, { store: openStore(join(folder, 'vectors')) })
  })
  afterAll(async () => {
    await model.close()
    restore()
    await rm(folder, { recursive: true, force: true })
  })
  const ask = (
    representations: string[],
    more: { subsets?: string[]; overwriteStrategy?: 'always' | 'only-missing' } = {},
  ): Promise<Result[]> =>
    evaluate(model, {
      tasks: ['STS17'],
      subsets: ['en-en'],
      representations,
      outputFolder: join(folder, 'results'),
      ...more,
    })

  test('gives the published score of the model on STS17 en-en', async () => {
    const [result] = await ask(['default'])
    // Published with float32 weights: 0.875878; the carried ones are rounded to float16, measured by the reference's
    // evaluator as 0.875912.
    expect(result?.scores?.['test']?.[0]?.main_score).toBeCloseTo(0.875912, 4)
    expect(result?.strata).toMatchObject({
      status: 'ok',
      model: carriedModel,
      representation: 'default',
      profile: 'mteb-2',
    })
  })

  test('a list of contrasts that was changed is another list: the old score does not answer for it', async () => {
    const row = (anchor: string, positive: string, negatives: string[]) =>
      `${JSON.stringify({ anchor, positive, negatives })}\n`
    const [first, second] = [
      row('The train to Lyon is late.', 'There is a delay on the train to Lyon.', ['Bread is baked from dough.']),
      row('She paid in cash.', 'She paid with banknotes.', ['Cats sleep for most of the day.']),
    ]
    await writeFile(join(folder, 'contrasts.yaml'), 'name: Own\ntype: Contrast\ndata: { test: contrasts.jsonl }\n')
    const score = async (...rows: string[]): Promise<Result | undefined> => {
      await writeFile(join(folder, 'contrasts.jsonl'), rows.join(''))
      const tasks = [join(folder, 'contrasts.yaml')]
      return (await evaluate(model, { tasks, outputFolder: join(folder, 'own') }))[0]
    }
    const whole = await score(first, second)
    expect((await score(first, second))?.date).toBe(whole?.date)
    // positive and negative change places
    const turned = await score(
      first,
      row('She paid in cash.', 'Cats sleep for most of the day.', ['She paid with banknotes.']),
    )
    expect(turned?.strata.fingerprint).not.toBe(whole?.strata.fingerprint)
    const accuracyOf = (one: Result | undefined) => one?.scores?.['test']?.[0]?.['accuracy_at_1']
    expect([accuracyOf(whole), accuracyOf(turned)]).toEqual([1, 0.5])
  })

  test('finds a finished result again, unless it shall always run', async () => {
    const [first] = await ask(['h2'])
    const [again] = await ask(['h2'])
    expect(again?.date).toBe(first?.date)
    const [fresh] = await ask(['h2'], { overwriteStrategy: 'always' })
    expect(fresh?.date).toBeGreaterThan(first?.date ?? Infinity)
  })

  test('adds a subset to a result without repeating the others', async () => {
    await ask(['h1'])
    const [both] = await ask(['h1'], { subsets: ['en-en', 'es-es'] })
    expect(both?.scores?.['test']?.map(({ hf_subset }) => hf_subset).toSorted()).toEqual(['en-en', 'es-es'])
  })

  test('a subset that is not there is a failed result with its name, beside what could be scored', async () => {
    const [result] = await evaluate(model, {
      tasks: ['STS17'],
      subsets: ['en-en', 'ko-ko'],
      representations: ['h3'],
      outputFolder: join(folder, 'other'),
    })
    expect(result?.strata.status).toBe('failed')
    expect(result?.strata.reason).toContain('ko-ko')
    expect(result?.scores?.['test']?.[0]?.hf_subset).toBe('en-en')
    expect(await readdir(join(folder, 'other'), { recursive: true })).toContainEqual(
      expect.stringMatching(/failed\/STS17\.json$/) as string,
    )
  })

  test('a language the task does not have is a failure, never an empty result', async () => {
    const { tasks } = await findTasks(['STS17'])
    const seen: Result[] = []
    for await (const { result } of runSweep(model, {
      tasks,
      representations: [{ kind: 'default' }],
      languages: ['fin'],
      outputFolder: join(folder, 'none'),
    }))
      seen.push(result)
    expect(seen.map(({ strata }) => [strata.status, strata.code])).toEqual([['failed', 'task.empty']])
  })

  test('the plan says what would run and what is there, and runs nothing', async () => {
    const { tasks } = await findTasks(['STS17'])
    // with `default` a text's pass goes to the end, and all of its states are stored
    await ask(['h4', 'default'])
    const plan = await planSweep(model, {
      tasks,
      subsets: ['en-en'],
      representations: [4, 5].map((h) => ({ kind: 'state', h })),
      outputFolder: join(folder, 'results'),
    })
    expect(plan.entries.map(({ representation, state }) => [representation, state])).toEqual([
      ['h4', 'reused'],
      ['h5', 'run'],
    ])
    // Two columns of 250 sentences, all of them stored by now; some sentences occur twice.
    expect(plan.costs[0]?.missing).toBe(0)
    expect(plan.costs[0]?.texts).toBeGreaterThan(450)
    expect(planLines(plan).join('\n')).toContain('1 to run, 1 reused')
  })

  test('a vector does not depend on the texts beside it', async () => {
    const texts = [
      'A man is playing a guitar.',
      '',
      'x',
      'What can I do if my card still has not arrived after two weeks?',
    ]
    const together = await encode(model, texts)
    for (const [index, text] of texts.entries()) {
      const alone = await encode(model, [text])
      const row = together.data.subarray(index * together.width, (index + 1) * together.width)
      // Read back from the cache: the same bits.
      expect([...alone.data]).toEqual([...row])
    }
  })

  test('every layer comes back, the last one being the default before it is normalised', async () => {
    const texts = ['A man is playing a guitar.']
    const states = await layerVectors(model, texts)
    const { data } = await encode(model, texts)
    expect(states).toHaveLength(7)
    const last = states[6]?.data ?? new Float32Array(0)
    const norm = Math.hypot(...last)
    data.forEach((value, i) => expect(value).toBeCloseTo((last[i] ?? NaN) / norm, 6))
  })

  test('a layer the model does not have is refused by name', async () => {
    await expect(ask(['h7'])).rejects.toSatisfy(
      (error) => error instanceof Fault && error.code === 'representation.unknown',
    )
  })
})
