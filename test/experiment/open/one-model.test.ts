import { expect, test } from 'vitest'
import { oneModel } from '#experiment/open'
import type { Model } from '#model/checkpoint'

test('one at a time: shared by its name, closed before another opens, and at the end', async () => {
  const said: string[] = []
  const { of, close } = oneModel(
    async (name: string) => {
      said.push(`open ${name}`)
      if (name === 'broken') throw new Error('broken')
      return { close: async () => void said.push(`close ${name}`) } as unknown as Model
    },
    (name) => name,
  )
  const first = await of('a')
  expect(await of('a')).toBe(first)
  await of('b')
  await expect(of('broken')).rejects.toThrow('broken')
  // what did not open is not held
  await of('b')
  await close()
  await close()
  expect(said).toEqual(['open a', 'close a', 'open b', 'close b', 'open broken', 'open b', 'close b'])
})
