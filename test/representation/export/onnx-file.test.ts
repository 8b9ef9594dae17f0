import { readFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { expect, test } from 'vitest'
import type { ModelMessage } from '#platform/onnx'
import { writeOnnx } from '../../../src/representation/export/onnx-file.ts'
import { scratchFolder } from '../../scratch.ts'
import { external, node, value } from '../../platform/onnx/small-graphs.ts'
import { smallSource } from './small-source.ts'

const { path } = scratchFolder()
const tensors = smallSource({
  u: { dtype: 'F32', shape: [2], values: [10, 20] },
  v: { dtype: 'F32', shape: [2], values: [3, 5] },
})
const two = new Uint8Array(Float32Array.of(2, 2).buffer)

/** 2 · (x + u) + v */
const message: ModelMessage = {
  name: 'test',
  opsets: { '': 20 },
  nodes: [node('Add', ['x', 'u'], ['a']), node('Mul', ['a', 'two'], ['b']), node('Add', ['b', 'v'], ['y'])],
  initializers: [
    external({ name: 'u', dims: [2], location: 'u' }),
    { name: 'two', type: 'float32', dims: [2], data: two },
    external({ name: 'v', dims: [2], location: 'v' }),
  ],
  inputs: [value('x', 'float32', [2])],
  outputs: [value('y', 'float32', [2])],
}

async function answer(file: string): Promise<number[]> {
  const session = await InferenceSession.create(file)
  const { y } = await session.run({ x: new Tensor('float32', Float32Array.of(1, 1), [2]) })
  await session.release()
  return [...((y?.data ?? []) as Float32Array)]
}

async function written(name: string, limit?: number): Promise<string> {
  await mkdir(path(name))
  await writeOnnx(path(name), message, tensors, { limit })
  return path(name)
}

test('weights stand in the file itself, also where it lies alone', async () => {
  const folder = await written('inside')
  expect(await readdir(folder)).toEqual(['model.onnx'])
  expect(await answer(join(folder, 'model.onnx'))).toEqual([25, 47])
})

test('beyond the limit they lie in a file beside it, each where a reader can map it', async () => {
  const folder = await written('beside', 100)
  expect((await readdir(folder)).sort()).toEqual(['model.onnx', 'model.onnx_data'])
  expect(await answer(join(folder, 'model.onnx'))).toEqual([25, 47])
  const data = readFileSync(join(folder, 'model.onnx_data'))
  expect([data.length, data.readFloatLE(0), data.readFloatLE(4096)]).toEqual([4096 + 8, 10, 3])
})

test('a tensor that cannot be read leaves no file behind', async () => {
  const broken = { ...tensors, read: () => Promise.reject(new Error('gone')) }
  await mkdir(path('broken'))
  await expect(writeOnnx(path('broken'), message, broken)).rejects.toThrow('gone')
  expect(await readdir(path('broken'))).toEqual([])
})
