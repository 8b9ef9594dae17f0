/** What several test files read and none changes: made once. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { takeLock } from '#platform/disk'
import { openStore, type VectorStore } from '#platform/vectors'
import { sharedPath } from './shared.ts'

const caches = join(import.meta.dirname, '..', '.cache')

/**
 * The shared data laid out as a hub cache, for `HF_HOME`: by the folder's own script, which wants Python and knows what
 * it has made before. Undefined where there is none.
 */
export async function sharedHub(): Promise<string | undefined> {
  mkdirSync(caches, { recursive: true })
  const folder = join(caches, 'hf')
  const lock = await takeLock(`${folder}.lock`, { giveUp: () => false })
  try {
    execFileSync(sharedPath('make-hf-cache'), [folder], { stdio: 'pipe' })
    return folder
  } catch {
    return undefined
  } finally {
    await lock?.release()
  }
}

/** Vectors that last as long as the run: what one file has encoded, no other does again. */
export function runStore(): VectorStore {
  return openStore(join(inject('work'), 'vectors'))
}
