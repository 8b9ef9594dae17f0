/** Parts of the older score: silhouette and purity by hand, as scikit-learn defines them. */
import { expect, test } from 'vitest'
import { matrix } from '#core'
import { legacyClusters, purity, silhouette } from '../../../src/task/protocols/contrast-legacy.ts'

/** Points of a line. */
const line = (...values: number[]) => matrix(values.length, 1, Float32Array.from(values))

test('silhouette: nearest other topic against the own one, Euclidean, on the true topics', () => {
  // a: distance within the topic, b: mean distance to the other; (b − a) / max(a, b)
  const byHand = [(11 - 1) / 11, (10 - 1) / 10, (9.5 - 2) / 9.5, (11.5 - 2) / 11.5]
  expect(silhouette(line(0, 1, 10, 12), ['x', 'x', 'y', 'y'])).toBeCloseTo(
    byHand.reduce((sum, value) => sum + value, 0) / 4,
    6,
  )
  // mixed topics: 0 and 4 are 4 apart, and on average 1.5 or 2.5 from 1 and 2
  expect(silhouette(line(0, 4, 1, 2), ['x', 'x', 'y', 'y'])).toBeCloseTo(
    ((1.5 - 4) / 4 + (2.5 - 4) / 4 + (2 - 1) / 2 + (2 - 1) / 2) / 4,
    6,
  )
})

test('silhouette: the nearest of several topics counts, a text alone in its topic gives 0, equal texts too', () => {
  // 0: a = 1, b = min(5, 20); 1: a = 1, b = min(4, 19); the two alone give 0
  expect(silhouette(line(0, 1, 5, 20), ['x', 'x', 'y', 'z'])).toBeCloseTo((4 / 5 + 3 / 4) / 4, 6)
  expect(silhouette(line(3, 3, 3, 3), ['x', 'x', 'y', 'y'])).toBe(0)
})

test('silhouette does not depend on scale or place, so that a shrunk space keeps its part', () => {
  const topics = ['x', 'x', 'y', 'y']
  expect(silhouette(line(100, 100.5, 105, 106), topics)).toBeCloseTo(silhouette(line(0, 1, 10, 12), topics), 5)
})

test('purity: the most frequent topic of each cluster', () => {
  expect(purity([0, 0, 1, 1, 1], ['x', 'x', 'x', 'y', 'y'])).toBe(4 / 5)
  expect(purity([0, 1, 2, 3], ['x', 'x', 'y', 'y'])).toBe(1)
  expect(purity([0, 0, 0, 0], ['x', 'x', 'y', 'z'])).toBe(1 / 2)
})

test('the part of clusters is the mean of both; clusters far apart are found', async () => {
  const [points, topics] = [line(0, 1, 50, 52, 100, 103), ['x', 'x', 'y', 'y', 'z', 'z']]
  expect(await legacyClusters(points, topics)).toBeCloseTo((silhouette(points, topics) + 1) / 2, 12)
})
