/** Which layers attend to everything and which within a window: `layer_types`, or the rule a family derives it by. */
import type { ConfigReader } from './config-reader.ts'
import type { LayerType } from './rotary.ts'

const known = ['full_attention', 'sliding_attention'] as const

/** One type per layer. */
export function layerTypes(
  config: ConfigReader,
  layers: number,
  derive: (layer: number) => LayerType,
): readonly LayerType[] {
  const written = config.list('layer_types')
  if (written === undefined) return Array.from({ length: layers }, (_, layer) => derive(layer))
  if (written.length !== layers) throw config.refuse('layer_types', `names ${written.length} layers`, layers)
  return written.map((type) => {
    const found = known.find((candidate) => candidate === type)
    if (found === undefined) throw config.unsupported('layer_types', `supports only ${known.join(' and ')}`)
    return found
  })
}

/** Whether a layer is local. Throws `config.value` where layers are, and the config has no window for them. */
export function windowsByType(
  config: ConfigReader,
  layers: number,
  window: number | undefined,
  isLocal: (layer: number) => boolean,
): (layer: number) => boolean {
  const types = layerTypes(config, layers, (layer) => (isLocal(layer) ? 'sliding_attention' : 'full_attention'))
  if (window === undefined && types.includes('sliding_attention'))
    throw config.refuse('sliding_window', 'is none, but some layers are local')
  return (layer) => types[layer] === 'sliding_attention'
}

/** Older names of layers in hybrids (transformers' `remap_legacy_layer_types`). */
const olderKinds: Readonly<Record<string, string>> = { mamba: 'linear_attention', attention: 'full_attention' }

/** What each layer is in a hybrid, one of `kinds`; the first of the keys that is there says it. */
export function layerKinds<Kind extends string>(
  config: ConfigReader,
  layers: number,
  kinds: readonly Kind[],
  { keys = ['layer_types'], derive }: { keys?: readonly string[]; derive: (layer: number) => Kind },
): readonly Kind[] {
  const written = config.list(keys)
  if (written === undefined) return Array.from({ length: layers }, (_, layer) => derive(layer))
  if (written.length !== layers) throw config.refuse(keys, `names ${written.length} layers`, layers)
  return written.map((type) => {
    const newer = typeof type === 'string' && Object.hasOwn(olderKinds, type) ? olderKinds[type] : type
    const found = kinds.find((candidate) => candidate === newer)
    if (found === undefined) throw config.unsupported(keys, `supports only ${kinds.join(', ')}`)
    return found
  })
}
