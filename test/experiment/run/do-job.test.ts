import { beforeAll, describe, expect, test } from 'vitest'
import { planExperiment, readExperiment, runExperiment } from '#experiment/run'
import { listResults } from '#result/ledger'
import { openStore } from '#platform/vectors'
import { scratchFolder } from '../../scratch.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path, file } = scratchFolder()

beforeAll(async () => {
  await writeSmallModel(path('model'))
  const text = (i: number): string => `${'a '.repeat(i % 5)}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
  const lines = Array.from({ length: 24 }, (_, i) => `${text(i)},${text(7 * i + 1)},${(i * 5) % 11}`)
  file('pairs.csv', `${['first,second,rating', ...lines].join('\n')}\n`)
  file(
    'pairs.yaml',
    'name: Pairs\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: pairs.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n',
  )
})

async function scoresOf(name: string, pooling: string): Promise<unknown[]> {
  const text = `models: ${path('model')}\ntask_files: pairs.yaml\nrepresentations: [h1]\npooling: ${pooling}\n`
  const experiment = await readExperiment(file(`${name}.yaml`, text))
  const summary = await runExperiment(experiment, await planExperiment(experiment), {
    folder: path(name),
    worker: 'one',
    model: { store: openStore(path('vectors')) },
    cache: path('cache'),
  })
  expect(summary.failed).toBe(0)
  return (await listResults(path(`${name}/results`))).map(({ representation, result }) => [
    representation,
    result?.scores?.['test']?.[0]?.main_score,
  ])
}

describe('jobs of one model that read it in several ways', () => {
  test('give what each gives alone', async () => {
    const both = await scoresOf('both', '[mean, cls]')
    const [mean, cls] = [await scoresOf('mean', 'mean'), await scoresOf('cls', 'cls')]
    expect(both).toHaveLength(2)
    expect(new Set(both.map((one) => JSON.stringify(one)))).toEqual(
      new Set([...mean, ...cls].map((one) => JSON.stringify(one))),
    )
    expect(mean[0]).not.toEqual(cls[0])
  })
})
