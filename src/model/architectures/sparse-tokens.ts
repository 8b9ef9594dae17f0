/** How far BigBird's texts may reach before its attention grows sparse. */
import type { ConfigReader } from './config-reader.ts'

/**
 * Longest text that attends to everything. With `block_sparse` attention the reference attends fully to texts of up to
 * 5 + 2 · num_random_blocks blocks; the random blocks of longer ones are not built, so that such texts are cut there.
 */
export function sparseTokens(config: ConfigReader, maxTokens: number): number {
  const type = config.choice('attention_type', ['block_sparse', 'original_full'], 'block_sparse')
  const blocks = 5 + 2 * config.int('num_random_blocks', 3, { min: 0, max: 4096 })
  const size = config.int('block_size', 64, { max: 65_536 })
  return type === 'original_full' ? maxTokens : Math.min(maxTokens, blocks * size)
}
