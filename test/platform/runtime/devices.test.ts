import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { devices, engineStates, engineVersion, openSession, type DeviceState } from '#platform/runtime'
import { float32, product } from '../onnx/small-graphs.ts'
import { engineOf, engineList } from './engines.ts'

const states = await devices()
const missing = states.filter(({ available }) => !available)

test('every device is listed with a yes, or a no and the reason', () => {
  expect(states.map(({ name }) => name)).toEqual(['cpu', 'webgpu', 'cuda', 'coreml', 'dml'])
  expect(states.find(({ name }) => name === 'cpu')).toEqual({ name: 'cpu', available: true } satisfies DeviceState)
  for (const { reason } of missing) expect(reason).toMatch(/\S/)
})

describe.skipIf(missing.length === 0).each(missing)('$name, which is not here,', ({ name, reason }) => {
  test('is refused with the reason of the engine and what to install', () =>
    expect(openSession(product, { device: name })).rejects.toMatchObject({
      code: 'engine.device',
      parts: { seen: reason, hint: expect.stringMatching(/driver|--install cuda/) },
    }))
})

test('the engine has a version', async () => {
  expect(await engineVersion()).toMatch(/^\d+\.\d+\.\d+/)
})

describe('engines', () => {
  test('every engine is listed with its version and what it computes in, or the reason why it is not there and what to do', () => {
    expect(engineList.map(({ name }) => name)).toEqual(['onnxruntime', 'openvino'])
    expect(engineOf('onnxruntime')).toEqual({
      name: 'onnxruntime',
      available: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      precisions: ['float32'],
      // Every processor multiplies bytes exactly in one of the two forms.
      integerWeights: expect.stringMatching(/^u?int8$/),
    })
    for (const state of engineList) {
      const said = state.available ? [state.version, ...state.precisions] : [state.reason, state.hint ?? '']
      expect(said.filter((word) => !/\S/.test(word))).toEqual([])
      expect(said.includes('float32')).toBe(state.available)
    }
  })

  const cases = engineList.flatMap((state) =>
    state.available
      ? (['bfloat16', 'float16'] as const).map((precision) => ({
          engine: state.name,
          precision,
          here: state.precisions,
        }))
      : [],
  )
  const [possible, impossible] = [
    cases.filter(({ precision, here }) => here.includes(precision)),
    cases.filter(({ precision, here }) => !here.includes(precision)),
  ]

  // The engine says itself what it took; another one would be refused.
  describe.skipIf(possible.length === 0)('where the processor has it', () => {
    test.each(possible)('$engine computes in $precision', async ({ engine, precision }) => {
      const session = await openSession(product, { engine, precision })
      expect(await session.run({ a: float32([1, 2], [1, 2]), b: float32([2, 1], [3, 4]) })).toEqual({
        c: float32([1, 1], [11]),
      })
      await session.close()
    })
  })

  describe.skipIf(impossible.length === 0)('where it has not', () => {
    test.each(impossible)('$engine refuses $precision, and says what there is', ({ engine, precision, here }) =>
      expect(openSession(product, { engine, precision })).rejects.toMatchObject({
        code: 'engine.device',
        parts: { place: 'precision', seen: precision, wanted: here },
      }),
    )
  })
})

describe.skipIf(!engineOf('openvino').available)('OpenVINO', () => {
  test('is refused on other devices than the processor', () =>
    expect(openSession(product, { engine: 'openvino', device: 'cuda' })).rejects.toMatchObject({
      code: 'engine.device',
      parts: { wanted: 'cpu' },
    }))
})

describe('a library of OpenVINO', () => {
  let folder: string
  const named = process.env['STRATA_OPENVINO']
  const file =
    process.platform === 'darwin'
      ? 'libopenvino_c.dylib'
      : process.platform === 'win32'
        ? 'openvino_c.dll'
        : 'libopenvino_c.so.2640'

  beforeEach(async () => {
    folder = await mkdtemp(join(await realpath(tmpdir()), 'strata-engine-'))
  })
  afterEach(async () => {
    if (named === undefined) delete process.env['STRATA_OPENVINO']
    else process.env['STRATA_OPENVINO'] = named
    await rm(folder, { recursive: true })
  })

  test('that is not where it was named is no other one', async () => {
    process.env['STRATA_OPENVINO'] = folder
    await expect(openSession(product, { engine: 'openvino' })).rejects.toMatchObject({
      code: 'engine.device',
      parts: {
        place: 'STRATA_OPENVINO',
        seen: folder,
        hint: expect.stringContaining('strata doctor --install openvino'),
      },
    })
  })

  test('that is broken is named', async () => {
    await writeFile(join(folder, file), 'no library')
    process.env['STRATA_OPENVINO'] = folder
    await expect(openSession(product, { engine: 'openvino' })).rejects.toMatchObject({
      code: 'engine.device',
      parts: { place: join(folder, file), hint: expect.stringContaining('strata doctor --install openvino') },
    })
    expect((await engineStates()).find(({ name }) => name === 'openvino')).toMatchObject({
      available: false,
      reason: expect.stringMatching(/\S/),
    })
  })
})
