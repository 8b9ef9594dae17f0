import { expect, test } from 'vitest'
import { frontierNames } from '#result/statistics'

test('the frontier is made of the points that none beats on both axes', () => {
  const points = [
    { name: 'fast', x: 10, y: 1 },
    { name: 'good', x: 1, y: 10 },
    { name: 'beaten', x: 1, y: 9 },
    { name: 'middle', x: 5, y: 5 },
    { name: 'level', x: 5, y: 5 },
    { name: 'poor', x: 4, y: 4 },
  ]
  expect(frontierNames(points)).toEqual(['fast', 'middle', 'good'])
})
