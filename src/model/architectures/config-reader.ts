/**
 * Reads values out of a parsed config.json that a stranger wrote: every value is checked for type and bounds, or
 * refused with its key.
 * More than the fields of `files/formats`: a key has several spellings, a number has bounds, and null may say
 * something.
 */
import { fault, type Fault } from '#core'
import { isObject } from '#files/formats'
import { activations, type Activation } from './activation.ts'

/** Several spellings of one key, the first that is present counts. */
export type Key = string | readonly string[]

export interface Bounds {
  readonly min?: number
  readonly max?: number
}

export interface ConfigReader {
  /** For messages: the file, or file › section. */
  readonly place: string
  /** Present and not null. */
  has(key: Key): boolean
  /** Written as null: for some keys that says something else than leaving them out. */
  isNull(key: string): boolean
  /** A whole number ≥ 1 unless bounds say otherwise. Without a fallback a missing (or null) value is refused. */
  int(key: Key, fallback?: number, bounds?: Bounds): number
  optionalInt(key: Key, bounds?: Bounds): number | undefined
  number(key: Key, fallback?: number, bounds?: Bounds): number
  optionalNumber(key: Key, bounds?: Bounds): number | undefined
  /** A small positive number that keeps a norm's divisor from zero. */
  epsilon(key: Key, fallback: number): number
  flag(key: Key, fallback: boolean): boolean
  /** One of `choices`. */
  choice<Choice extends string>(key: Key, choices: readonly Choice[], fallback?: Choice): Choice
  text(key: Key): string | undefined
  activation(key: Key, fallback?: string): Activation
  numbers(key: Key): readonly number[] | undefined
  list(key: Key): readonly unknown[] | undefined
  /** For keys that may be a string or something else. */
  isText(key: Key): boolean
  /** For keys that may be a list or something else. */
  isList(key: Key): boolean
  section(key: Key): ConfigReader | undefined
  /** Whether a section says nothing. */
  isEmpty(): boolean
  /** Throws `config.unsupported` for a value that is there and not one of these. */
  only(key: Key, values: readonly (string | number | boolean)[], what: string): void
  /** Names of a section's keys, all of which are then read. */
  keys(): readonly string[]
  /** To be thrown: the value of `key` is not one that can be. */
  refuse(key: Key, what: string, wanted?: unknown): Fault
  /** To be thrown: the value of `key` asks for arithmetic that is not built. */
  unsupported(key: Key, what: string): Fault
}

/** Far beyond any published model; a larger number is a broken or hostile file. */
const largestInt = 2 ** 28
const largestNumber = 1e12

/** A reader of `config`, which must be a JSON object. `onRead` hears each key that is looked at, with its sections. */
export function configReader(
  config: unknown,
  place: string,
  onRead: (path: readonly string[]) => void = () => undefined,
): ConfigReader {
  if (!isObject(config)) throw notAnObject(config, place)
  const { name, get, isNull, keys, list, only, refuse, unsupported, missing } = lookupIn(config, place, (key) =>
    onRead([key]),
  )

  const optionalNumber = (key: Key, { min = -largestNumber, max = largestNumber }: Bounds = {}): number | undefined => {
    const value = get(key)
    if (value === undefined) return undefined
    if (!isFiniteNumber(value)) throw refuse(key, 'is not a number')
    if (value < min || value > max) throw refuse(key, 'is out of range', `${min} … ${max}`)
    return value
  }
  const optionalInt = (key: Key, { min = 1, max = largestInt }: Bounds = {}): number | undefined => {
    const value = optionalNumber(key)
    if (value === undefined) return undefined
    if (!Number.isInteger(value)) throw refuse(key, 'is not a whole number')
    if (value < min || value > max) throw refuse(key, 'is implausible', `${min} … ${max}`)
    return value
  }
  const required = <Value>(key: Key, value: Value | undefined): Value => {
    if (value === undefined) throw missing(key)
    return value
  }

  return {
    place,
    has: (key) => get(key) !== undefined,
    isNull,
    optionalInt,
    optionalNumber,
    int: (key, fallback, bounds) => required(key, optionalInt(key, bounds) ?? fallback),
    number: (key, fallback, bounds) => required(key, optionalNumber(key, bounds) ?? fallback),
    epsilon: (key, fallback) => optionalNumber(key, { min: 0, max: 1 }) ?? fallback,
    flag(key, fallback) {
      const value = get(key)
      if (value === undefined) return fallback
      if (typeof value !== 'boolean') throw refuse(key, 'is neither true nor false')
      return value
    },
    choice(key, choices, fallback) {
      const value = required(key, get(key) ?? fallback)
      const known = choices.find((choice) => choice === value)
      if (known === undefined) throw refuse(key, 'is not known', choices.join(', '))
      return known
    },
    text(key) {
      const value = get(key)
      if (value !== undefined && typeof value !== 'string') throw refuse(key, 'is not a string')
      return value
    },
    activation(key, fallback) {
      const value = required(key, get(key) ?? fallback)
      const known = typeof value === 'string' ? activations.get(value) : undefined
      if (known === undefined) throw refuse(key, 'is not a known activation', [...activations.keys()].join(', '))
      return known
    },
    list,
    isText: (key) => typeof get(key) === 'string',
    isList: (key) => Array.isArray(get(key)),
    numbers: (key) => {
      const values = list(key)
      if (values?.every(isFiniteNumber) === false) throw refuse(key, 'holds something that is not a number')
      return values
    },
    section(key) {
      const value = get(key)
      if (value === undefined) return undefined
      if (!isObject(value)) throw refuse(key, 'is not an object')
      return configReader(value, `${place} › ${name(key)}`, (path) => onRead([name(key), ...path]))
    },
    isEmpty: () => Object.keys(config).length === 0,
    keys,
    only,
    refuse,
    unsupported,
  }
}

