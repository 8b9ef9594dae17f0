import { beforeAll, describe, expect, test } from 'vitest'
import { readExperiment } from '#experiment/run'
import { resultsFolder, toOutcome, toSweep } from '../../../src/experiment/run/score-jobs.ts'
import { scratchFolder } from '../../scratch.ts'

const { file } = scratchFolder()
let text = ''
beforeAll(() => {
  text = 'models: org/model\ntasks: [STS17, STS12]\n'
})
const sweepOf = async (more: string, tasks: readonly string[]) =>
  toSweep(await readExperiment(file('experiment.yaml', `${text}${more}`)), { tasks }, 'out')

describe('a job of scores', () => {
  test('asks its own tasks, in those of the subsets that some of them has', async () => {
    const more = 'subsets: [en-en, default]\n'
    const one = await sweepOf(more, ['STS17'])
    expect([one.tasks.map(({ name }) => name), one.subsets]).toEqual([['STS17'], ['en-en']])
    expect((await sweepOf(more, ['STS12'])).subsets).toEqual(['default'])
    expect((await sweepOf(more, ['STS17', 'STS12'])).subsets).toEqual(['en-en', 'default'])
    // of which it has none, it fails by name
    expect((await sweepOf('subsets: [en-en]\n', ['STS12'])).subsets).toEqual(['en-en'])
    expect((await sweepOf('', ['STS12'])).subsets).toBeUndefined()
  })

  test('has its results where the file says, or below the folder of the experiment', async () => {
    expect((await sweepOf('', ['STS12'])).outputFolder).toBe('out/results')
    const experiment = await readExperiment(file('experiment.yaml', `${text}results: elsewhere\n`))
    expect(resultsFolder(experiment, 'out')).toBe('elsewhere')
  })

  test('is done, or failed by the first failure and the number of the others', () => {
    expect(toOutcome([])).toEqual({ state: 'done' })
    expect(toOutcome(['one'])).toEqual({ state: 'failed', what: 'one' })
    expect(toOutcome(['one', 'two', 'three'])).toEqual({ state: 'failed', what: 'one (and 2 more)' })
  })
})
