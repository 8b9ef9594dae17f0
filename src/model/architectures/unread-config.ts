/** Keys of a config.json that its family does not look at, for a notice: nearly every model of a new kind has one. */
import { describeUnread, isObject } from '#files/formats'
import { harmlessKeys, harmlessSectionKeys } from './harmless-keys.ts'
import { listReadKeys, type SpecOptions } from './spec-of.ts'

/**
 * A line for the config, and one for each of its sections, with keys that are neither read nor known to leave the
 * numbers alone. Throws as `specOf` does.
 */
export function unreadConfig(config: unknown, { place = 'config.json', ...options }: SpecOptions = {}): string[] {
  if (!isObject(config)) return []
  const read = [...listReadKeys(config, { place, ...options })].map((path) => path.split('.'))
  const known = [...read.flatMap(([key = '']) => key), ...harmlessKeys]
  const sections = new Set(read.flatMap(([key = '', ...inner]) => (inner.length > 0 ? [key] : [])))
  return [
    ...describeUnread({ place, fields: config }, known),
    ...[...sections].flatMap((name) => {
      const fields = config[name]
      const own = read.flatMap(([key, inner]) => (key === name && inner !== undefined ? [inner] : []))
      return isObject(fields)
        ? describeUnread({ place: `${place} › ${name}`, fields }, [...own, ...harmlessSectionKeys])
        : []
    }),
  ]
}
