import { expect, test } from 'vitest'
import { openSecondStage } from '#experiment/open'
import { writeAdaptedModel } from '../encode/adapted-model.ts'
import { codeOf } from '../../files/formats/made-files.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

test('a model with task adapters is a second stage by its vectors, and is refused by its tokens before anything runs', async () => {
  const folder = await writeAdaptedModel(path('adapted'))
  const second = await openSecondStage({ model: `${folder}#h1`, top: 3 })
  expect(second).toMatchObject({ representation: { kind: 'state', h: 1 }, top: 3 })
  await second.model.close()
  const refused = openSecondStage({ model: `${folder}#h1-maxsim` })
  expect(await codeOf(() => refused)).toBe('usage.conflict')
  // no flag names the adapter of a second stage
  await expect(refused).rejects.toMatchObject({ hint: 'let it search by vectors: MODEL#default' })
})
