import { expect, test } from 'vitest'
import { deviceBatchTokens, tokensWithin } from '../../../src/model/passes/device-batches.ts'

const takes = (batchTokens: number): number => 1e6 + 1000 * batchTokens

test.each([
  [0, 1024],
  [3e6, 1024],
  [3.1e6, 2048],
  [1e7, 8192],
  [1e12, 16_384],
])('%d bytes have room for %d tokens', (bytes, tokens) => {
  expect(tokensWithin(bytes, takes)).toBe(tokens)
})

test('the processor has no memory of its own', async () => {
  expect(await deviceBatchTokens('cpu', () => expect.unreachable())).toBeUndefined()
})
