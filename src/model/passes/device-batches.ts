/** How many tokens share a pass on a device that has its own memory. */
import type { Device } from '#core'
import { deviceMemory } from '#platform/runtime'

/** Beyond these a device is busy, and what leaves it fills the memory of the process instead. */
const [fewest, most] = [1024, 16_384] as const

/** Part of the free memory: the engine rounds its blocks up, and kernels want room to work in. */
const share = 0.5

/**
 * Padded tokens of a batch by the free memory of the device; undefined where it shares the memory of the process, or does
 * not work: its first pass then reports why.
 *
 * @param takes bytes that the model takes with batches of N tokens
 */
export async function deviceBatchTokens(
  device: Device,
  takes: (batchTokens: number) => number,
): Promise<number | undefined> {
  const memory = await deviceMemory(device).catch(() => undefined)
  return memory === undefined ? undefined : tokensWithin(share * memory.free, takes)
}

/** The most of 1,024, 2,048, … 16,384 tokens that `bytes` have room for; the fewest where none has. */
export function tokensWithin(bytes: number, takes: (batchTokens: number) => number): number {
  let tokens: number = fewest
  while (tokens < most && takes(2 * tokens) <= bytes) tokens *= 2
  return tokens
}
