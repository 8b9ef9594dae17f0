/** Keys of a config.json that its family does not look at, for a notice: nearly every model of a new kind has one. */
import { describeUnread, isObject } from '#files/formats'
import { harmlessKeys, harmlessSectionKeys } from './harmless-keys.ts'
import { listReadKeys, type SpecOptions } from './spec-of.ts'
import { textPart } from './text-part.ts'

/**
 * A line for the config (the text part's, where there are more), and one for each of its sections, with keys that are neither read nor known to leave the
 * numbers alone. Throws as `specOf` does.
 */
export function unreadConfig(config: unknown, { place = 'config.json', ...options }: SpecOptions = {}): string[] {
  if (!isObject(config)) return []
  const read = [...listReadKeys(config, { place, ...options })].map((path) => path.split('.'))
  const { path: root } = textPart(config)
  const sections = new Map<string, string[]>([[root.join('.'), []]])
  for (const path of read) {
    const section = path.slice(0, -1).join('.')
    sections.set(section, [...(sections.get(section) ?? []), path.at(-1) ?? ''])
  }
  return [...sections].flatMap(([section, own]) => {
    const names = section.split('.').filter(Boolean)
    const fields = names.reduce<unknown>((outer, name) => (isObject(outer) ? outer[name] : undefined), config)
    if (!isObject(fields)) return []
    const harmless = names.length === root.length ? harmlessKeys : harmlessSectionKeys
    return describeUnread({ place: [place, ...names].join(' › '), fields }, [...own, ...harmless])
  })
}
