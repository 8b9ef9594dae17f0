import { expect, test } from 'vitest'
import { openTensorSet, readFloat32 } from '#files/formats'
import { openRepo } from '#files/hub'
import { untrained } from '../../../src/experiment/open/untrained.ts'
import { scratchFolder } from '../../scratch.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path } = scratchFolder()

test('the matrices of blocks are drawn anew, everything before them stays', async () => {
  const source = await openTensorSet(await openRepo(await writeSmallModel(path('model'))))
  const [one, same, other] = [untrained(source, 1), untrained(source, 1), untrained(source, 2)]
  const values = async (of: typeof source, name: string): Promise<number[]> => Array.from(await readFloat32(of, name))
  const weight = 'encoder.layer.0.intermediate.dense.weight' // [8 × 4]
  const drawn = await values(one, weight)
  const bound = Math.sqrt(6 / 12)
  expect(Math.max(...drawn.map(Math.abs))).toBeLessThanOrEqual(bound)
  // of 32 uniform draws the largest is beyond nine tenths, but for one case in thirty
  expect(Math.max(...drawn.map(Math.abs))).toBeGreaterThan(0.9 * bound)
  expect(await values(same, weight)).toEqual(drawn)
  expect(await values(other, weight)).not.toEqual(drawn)
  expect(await values(one, 'encoder.layer.0.output.dense.bias')).toEqual(
    Array.from({ length: 4 }, () => Math.fround(0.01)),
  )
  expect(await values(one, 'encoder.layer.0.output.LayerNorm.weight')).toEqual([1, 1, 1, 1])
  expect(await values(one, 'encoder.layer.0.output.LayerNorm.bias')).toEqual([0, 0, 0, 0])
  expect(await values(one, 'embeddings.position_embeddings.weight')).toEqual(
    await values(source, 'embeddings.position_embeddings.weight'),
  )
  expect([one.locate(weight), one.locate('embeddings.position_embeddings.weight')]).toEqual([
    undefined,
    source.locate('embeddings.position_embeddings.weight'),
  ])
  expect(new Set([await source.identity(), await one.identity(), await other.identity()]).size).toBe(3)
  expect(await same.identity()).toBe(await one.identity())
  await source.close()
})
