/** Names of poolings, and the words people type for them. */
import { fault, suggestion } from '#core'
import { poolModes } from '#model/graph'

/** What the graph pools by, and the model's own pooler, which is an output of its own. */
export const poolings = [...poolModes, 'pooler'] as const
export type PoolingName = (typeof poolings)[number]

/** Short words people type, for the names above. */
const aliases: Readonly<Record<string, PoolingName>> = {
  last: 'lasttoken',
  last_token: 'lasttoken',
  weighted_mean: 'weightedmean',
  mean_sqrt_len: 'mean_sqrt_len_tokens',
  mean_tokens: 'mean',
  cls_token: 'cls',
  max_tokens: 'max',
}

/** A pooling by any of its names; throws `usage.value`. */
export function poolingNamed(name: string, place = '--pooling'): PoolingName {
  const known = poolings.find((mode) => mode === name) ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined)
  if (known === undefined)
    throw fault('usage.value', {
      place,
      what: 'no such pooling',
      seen: name,
      wanted: poolings.join(', '),
      hint: suggestion(name, [...poolings, ...Object.keys(aliases)]),
    })
  return known
}
