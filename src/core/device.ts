/** Where a model is computed. */
import { fault } from './fault.ts'
import { suggestion } from './nearest.ts'

export const deviceNames = ['cpu', 'webgpu', 'cuda', 'coreml', 'dml'] as const
export type DeviceName = (typeof deviceNames)[number]
/** `cuda:1` is the second of several; `cuda` is the first. */
export type Device = DeviceName | `cuda:${number}`

/**
 * A device by its name. Throws `usage.value` at `place`.
 *
 * @example
 *   parseDevice('cuda:1') // 'cuda:1'
 */
export function parseDevice(text: string, place = 'device'): Device {
  const plain = deviceNames.find((name) => name === text)
  if (plain !== undefined) return plain
  const [, index] = /^cuda:(0|[1-9]\d?)$/.exec(text) ?? []
  if (index !== undefined) return `cuda:${Number(index)}`
  throw fault('usage.value', {
    place,
    what: 'no such device',
    seen: text,
    wanted: [...deviceNames, 'cuda:N'],
    hint: suggestion(text, deviceNames),
  })
}

/**
 * A device without its number: results do not say which of several equal ones computed.
 *
 * @example
 *   deviceName('cuda:1') // 'cuda'
 */
export function deviceName(device: Device): DeviceName {
  return deviceNames.find((name) => name === device) ?? 'cuda'
}

/**
 * Which of several devices of a kind, from 0.
 *
 * @example
 *   deviceIndex('cuda:1') // 1
 */
export function deviceIndex(device: Device): number {
  return Number(device.split(':')[1] ?? 0)
}
