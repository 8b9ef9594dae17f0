import { mkdir } from 'node:fs/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Matrix } from '#core'
import { openModel } from '#experiment/open'
import type { ModelOptions } from '#model/passes'
import { statesOf } from '#model/checkpoint'
import { engineStates } from '#platform/runtime'
import { openStore } from '#platform/vectors'
import { specOf } from '#model/architectures'
import { readSettings } from '../../../src/model/checkpoint/settings.ts'
import { settleArithmetic, typesOf } from '../../../src/model/passes/arithmetic.ts'
import { scratchFolder } from '../../scratch.ts'
import { bertConfig } from '../architectures/small-configs.ts'
import { bertTensors } from '../graph/plain-forward.ts'
import { wordLevelJson } from '../tokenizer/small-tokenizers.ts'
import { type TestTensor, writeRepo } from '../checkpoint/made-repo.ts'

const { path } = scratchFolder()
const states = await engineStates()
const openvino = states.find(({ name }) => name === 'openvino')
const intTypes = states.flatMap((state) => (state.name === 'onnxruntime' ? typesOf(state) : []))

/** A folder without the library: whatever lies elsewhere on the machine is not asked. */
async function withoutOpenVino(): Promise<void> {
  await mkdir(path('empty'), { recursive: true })
  vi.stubEnv('STRATA_OPENVINO', path('empty'))
  onTestFinished(() => void vi.unstubAllEnvs())
}

describe('where OpenVINO is not installed', () => {
  test('the default and auto are ONNX Runtime in float32', async () => {
    await withoutOpenVino()
    expect(await settleArithmetic({})).toEqual({ engine: 'onnxruntime', type: 'float32' })
    expect(await settleArithmetic({ engine: 'auto' })).toEqual({ engine: 'onnxruntime', type: 'float32' })
  })

  test.each([
    [{ engine: 'openvino' }, '--engine openvino'],
    [{ dtype: 'bfloat16' }, '--dtype bfloat16'],
    [{ engine: 'auto', dtype: 'float16' }, '--dtype float16'],
    [{ engine: 'openvino', device: 'cuda' }, '--engine openvino'],
    [{ dtype: 'int8', device: 'cuda' }, '--dtype int8'],
    [{ dtype: 'float16', device: 'webgpu' }, '--dtype float16'],
    [{ engine: 'auto', dtype: 'bfloat16', device: 'coreml' }, '--dtype bfloat16'],
    [{ engine: 'openvino', dtype: 'float16', device: 'cuda:1' }, '--engine openvino'],
    [{ engine: 'openvino', dtype: 'int8' }, '--engine openvino'],
  ] as const)('%j is refused, not replaced', async (options, place) => {
    await withoutOpenVino()
    await expect(settleArithmetic(options)).rejects.toMatchObject({ code: 'engine.device', parts: { place } })
  })
})

test.each(['float32', 'bfloat16', 'float16'] as const)('CUDA computes in %s, on ONNX Runtime', async (dtype) => {
  for (const engine of ['onnxruntime', 'auto'] as const)
    expect(await settleArithmetic({ engine, dtype, device: 'cuda:1' })).toEqual({ engine: 'onnxruntime', type: dtype })
})

test.each([
  ['cpu', 'float32', 'f32', []],
  ['cuda', 'float32', 'f32', ['cuda']],
  ['cuda:1', 'float16', 'f16', ['cuda', 'f16']],
  ['cuda', 'bfloat16', 'bf16', ['cuda', 'bf16']],
  ['webgpu', 'float32', 'f32', ['webgpu']],
  ['coreml', 'float32', 'f32', ['coreml']],
  ['dml', 'float32', 'f32', ['dml']],
] as const)(
  '%s in %s has settings and a name of its own, whichever of several it is',
  (device, type, dtype, overrides) => {
    const from = { modules: undefined, tokenizer: undefined, rule: undefined, place: 'bert' }
    const read = readSettings(
      { ...from, spec: specOf(bertConfig), arithmetic: { engine: 'onnxruntime', type } },
      { device },
    )
    expect(read.settings).toMatchObject({ dtype, device: device.split(':')[0] })
    expect(read.overrides).toEqual(overrides)
  },
)

test.each([
  [{ engine: 'onnxruntime', type: 'float32' }, undefined, 'f32', []],
  [{ engine: 'openvino', type: 'float32', version: '1' }, 'openvino 1', 'f32', ['openvino']],
  [{ engine: 'openvino', type: 'float32', version: '2' }, 'openvino 2', 'f32', ['openvino']],
  [{ engine: 'openvino', type: 'bfloat16', version: '2' }, 'openvino 2', 'bf16', ['bf16']],
  [{ engine: 'openvino', type: 'float16', version: '2' }, 'openvino 2', 'f16', ['f16']],
  [{ engine: 'onnxruntime', type: 'int8', integerWeights: 'uint8' }, undefined, 'int8', ['int8']],
  [{ engine: 'onnxruntime', type: 'int8', integerWeights: 'int8' }, undefined, 'int8', ['int8']],
] as const)(
  '%j has settings, which keys and fingerprints hold, and a name of its own',
  (arithmetic, engine, dtype, overrides) => {
    const read = readSettings(
      {
        spec: specOf(bertConfig),
        modules: undefined,
        tokenizer: undefined,
        rule: undefined,
        arithmetic,
        place: 'bert',
      },
      {},
    )
    expect(read.settings).toMatchObject({ dtype, engine })
    expect(read.overrides).toEqual(overrides)
  },
)