/** Whether a repository's own code, which is never run, is called so. */
export function codeNames(config: ConfigReader, word: string): boolean {
  if (config.isText('auto_map') || config.isList('auto_map')) return false
  const code = config.section('auto_map')
  return code?.keys().some((key) => code.isText(key) && code.text(key)?.includes(word) === true) ?? false
}

function notAnObject(config: unknown, place: string): Fault {
  const seen = Array.isArray(config) ? 'a list' : config
  return fault('config.value', { place, what: 'is not a JSON object', seen })
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Values by their keys, and the faults to be thrown about them. */
function lookupIn(config: Readonly<Record<string, unknown>>, place: string, onRead: (key: string) => void): Lookup {
  const name = (key: Key): string => (typeof key === 'string' ? key : (key.find((k) => present(k)) ?? key[0] ?? ''))
  const present = (key: string): boolean =>
    Object.hasOwn(config, key) && config[key] !== null && config[key] !== undefined
  const get = (key: Key): unknown => {
    const found = name(key)
    const value = present(found) ? config[found] : undefined
    // another spelling with another value is not followed
    for (const spelling of [key].flat()) if (spelling === found || config[spelling] === value) onRead(spelling)
    return value
  }
  const refuse = (key: Key, what: string, wanted?: unknown): Fault =>
    fault('config.value', { place: `${place} › ${name(key)}`, what, seen: get(key), wanted })
  const unsupported = (key: Key, what: string): Fault =>
    fault('config.unsupported', { place: `${place} › ${name(key)}`, what, seen: get(key) })
  const only: ConfigReader['only'] = (key, values, what) => {
    const value = get(key)
    if (value !== undefined && !values.some((known) => known === value)) throw unsupported(key, what)
  }
  const missing = (key: Key): Fault => fault('config.value', { place: `${place} › ${name(key)}`, what: 'is missing' })
  const list = (key: Key): readonly unknown[] | undefined => {
    const value = get(key)
    if (value === undefined) return undefined
    if (!Array.isArray(value)) throw refuse(key, 'is not a list')
    return value
  }
  const isNull = (key: string): boolean => {
    onRead(key)
    return Object.hasOwn(config, key) && config[key] === null
  }
  const keys = (): string[] => {
    const all = Object.keys(config)
    for (const key of all) onRead(key)
    return all
  }
  return { name, get, isNull, keys, list, only, refuse, unsupported, missing }
}

interface Lookup {
  /** The first of the spellings that is there. */
  readonly name: (key: Key) => string
  readonly get: (key: Key) => unknown
  readonly isNull: (key: string) => boolean
  readonly keys: () => string[]
  readonly list: (key: Key) => readonly unknown[] | undefined
  readonly only: ConfigReader['only']
  readonly refuse: (key: Key, what: string, wanted?: unknown) => Fault
  readonly unsupported: ConfigReader['unsupported']
  readonly missing: (key: Key) => Fault
}
