/** Where the project's shared data and models lie, when they are there: `$STRATA_SHARED`, else `../shared` beside the repository. Tests that need them are skipped otherwise. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const candidate = resolve(process.env['STRATA_SHARED'] ?? join(import.meta.dirname, '..', '..', 'shared'))

export const shared: string | undefined = existsSync(join(candidate, 'models', 'pico')) ? candidate : undefined

export function sharedPath(...parts: string[]): string {
  return join(candidate, ...parts)
}
