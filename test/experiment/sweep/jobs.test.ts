/** What of a task is there and what is still to score, when splits, subsets and data change between two questions. */
import { mkdirSync, rmSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { openModel } from '#experiment/open'
import { evaluate, planSweep, runSweep, sameResult } from '#experiment/sweep'
import type { Model } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { type CombinationRepresentation, combinationOf } from '#representation/layers'
import { chooseTasks, readTaskFiles } from '#task/registry'
import { scratchFolder } from '../../scratch.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path, file } = scratchFolder()
const words = (i: number, length: number): string =>
  Array.from({ length }, (_, k) => 'ab'[(i >> (k % 4)) & 1]).join(' ')
const rowsOf = (seed: number): string =>
  [
    'sentence1,sentence2,score',
    ...Array.from(
      { length: 8 },
      (_, i) => `${words(i + seed, 1 + (i % 4))},${words(3 * i + seed, 2 + (i % 3))},${(i * seed) % 7}`,
    ),
    '',
  ].join('\n')
const description =
  'name: Pairs\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata: { subsets: { x: { dev: x-dev.csv, test: x-test.csv }, y: { dev: y-dev.csv, test: y-test.csv } } }\n'
const task = file('pairs.yaml', description)
let model: Model
beforeAll(async () => {
  model = await openModel(await writeSmallModel(path('model')), { store: openStore(path('vectors')) })
  return () => model.close()
})
beforeEach(() => {
  rmSync(path('results'), { recursive: true, force: true })
  mkdirSync(path('results'))
  for (const [at, name] of ['x-dev', 'x-test', 'y-dev', 'y-test'].entries()) file(`${name}.csv`, rowsOf(at + 2))
})

const asked = (
  more: { splits?: string[]; subsets?: string[]; languages?: string[]; representations?: string[] } = {},
): Promise<Result[]> => evaluate(model, { tasks: [task], outputFolder: path('results'), ...more })
/** Split/subset of every score, in order. */
const partsOf = (result: Result | undefined): string[] =>
  Object.entries(result?.scores ?? {})
    .flatMap(([split, subsets]) => subsets.map(({ hf_subset: subset }) => `${split}/${subset}`))
    .toSorted()

describe('a task that was scored in part', () => {
  test('on another split is scored on that one too, and keeps the first', async () => {
    const [first] = await asked()
    expect(partsOf(first)).toEqual(['test/x', 'test/y'])
    const [dev] = await asked({ splits: ['dev'] })
    expect(partsOf(dev)).toEqual(['dev/x', 'dev/y'])
    const [both] = await asked({ splits: ['dev', 'test'] })
    expect(partsOf(both)).toEqual(['dev/x', 'dev/y', 'test/x', 'test/y'])
    expect(both?.date).toBe(dev?.date)
    expect(both?.scores?.['test']?.map(({ main_score: score }) => score)).toEqual(
      first?.scores?.['test']?.map(({ main_score: score }) => score),
    )
  })

  test('answers what is asked, whatever else the file holds', async () => {
    await asked({ splits: ['dev', 'test'] })
    const [part] = await asked({ subsets: ['y'] })
    expect(partsOf(part)).toEqual(['test/y'])
    expect(partsOf((await asked({ splits: ['dev', 'test'] }))[0])).toEqual(['dev/x', 'dev/y', 'test/x', 'test/y'])
  })

  test('of which a choice leaves nothing fails, as it would in an empty folder', async () => {
    const choice = { splits: ['test'], languages: ['deu'] }
    const [fresh] = await asked(choice)
    await asked()
    const [kept] = await asked(choice)
    expect(fresh?.strata).toMatchObject({ status: 'failed', code: 'task.empty' })
    expect(kept?.strata).toMatchObject({ status: 'failed', code: 'task.empty', reason: fresh?.strata.reason })
    // the result stays
    expect(partsOf((await asked())[0])).toEqual(['test/x', 'test/y'])
  })

  test('by one representation and not by another is completed for each', async () => {
    await asked({ subsets: ['x'], representations: ['h0'] })
    const results = await asked({ representations: ['h0', 'h1'] })
    expect(results.map((result) => [result.strata.representation, partsOf(result)])).toEqual([
      ['h0', ['test/x', 'test/y']],
      ['h1', ['test/x', 'test/y']],
    ])
  })

  test('by two representations on different subsets is completed for each', async () => {
    await asked({ subsets: ['x'], representations: ['h0'] })
    await asked({ subsets: ['y'], representations: ['h1'] })
    const results = await asked({ representations: ['h0', 'h1'] })
    expect(results.map(partsOf)).toEqual([
      ['test/x', 'test/y'],
      ['test/x', 'test/y'],
    ])
  })
})

test('rows that have changed are other inputs', async () => {
  const [before] = await asked()
  file('x-test.csv', rowsOf(9))
  const { tasks, data } = await readTaskFiles([task])
  const plan = await planSweep(model, {
    tasks,
    ownData: data,
    representations: [{ kind: 'default' }],
    outputFolder: path('results'),
    keep: 'last',
  })
  expect(plan.entries.map(({ state, reason }) => [state, reason])).toEqual([
    ['run', 'the existing result was made from other inputs'],
  ])
  const [after] = await asked()
  expect(after?.strata.fingerprint).not.toBe(before?.strata.fingerprint)
  expect(partsOf(after)).toEqual(['test/x', 'test/y'])
})

test('a task that is described in another way is another one', async () => {
  const [before] = await asked()
  file('pairs.yaml', `${description}main_score: pearson\n`)
  const [after] = await asked().finally(() => file('pairs.yaml', description))
  expect(after?.strata.fingerprint).not.toBe(before?.strata.fingerprint)
  const [scores] = after?.scores?.['test'] ?? []
  expect(scores?.main_score).toBe(scores?.['pearson'])
})

test('a result of the processor is none of a device, whatever its name', async () => {
  const [before] = await asked()
  const onDevice = { ...model, settings: { ...model.settings, device: 'cuda' as const } }
  const [after] = await evaluate(onDevice, { tasks: [task], outputFolder: path('results') })
  expect([before?.strata.settings['device'], after?.strata.settings['device']]).toEqual([undefined, 'cuda'])
  expect(after?.strata.fingerprint).not.toBe(before?.strata.fingerprint)
})

test('a mix that other settings gave before is answered with the settings that are asked, and its parts alone', async () => {
  const { tasks, ownData } = await chooseTasks([task])
  const mixed = (lambda: number): CombinationRepresentation =>
    combinationOf('weighted', { mix: { kind: 'sum', weights: Float64Array.of(0.5, 0.5) }, about: { lambda } })
  const options = { tasks, ownData, outputFolder: path('results') }
  const lambdaOf = ({ strata }: Result): unknown => (strata.settings['combination'] as { lambda: number }).lambda
  const ask = async (lambda: number): Promise<Result[]> => {
    const found: Result[] = []
    for await (const { result } of runSweep(model, { ...options, representations: [mixed(lambda)] })) found.push(result)
    return found
  }
  expect((await ask(0.1)).map(lambdaOf)).toEqual([0.1])
  expect((await ask(0.5)).map(lambdaOf)).toEqual([0.5])
  const [[first], [only]] = [await ask(0.1), tasks]
  if (first === undefined || only === undefined) throw new Error('no result')
  const same = await sameResult(model, only, mixed(0.9), { ...options, subsets: ['y'], result: first })
  expect([lambdaOf(same), partsOf(same)]).toEqual([0.9, ['test/y']])
})
