/**
 * Where the project's shared data and models lie: `$STRATA_SHARED`, which must then hold them, else `../shared` beside
 * the repository. Without them tests are skipped.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const named = process.env['STRATA_SHARED']
const candidate = resolve(named ?? join(import.meta.dirname, '..', '..', 'shared'))

export const shared: string | undefined = existsSync(join(candidate, 'models', 'pico')) ? candidate : undefined

if (named !== undefined && shared === undefined)
  throw new Error(`STRATA_SHARED=${named} holds no models/pico: correct it, or unset it to skip the tests that need it`)

export function sharedPath(...parts: string[]): string {
  return join(candidate, ...parts)
}
