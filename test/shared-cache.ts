import { execFileSync } from 'node:child_process'
import { sharedPath } from './shared.ts'

/**
 * The shared folder's own script lays its data out as a hub cache; it wants Python, which nothing else here does. False
 * where there is none.
 */
export function makeCache(folder: string): boolean {
  try {
    execFileSync(sharedPath('make-hf-cache'), [folder], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}
