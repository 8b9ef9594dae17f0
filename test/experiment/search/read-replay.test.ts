import { expect, test } from 'vitest'
import { readReplay } from '#experiment/search'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()

test('a replay that is not there is a fault, and another document none', async () => {
  await expect(readReplay(path('none.json'))).rejects.toMatchObject({ code: 'file.missing' })
  expect(await readReplay(file('other.json', '{"model": "org/name"}'))).toBeUndefined()
})
