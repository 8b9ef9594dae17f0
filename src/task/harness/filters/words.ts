/** Filters that change a response as a whole (lm-evaluation-harness, transformation.py). */
import { fault, stripText } from '#core'
import { isObject } from '#files/formats'
import { eachResponse, type Filter } from './filter.ts'

export const removeWhitespace: Filter = { options: [], make: eachResponse(() => stripText) }
export const lowercase: Filter = { options: [], make: eachResponse(() => (text) => text.toLowerCase()) }
export const uppercase: Filter = { options: [], make: eachResponse(() => (text) => text.toUpperCase()) }

/** A response by its entry in a table; without one, the default. */
export const map: Filter = {
  options: ['mapping_dict', 'default_value'],
  make: eachResponse(
    ({ mapping_dict: table = {} }, place) => {
      if (!isObject(table))
        throw fault('usage.value', { place: `${place} › mapping_dict`, what: 'not a map', seen: table })
      return (text) => (Object.hasOwn(table, text) ? (table[text] as string) : undefined)
    },
    ({ default_value: value = null }) => value as string,
  ),
}
