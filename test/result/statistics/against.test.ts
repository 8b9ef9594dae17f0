import { beforeAll, describe, expect, test } from 'vitest'
import { writeResult } from '#result/ledger'
import { agrees, compareAll, type Ours } from '#result/statistics'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from '../ledger/made-results.ts'

const { path } = scratchFolder()
const scores = (score: number) => ({ test: [{ main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }] })
const ours = (revision: string, representation = 'default', task = 'T'): Ours => ({
  task,
  scores: scores(0.5),
  place: { root: path('ours'), model: 'org/a', revision, representation },
})
const found = async (own: Ours, against: string): Promise<unknown> =>
  (await compareAll([own], against, { root: path('ours'), interval: false })).map(({ theirs, against: label }) => [
    theirs,
    label.split(': ').at(-1),
  ])

test.each([
  ['STS', 0.0005, 0.0006],
  ['PairClassification', 0.0005, 0.0006],
  ['Classification', 0.002, 0.0021],
  ['MultilabelClassification', 0.002, 0.0021],
  ['Clustering', 0.01, 0.011],
  ['Retrieval', 0.0005, 0.0006],
])('scores of %s agree up to %d, and not at %d', (type, near, far) => {
  // mteb.md, 4.1; from 0, where nothing is rounded
  const apart = (theirs: number | null): boolean => agrees(type, { ours: 0, theirs })
  expect([apart(near), apart(-near), apart(far), apart(-far), apart(null)]).toEqual([true, true, false, false, false])
})

describe('a folder of results', () => {
  beforeAll(async () => {
    const write = async (
      folder: string,
      score: number,
      strata: { model: string; revision: string; representation: string },
    ) => writeResult(path(folder), sampleResult({ task_name: 'T', scores: scores(score), strata }))
    await write('theirs', 0.1, { model: 'org/a', revision: 'r1', representation: 'default' })
    await write('theirs', 0.2, { model: 'org/a', revision: 'r2', representation: 'default' })
    await write('theirs', 0.3, { model: 'org/b', revision: 'r1', representation: 'h3' })
    await write('only', 0.4, { model: 'org/b', revision: 'r1', representation: 'h3' })
    await write('ours', 0.6, { model: 'org/a', revision: 'r1', representation: 'h3' })
    await write('ours', 0.5, { model: 'org/a', revision: 'r1', representation: 'default' })
  })

  test('has the same model and representation, of the same revision if it can be', async () => {
    expect(await found(ours('r2'), path('theirs'))).toEqual([[0.2, 'org/a default']])
    expect(await found(ours('r1'), path('theirs'))).toEqual([[0.1, 'org/a default']])
    await expect(found(ours('r3'), path('theirs'))).rejects.toMatchObject({
      code: 'usage.value',
      message: expect.stringContaining('org/a@r1#default, org/a@r2#default') as string,
    })
    expect(await found(ours('r1', 'h3'), path('theirs'))).toEqual([])
    expect(await found(ours('r1', 'default', 'U'), path('theirs'))).toEqual([])
  })

  test('of one row is compared whatever it is of', async () => {
    expect(await found(ours('r1'), path('only'))).toEqual([[0.4, 'org/b h3']])
    await expect(found(ours('r1'), path('.'))).rejects.toMatchObject({ code: 'usage.value' })
  })

  test('a model of the same folder is meant by its name, its revision, its representation; never itself', async () => {
    expect(await found(ours('r1'), 'org/a#h3')).toEqual([[0.6, 'org/a h3']])
    expect(await found(ours('r1'), '#h3')).toEqual([[0.6, 'org/a h3']])
    expect(await found(ours('r1'), 'org/a@r1')).toEqual([])
    expect(await found(ours('r1', 'h3'), 'org/a@r')).toEqual([[0.5, 'org/a default']])
    expect(await found(ours('r1', 'h3'), 'org/a@x')).toEqual([])
    await expect(found(ours('r1'), 'org/c')).rejects.toMatchObject({ code: 'usage.value' })
  })
})