test('a static table has no other type to compute in', async () => {
  const folder = path('static')
  await writeRepo(folder, {
    'config.json': { model_type: 'model2vec', normalize: false },
    'tokenizer.json': wordLevelJson(),
    'model.safetensors': { embeddings: { shape: [8, 2], values: Array.from({ length: 16 }, (_, i) => i) } },
  })
  await expect(openModel(folder, { dtype: 'bfloat16' })).rejects.toMatchObject({
    code: 'usage.conflict',
    parts: { seen: '--dtype bfloat16' },
  })
})

interface Encoded {
  readonly vectors: Matrix
  readonly missing: number
  readonly overrides: readonly string[]
  readonly dtype: string
}

/** The texts' vectors of state 1, on one cache for all. */
async function vectorsOf(options: ModelOptions, texts: readonly string[] = ['hello world', 'world']): Promise<Encoded> {
  await writeRepo(path('bert'), {
    'config.json': bertConfig,
    'tokenizer.json': wordLevelJson(),
    'model.safetensors': stored(),
  })
  const model = await openModel(path('bert'), { store: openStore(path('vectors')), ...options })
  try {
    const asked = { texts, prompt: null }
    const kept = await statesOf(model).vectors()
    const missing = await kept.missing(asked, 'all')
    await kept.ensure(asked, 'all')
    return { vectors: await kept.read('h1', asked), missing, overrides: model.overrides, dtype: model.settings.dtype }
  } finally {
    await model.close()
  }
}

describe.skipIf(!intTypes.includes('int8'))('int8', () => {
  test('has a name and a place of its own on one cache, and is near float32', async () => {
    const [first, second] = [await vectorsOf({}), await vectorsOf({ dtype: 'int8' })]
    expect(second).toMatchObject({ missing: 2, overrides: ['int8'], dtype: 'int8' })
    expect((await vectorsOf({ dtype: 'int8' })).missing).toBe(0)
    expect((await vectorsOf({})).vectors).toEqual(first.vectors)
    const [errors, squares] = first.vectors.data.reduce(
      ([e, q], value, i) => [e + (value - (second.vectors.data[i] ?? NaN)) ** 2, q + value ** 2],
      [0, 0],
    )
    // One block of six products, 1 % each (test/model/graph/every-pico-model.test.ts).
    expect(Math.sqrt(errors / squares)).toBeLessThan(0.03)
    expect(errors).toBeGreaterThan(0)
  })

  test('gives a text the same bits alone as in a batch', async () => {
    const texts = ['hello world', 'world', 'hello', 'world hello world']
    const together = await vectorsOf({ dtype: 'int8', store: openStore(path('together')) }, texts)
    for (const [i, text] of texts.entries()) {
      const { vectors } = await vectorsOf({ dtype: 'int8', store: openStore(path(`alone-${i}`)) }, [text])
      expect(vectors.data).toEqual(together.vectors.data.slice(i * vectors.width, (i + 1) * vectors.width))
    }
  })
})

describe.skipIf(openvino?.available !== true)('with OpenVINO', () => {
  test('vectors of either engine are kept apart on one cache, under their names, and are near to each other', async () => {
    const store = openStore(path('either'))
    const first = await vectorsOf({ store })
    const second = await vectorsOf({ engine: 'openvino', store })
    expect([first.missing, second.missing]).toEqual([2, 2])
    expect([first.overrides, second.overrides]).toEqual([[], ['openvino']])
    expect((await vectorsOf({ store })).missing).toBe(0)
    expect((await vectorsOf({ engine: 'openvino', store })).missing).toBe(0)
    // Both sum in float32, in another order: some units in the last place of numbers near 1.
    const differences = second.vectors.data.map((value, i) => Math.abs(value - (first.vectors.data[i] ?? NaN)))
    expect(Math.max(...differences)).toBeLessThan(1e-5)
  })

  test('batches that are computed side by side come back to their texts', async () => {
    const words = ['hello', 'world', 'hello world', 'world world hello']
    const texts = Array.from({ length: 256 }, (_, i) =>
      [0, 2, 4, 6].map((shift) => words[(i >> shift) & 3] ?? '').join(' '),
    )
    const [alone, beside] = await Promise.all(
      [1, 2].map((threads) =>
        vectorsOf(
          { engine: 'openvino', threads, batchTokens: 64, store: openStore(path(`threads-${threads}`)) },
          texts,
        ),
      ),
    )
    // one thread and two sum in another order
    const differences = beside?.vectors.data.map((value, i) => Math.abs(value - (alone?.vectors.data[i] ?? NaN))) ?? []
    expect(differences).toHaveLength(texts.length * (alone?.vectors.width ?? NaN))
    expect(Math.max(...differences)).toBeLessThan(1e-5)
  })

  const able = openvino?.available === true ? openvino.precisions : []
  test.skipIf(!able.includes('bfloat16'))('bfloat16 has a name and a place of its own', async () => {
    await vectorsOf({ engine: 'openvino' })
    const narrow = await vectorsOf({ engine: 'openvino', dtype: 'bfloat16' })
    expect(narrow).toMatchObject({ missing: 2, overrides: ['bf16'], dtype: 'bf16' })
  })
})

function stored(): Record<string, TestTensor> {
  return Object.fromEntries(
    Object.entries(bertTensors).map(([name, { shape, data }]) => [name, { shape, values: data }]),
  )
}
