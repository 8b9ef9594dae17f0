import { describe, expect, test } from 'vitest'
import { devices, engineVersion, openSession, type DeviceState } from '#platform/runtime'
import { product } from '../onnx/small-graphs.ts'

const states = await devices()
const missing = states.filter(({ available }) => !available)

test('every device is listed with a yes, or a no and the reason', () => {
  expect(states.map(({ name }) => name)).toEqual(['cpu', 'webgpu', 'cuda'])
  expect(states.find(({ name }) => name === 'cpu')).toEqual({ name: 'cpu', available: true } satisfies DeviceState)
  for (const { reason } of missing) expect(reason).toMatch(/\S/)
})

describe.skipIf(missing.length === 0).each(missing)('$name, which is not here,', ({ name, reason }) => {
  test('is refused with the reason of the engine and what to install', () =>
    expect(openSession(product, { device: name })).rejects.toMatchObject({
      code: 'engine.device',
      parts: { seen: reason, hint: expect.stringMatching(/driver/) },
    }))
})

test('the engine has a version', async () => {
  expect(await engineVersion()).toMatch(/^\d+\.\d+\.\d+/)
})
