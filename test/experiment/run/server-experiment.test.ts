import { beforeAll, describe, expect, test } from 'vitest'
import { type Experiment, lookAgain, planExperiment, readExperiment, runExperiment } from '#experiment/run'
import { listResults } from '#result/ledger'
import { openStore } from '#platform/vectors'
import { scratchFolder } from '../../scratch.ts'
import { served, type ServedAddress } from '../../serve/api/served-address.ts'
import { writePets } from '../sweep/pets.ts'

const stories = 'assets/models/stories260K'
const { path, file } = scratchFolder()
const { signal } = new AbortController()
let server: ServedAddress
const places = () => ({ folder: path('out'), model: { store: openStore(path('vectors')) }, cache: path('cache') })

beforeAll(async () => {
  server = await served([stories])
  await writePets(path('.'))
})

const asked = (more: string): Promise<Experiment> =>
  readExperiment(
    file('file.yaml', `task_files: ${path('pets')}\nrepresentations: default\nresults: ${path('kept')}\n${more}`),
  )
const serverAt = (address: string, more = ''): string =>
  `servers: [{ model: openai-embeddings, model_args: { base_url: "${address}/v1", model: stories260K${more} } }]\n`

/** Scores by representation of one folder of results, after the file was run, and the ids of its jobs. */
async function ran(more: string): Promise<{ scores: Record<string, unknown>; ids: string[] }> {
  const experiment = await asked(more)
  const plan = await planExperiment(experiment)
  expect(await runExperiment(experiment, plan, { ...places(), worker: 'one' })).toMatchObject({ failed: 0 })
  expect(await lookAgain(experiment, plan, { ...places(), signal })).toEqual({ changed: [], unseen: [] })
  const results = await listResults(path('kept'))
  return {
    scores: Object.fromEntries(
      results.map(({ model, revision, representation, result }) => [
        `${model} ${revision} ${representation}`,
        result?.scores?.['test']?.[0]?.['ndcg_at_10'],
      ]),
    ),
    ids: plan.jobs.map(({ id }) => id),
  }
}

describe('servers of an experiment file', () => {
  test('are scored like the model that they run, each setting with results of its own', async () => {
    const own = await ran(`models: ${stories}\n`)
    const [score] = Object.values(own.scores)
    const one = await ran(serverAt(server.address))
    expect(Object.values(one.scores)).toEqual([score, score])
    const other = await ran(serverAt(server.address, ', revision: b'))
    expect(Object.values(other.scores)).toEqual([score, score, score])
    expect(other.ids).not.toEqual(one.ids)
    const prompted = await ran(`${serverAt(server.address)}prompt: "The end. "\n`)
    expect(prompted.ids).not.toEqual(one.ids)
    expect(Object.keys(prompted.scores)).toHaveLength(4)
    // both in one file, and the first file again: nothing new
    expect(await ran(`models: ${stories}\n${serverAt(server.address)}`)).toEqual({
      scores: prompted.scores,
      ids: [...own.ids, ...one.ids],
    })
    const reranked = await ran(`${serverAt(server.address)}rerank: { model: bm25#default, top: 2 }\n`)
    expect(Object.keys(reranked.scores).filter((name) => name.endsWith('default+rerank2-bm25-default'))).toHaveLength(1)
  })

  test('take the text of the flag, with the same settings', async () => {
    const text = `base_url=${server.address}/v1,model=stories260K`
    const plan = await planExperiment(await asked(`servers: [{ model: openai-embeddings, model_args: "${text}" }]\n`))
    expect(plan.jobs).toMatchObject([{ reference: 'openai-embeddings:stories260K', server: 0 }])
  })

  test.each([
    ['a kind that is none', '{ model: openai-embedings, model_args: {} }', /servers\[0\]\.model/],
    ['a setting that is none', '{ model: tei-embeddings, model_args: { modle: x } }', /no such setting.*modle/s],
    ['no name', '{ model: tei-embeddings, model_args: { base_url: "http://localhost:1" } }', /name of the model/],
    [
      'a wrong value',
      '{ model: tei-embeddings, model_args: { base_url: "http://localhost:1", model: x, batch: no } }',
      /batch: must be a whole number/,
    ],
  ])('are refused at their line with %s', async (_title, line, message) => {
    const refused = asked(`servers:\n  - ${line}\n`)
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toThrow(/file\.yaml:5:\d+/)
  })

  test('have no part in a search', async () => {
    await expect(asked(`models: x/y\nsearch: {}\n${serverAt('http://localhost:1')}`)).rejects.toThrow(
      /a search is over models and their revisions/,
    )
  })
})
