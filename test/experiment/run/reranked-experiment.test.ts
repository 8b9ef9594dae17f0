import { mkdir } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { experimentCosts, lookAgain, planExperiment, readExperiment, runExperiment } from '#experiment/run'
import { listResults } from '#result/ledger'
import { openStore } from '#platform/vectors'
import { goldenRerankers, writeReranker } from '../../model/checkpoint/golden-rerankers.ts'
import { scratchFolder } from '../../scratch.ts'
import { writePets } from '../sweep/pets.ts'

const { path, file } = scratchFolder()
const places = () => ({ folder: path('out'), model: { store: openStore(path('vectors')) }, cache: path('cache') })

beforeAll(async () => {
  await mkdir(path('recipes'), { recursive: true })
  await writePets(path('.'))
  for (const [at, name] of ['bert, one label', 'bert, one label, the older key', 'qwen3, yes or no'].entries()) {
    const golden = goldenRerankers.cases.find((one) => one.name === name)
    if (golden === undefined) throw new Error(name)
    await writeReranker(path(['one', 'other', 'writer-reranker'][at] ?? ''), golden)
  }
  // models in a recipe are references, as everywhere
  file(
    'recipes/mixed.yml',
    `merge_method: linear\nmodels: [{model: ${path('one')}}, {model: ${path('other')}}]\nparameters: {weight: 1}\n`,
  )
})

async function asked(rerank: string): Promise<Awaited<ReturnType<typeof readExperiment>>> {
  return readExperiment(
    file(
      'file.yaml',
      `models: bm25\ntask_files: ${path('pets')}\nrepresentations: default\nresults: ${path('kept')}\n${rerank}`,
    ),
  )
}

/** What one folder of results holds after the file was run in one folder. */
async function ran(rerank: string): Promise<Map<string, { date: number; fingerprint: string }>> {
  const experiment = await asked(rerank)
  const plan = await planExperiment(experiment)
  const summary = await runExperiment(experiment, plan, { ...places(), worker: 'one' })
  expect([rerank, summary.failed]).toEqual([rerank, 0])
  const signal = new AbortController().signal
  expect(await lookAgain(experiment, plan, { ...places(), signal })).toEqual({ changed: [], unseen: [] })
  return new Map(
    (await listResults(path('kept'))).map(({ representation, result }) => [
      representation,
      { date: result?.date ?? 0, fingerprint: result?.strata?.fingerprint ?? '' },
    ]),
  )
}

describe('rerank of an experiment file', () => {
  test('ranks as --rerank does, each setting with results of its own', async () => {
    const settings = [
      '',
      `rerank: { model: ${path('one')} }\n`,
      `rerank: { model: ${path('one')}, top: 2 }\n`,
      `rerank: { model: ${path('one')}, layers: 1 }\n`,
      `rerank: { model: ${path('writer-reranker')}, prompt: cat }\n`,
      'rerank: { model: bm25#default, top: 2 }\n',
      'rerank: { model: recipes/mixed.yml }\n',
    ]
    const names = [
      'default',
      'default+rerank100-one',
      'default+rerank2-one',
      'default+rerank100-one-first1',
      'default+rerank100-writer-reranker-prompt-cat17fd6',
      'default+rerank2-bm25-default',
      'default+rerank100-merge__mixed',
    ]
    const found = []
    for (const setting of settings) found.push(await ran(setting))
    const last = found.at(-1) ?? new Map<string, { date: number; fingerprint: string }>()
    expect([...last.keys()].toSorted()).toEqual([...names].toSorted())
    expect(new Set([...last.values()].map(({ fingerprint }) => fingerprint)).size).toBe(names.length)
    // the first file again scores nothing again
    expect(await ran(settings[1] ?? '')).toEqual(last)
  })

  test('runs again when the weights of its model change in place', async () => {
    const golden = (name: string) => goldenRerankers.cases.find((one) => one.name === name)
    const [first, second] = [golden('bert, one label'), golden('bert, one label, the older key')]
    if (first === undefined || second === undefined) throw new Error('no rerankers')
    await writeReranker(path('turned'), first)
    const setting = `rerank: { model: ${path('turned')} }\n`
    const before = await ran(setting)
    await writeReranker(path('turned'), { ...first, weights: second.weights })
    const experiment = await asked(setting)
    const plan = await planExperiment(experiment)
    const { changed } = await lookAgain(experiment, plan, { ...places(), signal: new AbortController().signal })
    expect(changed).toEqual(plan.jobs.map(({ id }) => id))
    expect(before.size).toBeGreaterThan(0)
  })

  test('is part of the plan of costs', async () => {
    const experiment = await asked(`rerank: { model: ${path('one')}, top: 3 }\n`)
    const { jobs } = await planExperiment(experiment)
    const costs = await experimentCosts(experiment, jobs, places())
    expect(costs?.rerank).toMatchObject({ model: 'one', top: 3, most: 9 })
    expect(costs?.entries).toMatchObject([{ representation: 'default+rerank3-one', state: 'run' }])
  })

  test('is refused where nothing would be ranked by it, and with a key that it does not have', async () => {
    await expect(asked('rerank: { model: bm25#default }\naggregate: { methods: [mean] }\n')).rejects.toThrow(
      /file\.yaml:5:\d+.*rerank has no effect on the combinations of aggregate/s,
    )
    await expect(asked('rerank: { model: bm25#default }\nsearch: { budget: 3 }\n')).rejects.toThrow(
      /rerank has no effect on a search/,
    )
    await expect(asked('rerank: { model: bm25#default, tpo: 3 }\n')).rejects.toThrow(/unknown key rerank\.tpo/)
    await expect(asked('rerank: { model: absent.yml }\n')).rejects.toThrow(/rerank\.model: no such file/)
    await expect(asked('rerank: { model: bm25#default, top: 0 }\n')).rejects.toThrow(/rerank\.top/)
  })
})
