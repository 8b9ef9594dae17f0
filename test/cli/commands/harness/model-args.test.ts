import { expect, test } from 'vitest'
import { modelArgs } from '../../../../src/cli/commands/harness/model-args.ts'
import type { Flags } from '../../../../src/cli/commands/harness/flags.ts'

const read = (text: string, device?: Flags['device']) =>
  modelArgs('./model', { model_args: text, device } as Parameters<typeof modelArgs>[1])

test.each([
  ['', undefined, { device: 'cpu', dtype: 'float32' }],
  ['dtype=auto', 'cuda', { device: 'cuda', dtype: 'float32' }],
  ['device=cuda:1,dtype=float16', undefined, { device: 'cuda:1', dtype: 'float16' }],
  ['dtype=bfloat16', 'cuda', { device: 'cuda', dtype: 'bfloat16' }],
  ['device=cuda', 'cuda', { device: 'cuda', dtype: 'float32' }],
] as const)('"%s" with --device %s runs as %j', (text, device, machine) => {
  expect(read(text, device)).toMatchObject({ machine })
})

test.each([
  ['dtype=float16', undefined, 'usage.value', '--model_args › dtype'],
  ['dtype=bfloat16', 'webgpu', 'usage.value', '--model_args › dtype'],
  ['device=gpu', undefined, 'usage.value', '--model_args › device'],
  ['device=cpu', 'cuda', 'usage.conflict', '--model_args › device'],
] as const)('"%s" with --device %s is refused', (text, device, code, place) => {
  expect(() => read(text, device)).toThrow(expect.objectContaining({ code, parts: expect.objectContaining({ place }) }))
})
