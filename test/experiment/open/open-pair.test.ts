import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPair } from '#experiment/open'
import { makeModel } from '../../model/merge/models.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const table = '/proc/self/fd'

/** Files below the test's folder that this process holds open. */
function openFiles(): string[] {
  return readdirSync(table).flatMap((name) => {
    try {
      const target = readlinkSync(join(table, name))
      return target.startsWith(path('')) ? [target.slice(path('').length)] : []
    } catch {
      // the listing's own
      return []
    }
  })
}

test.runIf(process.platform === 'linux')(
  'two models are open until they are closed, and neither where one cannot be opened',
  async () => {
    const [one, two, broken] = [
      await makeModel(path('one')),
      await makeModel(path('two')),
      await makeModel(path('broken')),
    ]
    const { models, close } = await openPair(one, two)
    expect(models.map(({ model, config }) => [model, config['model_type']])).toEqual([
      [one, 'llama'],
      [two, 'llama'],
    ])
    expect(openFiles()).toHaveLength(2)
    await close()
    expect(openFiles()).toEqual([])
    writeFileSync(join(broken, 'config.json'), '{')
    await expect(openPair(one, broken)).rejects.toThrow('config.json')
    expect(openFiles()).toEqual([])
  },
)
