import { expect, test } from 'vitest'
import { toModelIndex } from '#files/cards'

test('metrics of one subset and split share a result', () => {
  const score = {
    type: 'STS',
    task: 'STS17',
    dataset: 'mteb/sts17',
    revision: 'abc',
    subset: 'en-en',
    split: 'test',
    metric: 'main_score',
    value: 0.81,
  }
  const scores = [score, { ...score, metric: 'pearson', value: 0.8 }, { ...score, subset: 'de-de', value: 0.7 }]
  expect(toModelIndex('org/name', scores)).toEqual([
    {
      name: 'org/name',
      results: [
        {
          task: { type: 'STS' },
          dataset: { name: 'MTEB STS17', type: 'mteb/sts17', config: 'en-en', split: 'test', revision: 'abc' },
          metrics: [
            { type: 'main_score', value: 0.81 },
            { type: 'pearson', value: 0.8 },
          ],
        },
        {
          task: { type: 'STS' },
          dataset: { name: 'MTEB STS17', type: 'mteb/sts17', config: 'de-de', split: 'test', revision: 'abc' },
          metrics: [{ type: 'main_score', value: 0.7 }],
        },
      ],
    },
  ])
})
