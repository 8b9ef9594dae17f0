import { expect, test } from 'vitest'
import { commonDims, representationGrid, representationName, vectorBytes } from '#representation/layers'
import { chooseSmallest, frontNames } from '../../../src/experiment/frontier/front.ts'

const candidates = [
  { name: 'whole', bytes: 1536, score: 0.9 },
  { name: 'half', bytes: 768, score: 0.9 },
  { name: 'worse', bytes: 800, score: 0.85 },
  { name: 'tiny', bytes: 48, score: 0.889 },
  { name: 'tinier', bytes: 16, score: 0.8 },
  { name: 'failed', bytes: 1, score: null },
]

test('the front is what nothing beats on score and bytes at once, the smallest first', () => {
  expect(frontNames(candidates)).toEqual(['tinier', 'tiny', 'half'])
})

test('the smallest within the loss is chosen', () => {
  expect(chooseSmallest(candidates, 0.01)).toBe('half')
  expect(chooseSmallest(candidates, 0.012)).toBe('tiny')
  expect(chooseSmallest(candidates, 0.2)).toBe('tinier')
  expect(chooseSmallest([], 0.2)).toBeUndefined()
})

test('a vector has the bytes of its file', () => {
  const types = ['float32', 'float16', 'int8', 'uint8', 'binary', 'ubinary'] as const
  expect(types.map((type) => vectorBytes(20, type))).toEqual([80, 40, 20, 20, 3, 3])
})

test('a grid has every size and type once, and whole vectors keep their name', () => {
  expect([commonDims(384), commonDims(32), commonDims(20)]).toEqual([[32, 64, 128, 256, 384], [32], [20]])
  const wholes = [
    { of: { kind: 'default' } as const, width: 40 },
    { of: { kind: 'state', h: 2, pooling: 'cls' } as const, width: 16 },
  ]
  const points = representationGrid(wholes, { dims: [16, 40], types: ['float32', 'binary'] })
  expect(points.map(({ representation, bytes }) => [representationName(representation), bytes])).toEqual([
    ['default:16', 64],
    ['default:16:binary', 2],
    ['default', 160],
    ['default:binary', 5],
    ['h2-cls', 64],
    ['h2-cls:binary', 2],
  ])
})
