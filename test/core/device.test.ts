import { expect, test } from 'vitest'
import { deviceIndex, deviceName, parseDevice } from '#core'

test.each(['cpu', 'webgpu', 'cuda', 'cuda:0', 'cuda:1', 'cuda:15', 'coreml', 'dml'])('%s is a device', (name) => {
  expect(parseDevice(name)).toBe(name)
  expect(deviceName(parseDevice(name))).toBe(name.split(':')[0])
})

test.each(['cuda:', 'cuda:-1', 'cuda:01', 'cuda:x', 'cpu:1', 'gpu', 'CUDA', ''])('"%s" is none', (name) => {
  expect(() => parseDevice(name, '--device')).toThrow(
    expect.objectContaining({ code: 'usage.value', parts: expect.objectContaining({ place: '--device', seen: name }) }),
  )
})

test('a name that is nearly one is answered with it', () => {
  expect(() => parseDevice('cuda1')).toThrow(expect.objectContaining({ hint: expect.stringContaining('cuda') }))
})

test('a device without a number is the first', () => {
  expect([deviceIndex('cuda'), deviceIndex('cuda:3')]).toEqual([0, 3])
})
