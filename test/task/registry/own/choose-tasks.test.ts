import { describe, expect, test } from 'vitest'
import { chooseTasks } from '#task/registry'
import { scratchFolder } from '../../../scratch.ts'

const { file } = scratchFolder()

describe('a task file among other choices', () => {
  file('pairs.csv', 'first,second,rating\na,b,1\nb,a,2\n')
  const own = file(
    'pairs.yaml',
    'name: Pairs\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: pairs.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n',
  )
  const namesOf = async (...[names, filters]: Parameters<typeof chooseTasks>): Promise<string[]> =>
    (await chooseTasks(names, filters)).tasks.map(({ name }) => name)

  test('is all that is meant, also where languages choose its subsets', async () => {
    expect(await namesOf([own])).toEqual(['Pairs'])
    expect(await namesOf([own], { languages: ['eng'] })).toEqual(['Pairs'])
    const { ownData, skipped, benchmarks } = await chooseTasks([own])
    expect([[...ownData.keys()].length, skipped, benchmarks]).toEqual([1, [], []])
  })

  test('comes behind the tasks that are named, or that a benchmark, types or domains bring', async () => {
    expect(await namesOf([own, 'STS12'])).toEqual(['STS12', 'Pairs'])
    const three = await namesOf([own], { benchmarks: ['FollowIR'] })
    expect([three.length, three.at(-1)]).toEqual([4, 'Pairs'])
    const filtered = await namesOf([own], { types: ['Summarization'] })
    expect([filtered.length > 1, filtered.at(-1)]).toEqual([true, 'Pairs'])
    expect((await namesOf([own], { domains: ['News'] })).length).toBeGreaterThan(10)
  })
})
