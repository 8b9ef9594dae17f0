import { readdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openMeasured } from '../../../src/experiment/bench/open-measured.ts'
import { scratchFolder } from '../../scratch.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path, file } = scratchFolder()

test('a model is timed on every text, its tokens are counted, and a wrong name is refused', async () => {
  await writeSmallModel(path('model'))
  file('model/README.md', 'not a part of the model')
  let reads = 0
  const clock = (): number => reads++
  const request = { reference: path('model'), texts: ['a b', 'b', 'a'], options: {} }
  const model = await openMeasured({ ...request, representation: 'default' }, { clock })
  try {
    // every pair of readings is one tick apart
    expect(model.opened).toMatchObject({ model: 'model', representation: 'default', loadSeconds: 1 })
    // each file once: the folder has what a model is read from, and a text about it, which nobody reads
    const read = readdirSync(path('model')).filter((name) => name !== 'README.md')
    expect(read.length).toBeGreaterThanOrEqual(3)
    const sizes = read.map((name) => statSync(path(`model/${name}`)).size)
    expect(model.opened.fileBytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
    const [alone, together] = [await model.round(1), await model.round(2)]
    expect([alone.calls, together.calls]).toEqual([
      [1, 1, 1],
      [1, 1],
    ])
    // the tokens of a text do not depend on its company
    expect(alone.tokens).toBe(together.tokens)
    expect(alone.tokens).toBeGreaterThanOrEqual(4)
  } finally {
    await model.close()
  }
  await expect(openMeasured({ ...request, representation: 'h99' }, { clock })).rejects.toMatchObject({
    code: 'representation.unknown',
  })
})
