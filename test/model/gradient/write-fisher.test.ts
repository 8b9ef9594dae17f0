import { expect, test } from 'vitest'
import { openTensors, readFloat32 } from '#files/formats'
import { diagonalFisher, writeFisher } from '#model/gradient'
import { scratchFolder } from '../../scratch.ts'
import { cases, drawnSource, examples } from './tiny-classifier.ts'

const { path } = scratchFolder()

test('the file has the names and shapes of the model, and the values', async () => {
  const one = cases[0]!
  const tensors = drawnSource(one)
  const diagonal = await diagonalFisher({ config: one.config, tensors, examples, labels: 'labelled' })
  await writeFisher(path('fisher.safetensors'), diagonal, tensors)
  const written = await openTensors(path('fisher.safetensors'))
  expect(written.names().toSorted()).toEqual(tensors.names().toSorted())
  for (const name of written.names()) {
    expect(written.info(name)).toEqual(tensors.info(name))
    expect(await readFloat32(written, name)).toEqual(diagonal.get(name))
  }
  await written.close()
})

test('a name that the model lacks is refused', async () => {
  const diagonal = new Map([['pooler', Float32Array.of(1)]])
  await expect(writeFisher(path('other.safetensors'), diagonal, drawnSource(cases[0]!))).rejects.toMatchObject({
    code: 'tensor.missing',
  })
})
