import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TensorSource } from '#core'
import { specOf } from '#model/architectures'
import { openGraphs } from '#model/passes'
import { weightsFile } from '../../../src/model/passes/weights-file.ts'
import { scratchFolder } from '../../scratch.ts'
import { bertConfig } from '../architectures/small-configs.ts'
import { bertTensors } from '../graph/plain-forward.ts'
import { memorySource } from '../graph/safetensors-source.ts'

const { path } = scratchFolder()
let parent: string
beforeEach(({ task }) => {
  parent = path(task.id)
  mkdirSync(parent)
})

describe('a file of weights', () => {
  test('holds copies of large ones, one behind the other, until it is removed', async () => {
    const file = weightsFile({ parent, least: 3 })
    const [one, few, two] = [Uint8Array.of(1, 2, 3), Uint8Array.of(9, 9), Uint8Array.of(4, 5, 6, 7)]
    const [first, none, second] = [await file.add(one), await file.add(few), await file.add(two)]
    expect(none).toBeUndefined()
    expect(first).toMatchObject({ offset: 0, byteLength: 3 })
    expect(second).toEqual({ path: first?.path, offset: 3, byteLength: 4 })
    expect([...readFileSync(first?.path ?? '')]).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect([...one, ...two]).toEqual([1, 2, 3, 4, 5, 6, 7])
    await file.remove()
    await file.remove()
    expect(readdirSync(parent)).toEqual([])
  })

  test('is not made for small ones', async () => {
    const file = weightsFile({ parent })
    expect(await file.add(new Uint8Array(2 ** 16 - 1))).toBeUndefined()
    expect(readdirSync(parent)).toEqual([])
    expect(await file.add(new Uint8Array(2 ** 16))).toBeDefined()
    await file.remove()
  })

  test('leaves weights where they are when the disk does not take them', async () => {
    const file = weightsFile({ parent: path('absent'), least: 1 })
    expect(await file.add(Uint8Array.of(1))).toBeUndefined()
    mkdirSync(path('absent'))
    expect(await file.add(Uint8Array.of(1))).toBeUndefined()
    await file.remove()
  })
})

/** BERT whose table of positions takes 1 MiB. */
describe('a model whose weights lie in no file', () => {
  const { hidden_size: width } = bertConfig
  const positions = 2 ** 18 / width
  const table = 'embeddings.position_embeddings.weight'
  const spec = specOf({ ...bertConfig, max_position_embeddings: positions })
  const data = Float32Array.from({ length: 2 ** 18 }, (_, i) => Math.sin(i))
  const tensors = { ...bertTensors, [table]: { shape: [positions, width], data } }
  /** Entries of the temporary folder while tensors were read. */
  let seen: string[]
  /** The engine has files of its own there. */
  const ours = (): string[] => readdirSync(parent).filter((name) => name.startsWith('strata-'))
  const source = (): TensorSource => {
    const inner = memorySource(tensors)
    return {
      ...inner,
      read(name) {
        seen.push(...ours())
        return inner.read(name)
      },
    }
  }
  const open = (threads = 1) =>
    openGraphs(spec, source(), { threads, engine: 'onnxruntime', type: 'float32', integerWeights: undefined })
  const state = async (graphs: ReturnType<typeof open>): Promise<Float32Array> => {
    const { session } = await graphs.open({ lastState: true })
    const outputs = await session.run({
      input_ids: { dtype: 'int32', dims: [1, 3], data: Int32Array.of(4, 2, 7) },
      attention_mask: { dtype: 'int32', dims: [1, 3], data: Int32Array.of(1, 1, 1) },
    })
    return outputs['last_hidden_state']?.data as Float32Array
  }

  beforeEach(() => {
    seen = []
    vi.stubEnv('TMPDIR', parent)
  })
  afterEach(() => void vi.unstubAllEnvs())

  test('is opened from a file without a name, twice at once, and the weights stay with their source', async () => {
    const [one, two] = [open(), open()]
    const [here, there] = await Promise.all([state(one), state(two)])
    expect(new Set(seen).size).toBe(2)
    expect(seen.every((name) => name.startsWith('strata-weights-'))).toBe(true)
    expect(ours()).toEqual([])
    expect(data[1]).toBe(Math.fround(Math.sin(1)))
    expect(here.every(Number.isFinite)).toBe(true)
    expect(there).toEqual(here)
    await Promise.all([one.close(), two.close()])

    // no folder for temporary files: everything is in memory, as it was before there was the file
    vi.stubEnv('TMPDIR', path('nowhere'))
    const inMemory = open()
    expect(await state(inMemory)).toEqual(here)
    await inMemory.close()
  })

  test('that the engine refuses leaves no file', async () => {
    await expect(state(open(0))).rejects.toMatchObject({ code: 'usage.value' })
    expect(new Set(seen).size).toBe(1)
    expect(ours()).toEqual([])
  })

  test('that cannot be read to its end leaves no file', async () => {
    const broken = { ...source() }
    const graphs = openGraphs(
      spec,
      {
        ...broken,
        read: (name) =>
          name.startsWith('encoder.layer.1.') ? Promise.reject(new Error('disk lost')) : broken.read(name),
      },
      { threads: 1, engine: 'onnxruntime', type: 'float32', integerWeights: undefined },
    )
    await expect(state(graphs)).rejects.toThrow('disk lost')
    expect(new Set(seen).size).toBe(1)
    expect(ours()).toEqual([])
  })
})
