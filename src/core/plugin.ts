/**
 * Entries of the rooms' tables that come from a file of the user's own: what they are, where they come from, and how
 * keys name them.
 */
import { asFault, fault } from './fault.ts'
import { suggestion } from './nearest.ts'

/** What a plug-in may define. */
export type PluginKind = 'merge method' | 'aggregation method' | 'metric' | 'similarity' | 'task protocol'

/** One file of the user's own, as it was read. */
export interface PluginSource {
  /** As the user wrote it. */
  readonly path: string
  /** SHA-256 of the file, hex. */
  readonly sha256: string
  /** The same program without types, its imports resolved. */
  readonly code: string
}

interface Named {
  readonly name: string
}

/** On the value itself, for a plug-in may come by another copy of this module. */
const mark = Symbol.for('strata-lm/plugin')
const sources = new WeakMap<object, PluginSource>()

/** Marks a value as a definition of this kind: only marked exports of a plug-in are used. */
export function declare<Definition extends object>(kind: PluginKind, definition: Definition): Definition {
  return { ...definition, [mark]: kind }
}

/** The kind that `declare` gave to a value; undefined for anything else. */
export function declaredKind(value: unknown): PluginKind | undefined {
  return typeof value === 'object' && value !== null && mark in value ? (value[mark] as PluginKind) : undefined
}

/** The file that an entry of a table comes from; undefined for one of Strata's own. */
export function findPlugin(entry: object): PluginSource | undefined {
  return sources.get(entry)
}

/**
 * An entry in a key. The name says all about one of Strata's own; the same name may mean anything in a plug-in, so that
 * its content is part of the key and its folder is not.
 */
export function keyName(entry: Named): string {
  const source = sources.get(entry)
  return source === undefined ? entry.name : `${entry.name}@${source.sha256}`
}

/** A room's own entries, and those of plug-ins. */
export interface Table<Entry extends Named> {
  readonly kind: PluginKind
  /** Strata's own first. */
  all(): readonly Entry[]
  find(name: string): Entry | undefined
  /** Throws `usage.value` for a name that is taken. */
  add(entry: Entry, source: PluginSource): void
  /** Leaves Strata's own. */
  clear(): void
}

/** A table that plug-ins may add to. `reserved`: further names that mean an entry. */
export function openTable<Entry extends Named>(
  kind: PluginKind,
  own: Readonly<Record<string, Entry>>,
  reserved: readonly string[] = [],
): Table<Entry> {
  const added = new Map<string, Entry>()
  return {
    kind,
    all: () => [...Object.values(own), ...added.values()],
    find: (name) => (Object.hasOwn(own, name) ? own[name] : added.get(name)),
    add(entry, source) {
      const { name } = entry
      const before = added.get(name)
      const taken = Object.hasOwn(own, name) || reserved.includes(name)
      if (taken || before !== undefined)
        throw fault('usage.value', {
          place: source.path,
          what: `the name of its ${kind} is taken by ${taken ? 'one of Strata’s own' : findPlugin(before ?? {})?.path}`,
          seen: name,
          hint: `give it another name, such as my_${name}`,
        })
      sources.set(entry, source)
      added.set(name, entry)
    },
    clear: () => added.clear(),
  }
}

/** The entry of a table. Throws `usage.value` with the nearest name. */
export function findEntry<Entry extends Named>(table: Table<Entry>, name: string, place: string): Entry {
  const found = table.find(name)
  if (found !== undefined) return found
  throw fault('usage.value', {
    place,
    what: `no such ${table.kind}`,
    seen: name,
    hint: suggestion(
      name,
      table.all().map((entry) => entry.name),
    ),
  })
}

/** Runs a plug-in's function. What it throws, or rejects with, names the file, `plugin.failed`; faults of its own pass. */
export function runPlugin<Value>(place: string, work: () => Value): Value {
  const named = (error: unknown): never => {
    throw asFault(error, 'plugin.failed', place)
  }
  try {
    const value = work()
    return value instanceof Promise ? (value.catch(named) as Value) : value
  } catch (error) {
    return named(error)
  }
}
