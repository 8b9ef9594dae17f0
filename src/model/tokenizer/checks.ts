/**
 * Small checks of untrusted JSON: each returns the value it was given, cleaned, or throws `tokenizer.invalid` naming
 * the place.
 */
import { fault } from '#core'
import { isObject } from '#files/formats'

export type Check<Value = unknown> = (value: unknown, place: string) => Value

/**
 * No string inside a component (separator, replacement, pattern) is longer in practice than a few hundred characters.
 */
const longestText = 10_000
/** Far above any vocabulary; keeps ids inside what embedding tables, int32 and the native core can count. */
const largestId = 2 ** 24

/**
 * `seen` is shown as it is when it is a plain word or number; containers may be huge or deep, so only their kind is
 * shown.
 */
export function invalid(place: string, what: string, seen?: unknown, wanted?: string) {
  const plain = isObject(seen) ? 'an object' : seen
  const told = Array.isArray(seen) ? `a list of ${seen.length}` : plain
  return fault('tokenizer.invalid', {
    place,
    what,
    ...(told !== undefined && { seen: told }),
    ...(wanted !== undefined && { wanted }),
  })
}

export const flag: Check<boolean> = (value, place) => {
  if (typeof value !== 'boolean') throw invalid(place, 'not a flag', value, 'true or false')
  return value
}

export const text: Check<string> = (value, place) => {
  if (typeof value !== 'string') throw invalid(place, 'not a string', value)
  if (value.length > longestText)
    throw fault('tokenizer.limit', {
      place,
      what: 'string too long',
      seen: value.length,
      wanted: `at most ${longestText}`,
    })
  return value
}

/** One Unicode character. */
export const character: Check<string> = (value, place) => {
  if (typeof value !== 'string' || Array.from(value).length !== 1) throw invalid(place, 'not a single character', value)
  return value
}

export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < largestId
}

export const id: Check<number> = (value, place) => {
  if (!isId(value)) throw invalid(place, 'not a token id', value, `a whole number from 0 to ${largestId - 1}`)
  return value
}

export function whole(least: number, most: number): Check<number> {
  return (value, place) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      throw invalid(place, 'not a usable number', value, `a whole number from ${least} to ${most}`)
    }
    return value
  }
}

export function oneOf(...words: readonly string[]): Check<string> {
  return (value, place) => {
    if (typeof value !== 'string' || !words.includes(value))
      throw invalid(place, 'unknown word', value, words.join(', '))
    return value
  }
}

export function orNull<Value>(check: Check<Value>): Check<Value | null> {
  return (value, place) => (value === null ? null : check(value, place))
}

/** Absent fields take `fallback`; null counts as absent. */
export function optional<Value>(check: Check<Value>, fallback: Value): Check<Value> {
  return (value, place) => (value === undefined || value === null ? fallback : check(value, place))
}

export function list<Value>(check: Check<Value>, most: number): Check<Value[]> {
  return (value, place) => {
    if (!Array.isArray(value)) throw invalid(place, 'not a list', value)
    if (value.length > most)
      throw fault('tokenizer.limit', { place, what: 'list too long', seen: value.length, wanted: `at most ${most}` })
    return value.map((entry, index) => check(entry, `${place}[${index}]`))
  }
}
