import { beforeAll, expect, test } from 'vitest'
import type { Result } from '#core'
import { openModel } from '#experiment/open'
import { evaluate, planSweep } from '#experiment/sweep'
import { openStore } from '#platform/vectors'
import { chooseTasks } from '#task/registry'
import { scratchFolder } from '../../scratch.ts'
import { writeAdaptedModel } from '../encode/adapted-model.ts'
import { writePets } from './pets.ts'

const { path } = scratchFolder()
let [pets, folder] = ['', '']
beforeAll(async () => {
  pets = await writePets(path('.'))
  folder = await writeAdaptedModel(path('model'))
})

async function ask(adapter?: string): Promise<Result | undefined> {
  const model = await openModel(folder, { adapter, store: openStore(path('cache')) })
  const [result] = await evaluate(model, { tasks: [pets], representations: ['h1'], outputFolder: path('results') })
  await model.close()
  return result
}

test('results of adapters chosen by task and by name are told apart on one cache, and found again', async () => {
  const [byTask, query, none] = [await ask(), await ask('retrieval.query'), await ask('none')]
  expect(byTask?.strata.settings).toMatchObject({
    adapters: ['none', 'retrieval.query', 'retrieval.passage'],
    queryPrompt: 'a ',
    documentPrompt: 'b ',
  })
  expect(query?.strata).toMatchObject({
    representation: 'h1+adapter-retrieval.query',
    settings: { adapters: ['retrieval.query', 'retrieval.query', 'retrieval.query'] },
  })
  expect(none?.strata.representation).toBe('h1+adapter-none')
  expect(new Set([byTask, query, none].map((result) => result?.strata.fingerprint)).size).toBe(3)
  expect((await ask())?.date).toBe(byTask?.date)
  expect((await ask('none'))?.date).toBe(none?.date)
})

test('a plan counts the texts that the cache lacks under the adapter of each side', async () => {
  const model = await openModel(folder, { store: openStore(path('cache')) })
  const { tasks, ownData } = await chooseTasks([pets], {})
  const planned = await planSweep(model, {
    tasks,
    ownData,
    representations: [{ kind: 'state', h: 1 }],
    keep: 1,
    outputFolder: path('fresh'),
  })
  await model.close()
  expect(planned.costs.map(({ texts, missing }) => [texts, missing])).toEqual([[6, 0]])
})
