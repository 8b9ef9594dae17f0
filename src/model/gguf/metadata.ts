/** Metadata of a GGUF file, read key by key; what nobody reads is found at the end. */
import { fault } from '#core'
import type { GgufScalar, GgufValue } from '#files/formats'

export interface Metadata {
  readonly place: string
  has(key: string): boolean
  count(key: string): number
  optionalCount(key: string): number | undefined
  optionalNumber(key: string): number | undefined
  optionalFlag(key: string): boolean | undefined
  text(key: string): string
  optionalText(key: string): string | undefined
  optionalTexts(key: string): readonly string[] | undefined
  optionalNumbers(key: string): readonly number[] | undefined
  /** Keys with this prefix that were never asked for. */
  unread(prefix: string): readonly string[]
}

/** Reading throws `config.value` for values of another kind, and for those that are missing where they must not be. */
export function readMetadata(pairs: ReadonlyMap<string, GgufValue>, place: string): Metadata {
  const asked = new Set<string>()
  const valueOf = (key: string): GgufValue | undefined => {
    asked.add(key)
    return pairs.get(key)
  }
  const wrong = (key: string, seen: unknown, wanted: string): Error =>
    fault('config.value', { place: `${place} › ${key}`, what: 'is not what it should be', seen: shown(seen), wanted })
  const needed = <T>(key: string, value: T | undefined): T => {
    if (value !== undefined) return value
    throw fault('config.value', { place: `${place} › ${key}`, what: 'is missing' })
  }
  const listOf = <T extends GgufScalar>(
    key: string,
    is: (value: GgufScalar) => value is T,
    wanted: string,
  ): readonly T[] | undefined => {
    const value = valueOf(key)
    if (value === undefined) return undefined
    if (typeof value !== 'object' || !value.every(is)) throw wrong(key, value, wanted)
    return value
  }
  const reader: Metadata = {
    place,
    has: (key) => pairs.has(key),
    count: (key) => needed(key, reader.optionalCount(key)),
    optionalCount(key) {
      const value = reader.optionalNumber(key)
      if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
      throw wrong(key, value, 'a count')
    },
    optionalNumber(key) {
      const given = valueOf(key)
      // some keys are written once per layer
      const [first, ...others] = typeof given === 'object' ? given : [given]
      const value = others.every((other) => other === first) ? first : given
      if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
      throw wrong(key, given, 'a number, the same for all layers')
    },
    optionalFlag(key) {
      const value = valueOf(key)
      if (value === undefined || typeof value === 'boolean') return value
      throw wrong(key, value, 'true or false')
    },
    text: (key) => needed(key, reader.optionalText(key)),
    optionalText(key) {
      const value = valueOf(key)
      if (value === undefined || typeof value === 'string') return value
      throw wrong(key, value, 'a text')
    },
    optionalTexts: (key) => listOf(key, (value) => typeof value === 'string', 'a list of texts'),
    optionalNumbers: (key) => listOf(key, (value) => typeof value === 'number', 'a list of numbers'),
    unread: (prefix) => [...pairs.keys()].filter((key) => key.startsWith(prefix) && !asked.has(key)),
  }
  return reader
}

function shown(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, 8) : value
}
