import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findFailure, findResult, type Imported, importResults, listResults } from '#result/ledger'
import { legacyScore } from '#task/protocols'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const placeholders = 'no_model_name_available/no_revision_available'

function put(place: string, content: unknown): void {
  mkdirSync(dirname(path(place)), { recursive: true })
  file(place, typeof content === 'string' ? content : JSON.stringify(content))
}

/** As mteb 1.39 writes one. */
const written = (task: string, scores: unknown, seconds: number) => ({
  dataset_revision: 'abc',
  task_name: task,
  mteb_version: '1.39.7',
  scores,
  evaluation_time: seconds,
  kg_co2_emissions: null,
})
const scored = (score: number) => ({ test: [{ main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }] })
const states = (imported: readonly Imported[]) => imported.map(({ task, model, state }) => [task, model, state])

describe('a folder under the placeholder for a model without a name', () => {
  const root = path('named')
  put(`quick/${placeholders}/model_meta.json`, { name: 'no_model_name_available', revision: 'no_revision_available' })
  put(`quick/${placeholders}/SciFact.json`, written('SciFact', scored(0.25), 12))
  put(`quick/${placeholders}/SICK-R.json`, written('SICK-R', {}, 6.4e-6))
  put(`quick/${placeholders}/STS12.json`, written('STS12', { test: [] }, 5e-6))
  put(
    `quick/${placeholders}/STS13.json`,
    JSON.stringify(written('STS13', scored(0), 3)).replace('"main_score":0', '"main_score":NaN'),
  )
  put(`quick/${placeholders}/STS14.json`, written('STS14', scored(0.5), 0.0004))
  // of before times were recorded
  put(`quick/${placeholders}/STS15.json`, written('STS15', scored(0.5), 0))

  test.each(['quick', 'quick/no_model_name_available', `quick/${placeholders}`])(
    '%s is imported under the name that is given, and is refused without one',
    async (folder) => {
      const into = path(`into-${folder.length}`)
      await expect(importResults(into, path(folder))).rejects.toMatchObject({
        code: 'usage.value',
        hint: 'name the model: --models org/name',
      })
      expect(await listResults(into)).toEqual([])
      expect(states(await importResults(into, path(folder), { model: 'org/mine' }))).toEqual([
        ['SICK-R', 'org/mine', 'failed'],
        ['STS12', 'org/mine', 'failed'],
        ['STS13', 'org/mine', 'failed'],
        ['STS14', 'org/mine', 'failed'],
        ['STS15', 'org/mine', 'imported'],
        ['SciFact', 'org/mine', 'imported'],
      ])
    },
  )

  const place = { root, model: 'org/mine', revision: 'no_revision_available', representation: 'default' }
  test('a task in which nothing was evaluated is a failure with its reason, until a result takes its place', async () => {
    await importResults(root, path('quick'), { model: 'org/mine' })
    const reasonOf = async (task: string) => (await findFailure(place, task))?.result?.strata?.reason
    expect(await reasonOf('SICK-R')).toBe('no scores: nothing was evaluated in 0.0064 ms')
    expect(await reasonOf('STS12')).toBe('no scores: nothing was evaluated in 0.005 ms')
    expect(await reasonOf('STS13')).toBe('every main score is NaN')
    expect(await reasonOf('STS14')).toBe('nothing can have been evaluated in 0.4 ms')
    expect(await reasonOf('STS15')).toBeUndefined()
    for (const task of ['SICK-R', 'STS12', 'STS13', 'STS14']) expect(await findResult(place, task)).toBeUndefined()
    put(`later/${placeholders}/SICK-R.json`, written('SICK-R', scored(0.7), 9))
    expect(states(await importResults(root, path('later'), { model: 'org/mine' }))).toEqual([
      ['SICK-R', 'org/mine', 'imported'],
    ])
    expect(await reasonOf('SICK-R')).toBeUndefined()
    // and the failure does not come back
    const again = await importResults(root, path('quick'), { model: 'org/mine' })
    expect(again.find(({ task }) => task === 'SICK-R')?.state).toBe('there already')
    expect(await reasonOf('SICK-R')).toBeUndefined()
  })

  test('models in folders of their own are named one by one', async () => {
    put(`nested/one/${placeholders}/STS12.json`, written('STS12', scored(0.5), 3))
    put(`nested/${placeholders}/STS12.json`, written('STS12', scored(0.6), 3))
    const [first, second] = await importResults(path('nested-results'), path('nested'), { model: 'org/mine' })
    expect([first?.state, first?.model]).toEqual(['imported', 'org/mine'])
    expect([second?.state, second?.reason]).toEqual(['failed', expect.stringContaining('import this folder by itself')])
  })
})

