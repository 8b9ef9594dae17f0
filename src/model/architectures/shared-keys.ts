/** Upper layers that have no keys and values of their own, and read those of the last layer of their type that has. */
import type { ConfigReader } from './config-reader.ts'
import type { LayerType } from './rotary.ts'
import { limits } from './sizes.ts'

/** For each layer the one whose keys it reads, undefined where it makes its own. */
export function readSharedKeys(
  config: ConfigReader,
  types: readonly LayerType[],
  usual: number,
): readonly (number | undefined)[] {
  const key = 'num_kv_shared_layers'
  const shared = config.int(key, usual, { min: 0, max: limits.layers })
  const first = types.length - shared
  if (first <= 0) throw config.unsupported(key, 'no layer has keys of its own')
  return types.map((type, layer) => {
    if (layer < first) return undefined
    const source = types.lastIndexOf(type, first - 1)
    if (source === -1) throw config.refuse(key, `leaves no ${type} layer with keys of its own`)
    return source
  })
}
