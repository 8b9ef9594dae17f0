/** Heads and rotary base of a model, from its config. */
import { fault, type ModelHeaders } from '#core'
import { isObject } from '#files/formats'
import { textConfig } from '#model/architectures'
import type { Rotary } from './rotation.ts'

/**
 * `width` of the rows that are turned. Throws `config.value` where positions are not rotary or heads do not divide the
 * width.
 */
export function rotaryOf({ model, config }: ModelHeaders, width: number): Rotary {
  const text = { ...config, ...textConfig(config) }
  const parameters = isObject(text['rope_parameters']) ? text['rope_parameters'] : {}
  const base = numberIn(text, ['rope_theta', 'rotary_emb_base']) ?? numberIn(parameters, ['rope_theta'])
  const heads = numberIn(text, ['num_attention_heads', 'n_head', 'num_heads'])
  if (base === undefined)
    throw fault('config.value', {
      place: `${model}/config.json`,
      what: 'mp_rope needs rotary positions',
      wanted: 'rope_theta',
      hint: 'choose omp',
    })
  if (heads === undefined || width % (2 * heads) !== 0) {
    throw fault('config.value', {
      place: `${model}/config.json`,
      what: 'heads do not divide the width into pairs',
      seen: heads ?? null,
      wanted: `a divisor of ${width / 2}`,
    })
  }
  return { heads, base }
}

function numberIn(record: Readonly<Record<string, unknown>>, keys: readonly string[]): number | undefined {
  return keys.map((key) => record[key]).find((value): value is number => typeof value === 'number' && value > 0)
}
