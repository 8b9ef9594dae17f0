/**
 * Where a room's door lies as it was built: for tests that need it in a process of its own. `test/build-setup.ts` has
 * built it.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The address of `room`'s door below `dist`, for an import. */
export function builtDoor(room: string): string {
  return pathToFileURL(join(import.meta.dirname, '..', 'dist', room, 'index.js')).href
}
