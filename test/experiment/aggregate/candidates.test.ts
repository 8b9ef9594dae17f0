import { expect, test } from 'vitest'
import { matrix } from '#core'
import { aggregationNamed } from '#representation/aggregation'
import { makeCandidates } from '../../../src/experiment/aggregate/candidates.ts'
import type { LayerSpace } from '../../../src/experiment/aggregate/layer-space.ts'

const space: LayerSpace = {
  source: 'made up',
  similarities: () => Promise.reject(new Error('not asked')),
  width: (_, components) => Promise.resolve(components),
  basis: (_, width) => Promise.resolve({ mean: new Float32Array(8), components: matrix(width, 8) }),
  expect: () => undefined,
}

/** Of four layers, the first two and the last two alike. */
const alike = (first: number, last: number): Float64Array =>
  Float64Array.from({ length: 16 }, (_, at) => {
    const [i, j] = [Math.floor(at / 4), at % 4]
    return i === j ? 1 : Math.floor(i / 2) !== Math.floor(j / 2) ? 0.1 : i < 2 ? first : last
  })

test('the same clusters in another order are one candidate', async () => {
  const values = Float64Array.of(0.1, 0.2, 0.3, 0.4)
  const quality = { values, used: values, from: 'given', notes: {} }
  const settings = {
    methods: aggregationNamed('cluster_pca'),
    lambdas: [0.5],
    layerNorm: 'none',
    components: 3,
    clusters: 2,
  } as const
  const similarities = new Map([
    ['early', alike(0.9, 0.8)],
    ['late', alike(0.8, 0.9)],
  ])
  const found = await makeCandidates(space, () => quality, { ...settings, similarities })
  expect(found.map(({ recipes }) => recipes.map(({ similarity }) => similarity))).toEqual([['early', 'late']])
  expect(found[0]?.representation.mix).toMatchObject({ blocks: [{ layers: [0, 1] }, { layers: [2, 3] }] })
})
