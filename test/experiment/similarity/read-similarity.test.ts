import { expect, test } from 'vitest'
import { readSimilarity } from '#experiment/similarity'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()

test('a similarity that is not there is a fault, and another document none', async () => {
  await expect(readSimilarity(path('none.json'))).rejects.toMatchObject({ code: 'file.missing' })
  expect(await readSimilarity(file('other.json', '{"model": "org/name"}'))).toBeUndefined()
})
