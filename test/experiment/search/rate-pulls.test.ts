import { describe, expect, test } from 'vitest'
import { rewardDefaults } from '#experiment/search'
import { ratedBy, spentOn, summarise, totalSeconds } from '../../../src/experiment/search/rate-pulls.ts'
import type { SearchPull } from '../../../src/experiment/search/search-state.ts'

const tasks = ['A', 'B']
const armOf = (checkpoint: string, layer: string) => ({ key: `${checkpoint} ${layer}`, checkpoint, layer })
const own = [armOf('main', 'h0'), armOf('main', 'h1')]
const arms = [...own, armOf('step1', 'h0')]
const pull = (arm: string, scores: Readonly<Record<string, number>>, more: Partial<SearchPull> = {}): SearchPull => ({
  seq: 0,
  arm,
  checkpoint: arm.split(' ')[0] ?? '',
  layer: arm.split(' ')[1] ?? '',
  by: 'policy',
  tasks: Object.keys(scores),
  scores,
  seconds: 2,
  reused: 0,
  ...more,
})
const [low, high] = [pull('main h0', { A: 0.25, B: 0.5 }), pull('main h1', { A: 0.75, B: 1 })]
const rated = ratedBy({ arms, own, tasks, reward: { ...rewardDefaults, clip: Infinity }, aggregation: 'mean' })

describe('what pulls are worth', () => {
  test('is not known before every layer of the baseline is scored, and then of all', () => {
    expect(rated([low]).map(({ reward }) => reward)).toEqual([null])
    // A: mean 0.5, deviation 0.25; B: mean 0.75, deviation 0.25
    expect(rated([low, high]).map(({ reward }) => reward)).toEqual([-1, 1])
    expect(rated([low, high, pull('step1 h0', { A: 1, B: 0.75 })]).at(-1)?.reward).toBe(1)
  })

  test('comes with the last of the tasks that an arm is asked one by one', () => {
    const found = rated([low, high, pull('step1 h0', { A: 1 }), pull('step1 h0', { B: 0.75 })]).slice(2)
    expect(found.map(({ rewards, reward }) => [rewards, reward])).toEqual([
      [{ A: 2 }, null],
      [{ B: 0 }, 1],
    ])
  })

  test('is none of a share of the rows, which tells a policy its scores and the baseline nothing', () => {
    const share = pull('main h0', { A: 0, B: 0 }, { share: 0.5 })
    const found = rated([low, high, share, pull('step1 h0', { A: 1, B: 0.75 }, { share: 0.5 })])
    expect(found.map(({ rewards, reward }) => [rewards, reward]).slice(2)).toEqual([
      [{ A: 0, B: 0 }, null],
      [{ A: 1, B: 0.75 }, null],
    ])
    expect(found.slice(0, 2).map(({ reward }) => reward)).toEqual([-1, 1])
  })

  test('is none of an arm that failed; without any layer of the baseline there is no measure', () => {
    const failed = { scores: {}, failed: 'broken' }
    const one = rated([low, pull('main h1', {}, failed), pull('step1 h0', { A: 0.5, B: 0.75 })])
    // one layer is left: the plain difference to it
    expect(one.map(({ reward }) => reward)).toEqual([0, null, 0.25])
    expect(() => rated([pull('main h0', {}, failed), pull('main h1', {}, failed)])).toThrow(
      expect.objectContaining({ code: 'usage.conflict' }),
    )
  })
})

describe('what pulls cost', () => {
  const context = { name: 'lidar', seconds: 10, featuresOf: () => [] }

  test('is tasks and shares of their rows, and seconds with those of the context', () => {
    const pulls = [low, pull('step1 h0', { A: 1 }), pull('step1 h0', { A: 1, B: 1 }, { share: 0.25 })]
    expect(spentOn(pulls, tasks)).toBe(1 + 0.5 + 0.25)
    expect([totalSeconds(pulls, undefined), totalSeconds(pulls, context)]).toEqual([6, 16])
  })

  test('is summed up with the best of them, the first of equals', () => {
    const all = rated([low, high, pull('step1 h0', { A: 1, B: 0.75 }), pull('step1 h0', {}, { failed: 'x' })])
    expect(summarise(all, { tasks, context })).toEqual({
      pulls: 4,
      spent: 3,
      seconds: 18,
      best: { arm: 'main h1', reward: 1 },
      rewards: { 'main h0': -1, 'main h1': 1, 'step1 h0': 1 },
    })
    expect(summarise([], { tasks, context: undefined })).toMatchObject({ pulls: 0, best: null, rewards: {} })
  })
})
