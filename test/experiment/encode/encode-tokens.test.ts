import { expect, test } from 'vitest'
import { encodeIds } from '#experiment/encode'
import { openModel } from '#experiment/open'
import { openTensors, readFloat32, writeSafetensors } from '#files/formats'
import { goldenFolder } from '../../golden-of.ts'
import { type TestTensor, writeRepo } from '../../model/checkpoint/made-repo.ts'
import { drawnSource, familyGolden, type FamilyCase } from '../../model/graph/drawn-checkpoint.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

test('a last state of fewer rows than tokens: the states that are named come without it, alone it is refused', async () => {
  const file = goldenFolder<FamilyCase>('model/architectures', 'families').find(({ name }) => name === 'funnel-base')
  if (file === undefined) throw new Error('no such golden')
  const source = drawnSource(file)
  const tensors = await Promise.all(
    source
      .names()
      .map(async (name): Promise<[string, TestTensor]> => [
        name,
        { shape: source.info(name)?.shape ?? [], values: await readFloat32(source, name) },
      ]),
  )
  await writeRepo(path('funnel'), { 'config.json': file.config, 'model.safetensors': Object.fromEntries(tensors) })
  const golden = familyGolden(file)
  await writeSafetensors(
    path('ids.safetensors'),
    ['input_ids', 'attention_mask'].flatMap((name) => golden.get(name) ?? []),
  )
  const model = await openModel(path('funnel'))
  const asked = { out: path('out.safetensors'), tokens: true, logits: false }
  await encodeIds(model, path('ids.safetensors'), { ...asked, states: [0, 2] })
  await expect(encodeIds(model, path('ids.safetensors'), { ...asked, states: 'default' })).rejects.toThrow(
    'the last state has fewer rows than the text has tokens',
  )
  await model.close()
  const written = await openTensors(asked.out)
  expect(written.names().toSorted()).toEqual(['attention_mask', 'hidden_states.0', 'hidden_states.2', 'input_ids'])
  await written.close()
})
