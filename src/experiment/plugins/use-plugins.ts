/** Plug-ins into the tables of the rooms. */
import { fault, type PluginKind, type PluginSource } from '#core'
import { importProgram, readProgram } from '#platform/modules'
import { rooms } from './rooms.ts'

/** What a plug-in has defined. */
export interface Definition {
  readonly kind: PluginKind
  readonly name: string
  readonly source: PluginSource
}

/**
 * Loads files of definitions, in the given order, in place of those that were loaded before: from then on they are found
 * by their names wherever Strata's own are. Throws `file.missing`, `plugin.invalid`, and `usage.value` for a name that is
 * taken.
 */
export async function usePlugins(paths: readonly string[]): Promise<Definition[]> {
  for (const { table } of rooms) table.clear()
  const found: Definition[] = []
  for (const path of new Set(paths)) {
    const source = await readProgram(path)
    const exports = await importProgram(source)
    const own = rooms.flatMap(({ table: { kind }, add }) =>
      add(exports, source).map((name): Definition => ({ kind, name, source })),
    )
    if (own.length === 0)
      throw fault('plugin.invalid', {
        place: path,
        what: 'it exports no definition',
        seen: Object.keys(exports),
        hint: 'export const mine = defineMergeMethod({ … }), with functions of strata-lm/plugin',
      })
    found.push(...own)
  }
  return found
}
