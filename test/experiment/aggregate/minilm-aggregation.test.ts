import { readFileSync, readdirSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Aggregated, runAggregate } from '#experiment/aggregate'
import { readCorpus } from '#experiment/encode'
import { openModel } from '#experiment/open'
import { aggregationNamed } from '#representation/aggregation'
import { chooseTasks } from '#task/registry'
import { scratchFolder } from '../../scratch.ts'
import { runStore, sharedHub } from '../../shared-cache.ts'
import { shared, sharedPath } from '../../shared.ts'

interface Reference {
  S: number[][]
  tasks: Record<string, { q: number[]; methods: Record<string, { main_score: number; weights?: number[] }> }>
}

const { path } = scratchFolder()

/** The first 3,000 distinct sentences of STSBenchmark's training split, as the reference took them. */
function sentences(hub: string): string[] {
  const snapshots = join(hub, 'hub', 'datasets--mteb--stsbenchmark-sts', 'snapshots')
  const [revision = ''] = readdirSync(snapshots)
  const lines = gunzipSync(readFileSync(join(snapshots, revision, 'train.jsonl.gz')))
    .toString('utf8')
    .trim()
    .split('\n')
  const rows = lines.map((line) => JSON.parse(line) as { sentence1: string; sentence2: string })
  return [...new Set(rows.flatMap(({ sentence1, sentence2 }) => [sentence1, sentence2]))].slice(0, 3000)
}

describe.skipIf(shared === undefined)('recorded mixes of the layers of MiniLM-L6 on STSBenchmark', () => {
  let reference: Reference
  let run: Aggregated | undefined
  const before = { ...process.env }
  beforeAll(async () => {
    reference = JSON.parse(readFileSync(sharedPath('specs', 'minilm_aggregation.json'), 'utf8')) as Reference
    const hub = await sharedHub()
    if (hub === undefined) return
    Object.assign(process.env, { HF_HOME: hub, HF_HUB_OFFLINE: '1' })
    const model = await openModel('sentence-transformers/all-MiniLM-L6-v2', { store: runStore() })
    const { tasks } = await chooseTasks(['STSBenchmark'], {})
    const lines = async function* () {
      await Promise.resolve()
      yield sentences(hub).map((text) => ({ text }))
    }
    run = await runAggregate(model, {
      tasks,
      methods: aggregationNamed('all'),
      lambdas: [0.1, 0.5],
      similarities: [{ name: 'CKA', matrix: Float64Array.from(reference.S.flat()) }],
      corpus: await readCorpus('sentences', lines()),
      outputFolder: path('results'),
      validationFolder: path('validation'),
    })
    await model.close()
  }, 300_000)
  afterAll(() => {
    for (const name of ['HF_HOME', 'HF_HUB_OFFLINE']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  })

  test('qualities, weights and scores', ({ skip }) => {
    if (run === undefined) skip('the shared data could not be laid out: no Python')
    const own = reference.tasks['STSBenchmark']
    const [task] = run?.tasks ?? []
    const quality = Array.from(task?.quality.values ?? [], (value, h) => Math.abs(value - (own?.q[h] ?? NaN)))
    // scores are kept with six decimals, as mteb keeps them
    expect(Math.max(...quality)).toBeLessThan(1e-6)
    const apart = Object.entries(own?.methods ?? {}).flatMap(([name, { main_score: score, weights }]) => {
      const [, method = '', lambda] = /^(.*?)(?:_lambda(.*))?$/.exec(name) ?? []
      const candidate = task?.candidates.find(({ recipes }) =>
        recipes.some(
          (one) =>
            one.method === method && (one.lambda === null || lambda === undefined || one.lambda === Number(lambda)),
        ),
      )
      const result = task?.results.get(candidate?.representation.name ?? '')
      const found = result?.scores?.['test']?.[0]?.main_score ?? NaN
      const mix = candidate?.representation.mix
      const off =
        weights === undefined || mix?.kind !== 'sum'
          ? 0
          : Math.max(...weights.map((weight, h) => Math.abs(weight - (mix.weights[h] ?? NaN))))
      // what the reference file suggests for scores; weights move by up to 2e-6 with the sixth decimal of the qualities
      return Math.abs(found - score) <= 2e-5 && off <= 5e-6 ? [] : [{ name, score, found, off }]
    })
    expect(apart).toEqual([])
    expect(Object.keys(own?.methods ?? {})).toHaveLength(19)
  })
})
