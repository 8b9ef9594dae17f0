/**
 * Numbers of reference implementations, in `golden/` beside a room's tests. test/README.md says what made each file.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// What a file holds is known to the test that reads it alone.
// oxlint-disable typescript/no-unnecessary-type-parameters
export function goldenOf<Golden>(room: string, name: string): Golden {
  return JSON.parse(readFileSync(join(import.meta.dirname, room, 'golden', `${name}.json`), 'utf8')) as Golden
}

/** All files of a folder of them, as of one per task. */
export function goldenFolder<Golden>(room: string, folder: string): Golden[] {
  return readdirSync(join(import.meta.dirname, room, 'golden', folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => goldenOf<Golden>(room, `${folder}/${name.slice(0, -'.json'.length)}`))
}
