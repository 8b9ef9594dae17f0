// Accuracies by model and locale, from a folder of results or a file.
import { beforeAll, describe, expect, it } from 'vitest'
import type { SubsetScores } from '#core'
import { languages, readAccuracies, readAccuracyFile, targetSources } from '#experiment/locales'
import { writeResult } from '#result/ledger'
import { sampleResult } from '../../result/ledger/made-results.ts'
import { scratchFolder } from '../../scratch.ts'

const known = await languages()
const { path, file } = scratchFolder()
const part = (locale: string, score: number): SubsetScores => ({
  hf_subset: locale,
  languages: ['eng-Latn'],
  main_score: score,
})
const write = async (
  folder: string,
  [name, revision]: readonly [string, string],
  scores: Readonly<Record<string, SubsetScores[]>>,
  representation = 'default',
) => {
  const strata = { representation, model: name, revision }
  await writeResult(path(folder), sampleResult({ task_name: 'MASSIVEIntent', scores, strata }))
}
const models = new Map([
  ['sq-AL', { name: 'best', revision: 'a' }],
  ['ro-RO', { name: 'best', revision: 'b' }],
  ['ja-JP', { name: 'best', revision: 'c' }],
])

beforeAll(async () => {
  for (const folder of ['test', 'both']) {
    await write(folder, ['best', 'a'], { test: [part('sq-AL', 0.9), part('ro-RO', 0.4)] })
    await write(folder, ['best', 'b'], { test: [part('sq-AL', 0.5)] })
    // another state of the model, and a layer of the current one
    await write(folder, ['best', 'old'], { test: [part('ja-JP', 0.9)] })
    await write(folder, ['best', 'c'], { test: [part('ja-JP', 0.9)] }, 'h1')
  }
  await write('both', ['best', 'a'], { validation: [part('ro-RO', 0.25)], test: [part('ro-RO', 0.4)] })
})

describe('accuracies of a folder', () => {
  it('are those of the current models, with gaps', async () => {
    expect(await readAccuracies(path('test'), models)).toEqual({
      targets: ['ro-RO', 'sq-AL'],
      sources: ['sq-AL', 'ro-RO'],
      values: [
        [0.4, NaN],
        [0.9, 0.5],
      ],
      split: 'test',
    })
  })
  it('are those of the validation split where it has some', async () => {
    expect(await readAccuracies(path('both'), models)).toEqual({
      targets: ['ro-RO'],
      sources: ['sq-AL'],
      values: [[0.25]],
      split: 'validation',
    })
  })
  it('are those of texts cut as the study cuts them, whatever else the folder holds', async () => {
    await write('lengths', ['best', 'a'], { test: [part('sq-AL', 0.9)] })
    await write('lengths', ['best', 'a'], { test: [part('sq-AL', 0.3)] }, 'default+len16')
    const read = (representation: string) =>
      readAccuracies(path('lengths'), new Map([['sq-AL', { name: 'best', revision: 'a', representation }]]))
    expect([(await read('default')).values, (await read('default+len16')).values]).toEqual([[[0.9]], [[0.3]]])
    await expect(read('default+len48')).rejects.toThrow(/no result of these models.*default\+len16/)
  })
  it('choose no source that was not scored', async () => {
    const table = await readAccuracies(path('test'), models)
    const references = new Map([...models.keys()].map((locale) => [locale, locale]))
    const found = await targetSources(table, ['ro-RO', 'sq-AL'], { models: references })
    expect([...found.values()].map((all) => all.map(({ source }) => source))).toEqual([['sq-AL'], ['ro-RO']])
  })
  it('are refused where there are none', async () => {
    const other = new Map([['sq-AL', { name: 'best', revision: 'new' }]])
    await expect(readAccuracies(path('test'), other)).rejects.toThrow(/no result of these models/)
    await expect(readAccuracies(path('gone'), models)).rejects.toThrow(/no result of these models/)
  })
})

describe('accuracies of a file', () => {
  it('are shares, with sources as rows', async () => {
    const read = (name: string, cell: string) => readAccuracyFile(file(name, `,sq-AL\nro-RO,${cell}\n`), known)
    expect(await read('shares.csv', '1')).toEqual({ targets: ['sq-AL'], sources: ['ro-RO'], values: [[1]] })
    await expect(read('points.csv', '84.5')).rejects.toThrow(/is no accuracy.*84\.5/s)
    await expect(read('minus.csv', '-0.1')).rejects.toThrow(/is no accuracy/)
  })
})
