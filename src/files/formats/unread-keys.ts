/** Keys of a stranger's file that nobody reads, for a notice. */
import { nearest } from '#core'
import { isObject, type JsonFields } from './json-fields.ts'

/**
 * One line that names the keys of an object which are neither read nor known to change nothing, each with the known key
 * that it may be meant for; none where every key is known. Null says nothing, nor does an empty or false value, unless
 * its key is nearly a known one.
 */
export function describeUnread({ place, fields }: JsonFields, known: Iterable<string>): string[] {
  const names = new Set(known)
  const unread = Object.keys(fields).flatMap((key) => {
    const value = fields[key]
    if (names.has(key) || value === null) return []
    // two letters of a short key make another word
    const meant = nearest(key, names, { share: 1 / 6 })
    const isMisspelt = meant !== undefined && meant.length > 5
    if (isMisspelt) return [`${key} (did you mean ${meant}?)`]
    return isEmpty(value) ? [] : [key]
  })
  return unread.length === 0
    ? []
    : [`${place}: ${unread.join(', ')} ${unread.length === 1 ? 'is' : 'are'} not followed`]
}

/** As writers leave a setting that is not used. */
function isEmpty(value: unknown): boolean {
  if (value === false || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}
