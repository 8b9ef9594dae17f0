/** The repository's own offline hub cache: a real sentence encoder and three data sets. */
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

export const carriedModel = 'sentence-transformers/all-MiniLM-L6-v2'

/** The folder of the model's files. */
export const carriedSnapshot = join(
  root,
  'assets/hub/models--sentence-transformers--all-MiniLM-L6-v2/snapshots/8b3219a92973c328a8e22fadcfa821b5dc75636a',
)

/** Environment in which the hub is the one in assets/ and nothing is asked of a network. */
export const carriedHub: Record<string, string> = { HF_HUB_CACHE: join(root, 'assets', 'hub'), HF_HUB_OFFLINE: '1' }

/** The same for this process; returns what undoes it. */
export function useCarriedHub(): () => void {
  const before = Object.fromEntries(Object.keys(carriedHub).map((name) => [name, process.env[name]]))
  Object.assign(process.env, carriedHub)
  return () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
