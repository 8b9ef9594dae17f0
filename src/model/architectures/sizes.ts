/** The sizes every config states, with bounds that tell a model from a mistake. */
import type { ConfigReader, Key } from './config-reader.ts'

/** Beyond any published model; a config may not make us allocate more than its tensors hold. */
export const limits = { layers: 2000, width: 2 ** 18, heads: 2 ** 13, experts: 2 ** 10, vocabulary: 2 ** 25 } as const

/** A whole number of columns. */
export function readWidth(config: ConfigReader, key: Key): number {
  return config.int(key, undefined, { max: limits.width })
}

export interface SizeKeys {
  readonly layers?: Key
  readonly width?: Key
  readonly heads?: Key
}

/** Layers, width, heads and vocabulary. Where `head_dim` does not say otherwise, heads must divide the width. */
export function readSizes(
  config: ConfigReader,
  keys: SizeKeys = {},
): { layers: number; width: number; heads: number; vocabulary: number } {
  const { layers = 'num_hidden_layers', width = 'hidden_size', heads = 'num_attention_heads' } = keys
  return {
    layers: config.int(layers, undefined, { max: limits.layers }),
    width: readWidth(config, width),
    heads: config.int(heads, undefined, { max: limits.heads }),
    vocabulary: config.int('vocab_size', undefined, { max: limits.vocabulary }),
  }
}

/** Width of one head where it is the model's width over the number of heads. */
export function dividedWidth(
  config: ConfigReader,
  width: number,
  heads: number,
  headsKey: Key = 'num_attention_heads',
): number {
  if (width % heads !== 0) throw config.refuse(headsKey, `heads do not divide the width ${width}`)
  return width / heads
}

/** Key/value heads and head width of grouped-query attention. */
export function readGroupedHeads(
  config: ConfigReader,
  { width, heads }: { width: number; heads: number },
  {
    keyHeads: fallback = heads,
    headWidth: headFallback,
  }: { keyHeads?: number | undefined; headWidth?: number | undefined } = {},
): { keyHeads: number; headWidth: number } {
  const keyHeads = config.int('num_key_value_heads', fallback, { max: limits.heads })
  if (heads % keyHeads !== 0) throw config.refuse('num_key_value_heads', `key/value heads do not divide ${heads} heads`)
  const usual = config.isNull('head_dim') ? undefined : headFallback
  const headWidth = config.optionalInt('head_dim', { max: limits.width }) ?? usual ?? dividedWidth(config, width, heads)
  return { keyHeads, headWidth }
}