test('a model is named where mteb knows it: its empty tasks are failures, and another name has no effect', async () => {
  put('baseline/org__known/main/model_meta.json', { name: 'org/known', revision: 'main' })
  put('baseline/org__known/main/STS12.json', written('STS12', {}, 5e-6))
  const into = path('baseline-results')
  await expect(importResults(into, path('baseline'), { model: 'org/other' })).rejects.toMatchObject({
    code: 'usage.value',
  })
  expect(states(await importResults(into, path('baseline')))).toEqual([['STS12', 'org/known', 'failed']])
  const place = { root: into, model: 'org/known', revision: 'main', representation: 'default' }
  expect((await findFailure(place, 'STS12'))?.result?.strata?.code).toBe('result.invalid')
})

describe('an older evaluation of static embeddings', () => {
  const parts = {
    semantic_similarity: 0.5,
    topic_clustering: 0.4,
    multilingual_alignment: 0.2,
    instruction_awareness: 0.9,
    conversational_understanding: 0.8,
    code_understanding: 0.6,
  }
  // .1 + .06 + .03 + .27 + .08 + .06
  const evaluation = {
    model: 'models/mine',
    dimensions: 8,
    overall_quality: 0.6,
    individual_scores: parts,
    assessment: 'FAIR',
  }
  const reasonOf = async (content: object, options: object = { legacyScore }): Promise<string | undefined> => {
    put('quality/eval_results.json', content)
    const [one] = await importResults(path('quality-results'), path('quality/eval_results.json'), options)
    return one?.state === 'imported' ? undefined : one?.reason
  }

  test('its parts and its overall score, recomputed, under the name that is given or its own', async () => {
    expect(await reasonOf(evaluation)).toBeUndefined()
    expect(await reasonOf(evaluation, { legacyScore, model: 'org/mine' })).toBeUndefined()
    const listed = await listResults(path('quality-results'))
    expect(listed.map(({ model, task }) => [model, task])).toEqual([
      ['models/mine', 'LegacyQuality'],
      ['org/mine', 'LegacyQuality'],
    ])
    const score = listed[0]?.result?.scores?.['test']?.[0]
    expect(score).toMatchObject(parts)
    expect(score?.main_score).toBeCloseTo(0.6, 12)
    expect(score?.['legacy_score']).toBe(score?.main_score)
  })

  test('an overall score that its parts do not give is refused, and so are parts of another evaluation', async () => {
    expect(await reasonOf({ ...evaluation, overall_quality: 0.95 })).toContain('not the weighted sum of its parts')
    expect(await reasonOf({ ...evaluation, individual_scores: { ...parts, code_understandings: 1 } })).toContain(
      'did you mean code_understanding',
    )
    expect(await reasonOf({ ...evaluation, individual_scores: { ...parts, code_understanding: 'x' } })).toContain(
      'not a score',
    )
    expect(await reasonOf({ model: 'm', overall_quality: 0.6 })).toContain('no individual_scores')
    expect(await reasonOf(evaluation, {})).toContain('cannot be checked')
  })
})
