/** Which texts attend by blocks of queries, and how many scores a block has. */
import type { ModelSpec } from '#model/architectures'
import type { Builder, Value } from './builder.ts'

/** Maximum number of scores of one head that are alive at once: 4 MB. A text of up to 1,024 tokens is one block. */
export const usualBlock = 2 ** 20

export interface Blocks {
  /** Maximum number of scores of one head and block. */
  readonly scores: number
  /** Whether the texts of this batch have more: a scalar. */
  readonly long: Value
}

/** Kinds of positions whose scores are made for all queries at once. */
const asWhole: ReadonlySet<ModelSpec['attention']['positions']['kind']> = new Set([
  'disentangled',
  'relative-sinusoids',
])

/**
 * Whether texts with `tokens` tokens attend by blocks. An indexer chooses keys for all queries at once; disentangled
 * positions are computed for all at once, and their models end at 512 tokens.
 */
export function attendsByBlocks({ attention }: ModelSpec, tokens: number, scores: number): boolean {
  const atOnce = asWhole.has(attention.positions.kind) || attention.latent?.indexer !== undefined
  return tokens ** 2 > scores && !atOnce && attention.heads > 0
}

/** Undefined where no text of the model is as long. */
export function planBlocks(builder: Builder, spec: ModelSpec, columns: Value, scores: number): Blocks | undefined {
  if (!attendsByBlocks(spec, spec.maxTokens ?? Infinity, scores)) return undefined
  const size = builder.node('Size', [columns])
  return { scores, long: builder.node('Greater', [builder.multiply(size, size), builder.int(scores)]) }
}
