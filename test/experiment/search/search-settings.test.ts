import { describe, expect, test } from 'vitest'
import { rewardDefaults } from '#experiment/search'
import { toSettings } from '../../../src/experiment/search/search-settings.ts'
import type { SearchOptions } from '../../../src/experiment/search/search-options.ts'

const checkpoints = ['step1', 'main'].map((name) => ({ name, reference: `org/model@${name}` }))
const [first = { name: '', reference: '' }, last = first] = checkpoints
const options: SearchOptions = {
  policy: 'linucb',
  budget: 24,
  alpha: 1,
  seed: 42,
  reward: rewardDefaults,
  aggregation: 'mean',
  costAware: false,
  layers: 'all',
  sweep: { tasks: [] },
  open: () => Promise.reject(new Error('nothing is opened')),
  folder: 'search',
}
const written = (more: Partial<SearchOptions> = {}): string =>
  JSON.stringify(toSettings(checkpoints, last, ['A', 'B'], { ...options, ...more }))

describe('settings of a search', () => {
  test('change with everything that moves which arm is pulled, or what it is worth', () => {
    const changes: Partial<SearchOptions>[] = [
      { policy: 'random' },
      { alpha: 0.5 },
      { seed: 7 },
      { reward: { ...rewardDefaults, kind: 'same-layer' } },
      { reward: { ...rewardDefaults, clip: 2 } },
      { reward: { ...rewardDefaults, clip: Infinity } },
      { reward: { ...rewardDefaults, floor: 0.01 } },
      { aggregation: 'median' },
      { costAware: true },
      { layers: '1,2' },
      { representations: ['default'] },
      { neighbours: [2] },
      { shares: [0.25] },
      { context: { name: 'lidar', load: () => Promise.reject(new Error('not asked')) } },
      { sweep: { tasks: [], splits: ['dev'] } },
      { sweep: { tasks: [], subsets: ['en'] } },
      { sweep: { tasks: [], languages: ['eng'] } },
      { sweep: { tasks: [], profile: 'mteb-1' } },
      { sweep: { tasks: [], kmeans: 'B' } },
    ]
    const all = [
      written(),
      ...changes.map(written),
      ...[
        toSettings(checkpoints, first, ['A', 'B'], options),
        toSettings(checkpoints, last, ['B', 'A'], options),
        toSettings([first], last, ['A', 'B'], options),
        toSettings([first, { ...last, reference: 'org/other@main' }], last, ['A', 'B'], options),
      ].map((settings) => JSON.stringify(settings)),
    ]
    expect(new Set(all).size).toBe(changes.length + 5)
  })

  test('stay with what only says how far it goes, where it is kept and who listens', () => {
    for (const more of [{ budget: 48 }, { budgetSeconds: 60 }, { folder: 'other' }, { onPull: () => undefined }])
      expect(written(more)).toBe(written())
  })

  test('change with the budget where a policy spreads it', () => {
    expect(written({ policy: 'halving' })).not.toBe(written({ policy: 'halving', budget: 48 }))
  })

  test('of raw scores name no baseline', () => {
    const raw = { ...options, reward: { ...rewardDefaults, kind: 'raw' as const } }
    expect(toSettings(checkpoints, first, ['A'], raw)).toEqual(toSettings(checkpoints, last, ['A'], raw))
  })
})
