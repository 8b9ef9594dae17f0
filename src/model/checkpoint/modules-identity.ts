/** What a folder's modules are, as a hash: weights of Dense and LayerNorm move every vector of `default`. */
import { createHash } from 'node:crypto'
import type { ModulesSpec } from './modules.ts'

/** Hex SHA-256 over pooling, mix, weights of words and later modules, weights included; a constant when the folder has none. */
export function modulesIdentity(
  modules: Pick<ModulesSpec, 'pooling' | 'layerMix' | 'later' | 'splade'> | undefined,
): string {
  const hash = createHash('sha256')
  const add = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    else if (value !== null && typeof value === 'object') {
      for (const [name, field] of Object.entries(value)) {
        hash.update(`${name}\0`)
        add(field)
      }
    } else hash.update(`${JSON.stringify(value) ?? 'undefined'}\0`)
  }
  if (modules !== undefined)
    for (const part of [modules.pooling, modules.layerMix, modules.later, ...(modules.splade ? [modules.splade] : [])])
      add(part)
  return hash.digest('hex')
}
