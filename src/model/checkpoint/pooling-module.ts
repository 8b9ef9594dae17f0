/** The Pooling module of a sentence-transformers folder. */
import { fault } from '#core'
import { fieldOf, flagOf, type JsonFields, wrongField } from '#files/formats'
import { poolings, type PoolingName } from '#model/passes'

/** The flags of older configs, in the order in which the library concatenates them. */
const poolingFlags: readonly (readonly [string, PoolingName])[] = [
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_max_tokens', 'max'],
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_mean_sqrt_len_tokens', 'mean_sqrt_len_tokens'],
  ['pooling_mode_weightedmean_tokens', 'weightedmean'],
  ['pooling_mode_lasttoken', 'lasttoken'],
]

/** From the module's config. Throws `config.unsupported` for a pooling that is not known, `config.value` for none. */
export function readPooling(config: JsonFields): { pooling: readonly PoolingName[]; includePrompt: boolean } {
  const strange = Object.keys(config.fields).find(
    (name) => name.startsWith('pooling_mode_') && !poolingFlags.some(([known]) => known === name),
  )
  if (strange !== undefined)
    throw fault('config.unsupported', {
      place: config.place,
      what: 'not supported',
      seen: strange,
      hint: 'unknown pooling',
    })
  const includePrompt = flagOf(config, 'include_prompt', true)
  const mode = fieldOf(config.fields, 'pooling_mode') ?? undefined
  if (mode === undefined) {
    const chosen = poolingFlags.filter(([name]) => flagOf(config, name, false)).map(([, name]) => name)
    return { pooling: chosen.length === 0 ? ['mean'] : chosen, includePrompt }
  }
  const modes: unknown[] = Array.isArray(mode) ? mode : [mode]
  const pooling = modes.map((one) => {
    // `pooler` is a word of ours, not of the library.
    const name = one === 'pooler' ? undefined : poolings.find((known) => known === one)
    if (name === undefined)
      throw fault('config.unsupported', {
        place: `${config.place} › pooling_mode`,
        what: 'unknown pooling',
        seen: one,
        wanted: poolingFlags.map(([, known]) => known).join(', '),
      })
    return name
  })
  if (pooling.length === 0) throw wrongField(config.place, 'pooling_mode', mode, 'at least one pooling')
  return { pooling, includePrompt }
}
