/**
 * Where things lie: the repository, the model, shared data when it is there, the scratch folder. Compiled files lie
 * four folders below the repository.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..', '..', '..', '..', '..')
export const scratch = join(root, 'bench', '.scratch')
/** Records of the repository; `results` lies elsewhere while `all` measures. */
export const records = join(root, 'bench', 'results')
export const results = process.env['STRATA_BENCH_RESULTS'] ?? records
/** Of oracles/parity. */
export const parityResults = join(root, 'oracles', 'results')
export const program = join(root, 'lib', 'cli', 'main.js')
export const peers = join(root, 'bench', 'peers')
export const python = join(scratch, 'venv', 'bin', 'python')

/** The carried hub cache: the model, and the tasks whose licence lets them be carried. */
export const carried = join(root, 'assets', 'hub')
export const modelName = 'sentence-transformers/all-MiniLM-L6-v2'
export const model = join(
  carried,
  'models--sentence-transformers--all-MiniLM-L6-v2',
  'snapshots',
  '8b3219a92973c328a8e22fadcfa821b5dc75636a',
)

const candidate = resolve(process.env['STRATA_SHARED'] ?? join(root, '..', 'shared'))
export const shared: string | undefined = existsSync(join(candidate, 'data')) ? candidate : undefined

/** A folder below the scratch folder, made when missing. */
export function scratchFolder(...parts: string[]): string {
  const folder = join(scratch, ...parts)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The shared data sets in the layout of a hub cache, laid out once. */
export function sharedHub(): string {
  if (shared === undefined) throw new Error('needs STRATA_SHARED')
  const cache = scratchFolder('hf')
  const made = spawnSync(join(shared, 'make-hf-cache'), [cache], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (made.status !== 0) throw new Error('make-hf-cache failed')
  return join(cache, 'hub')
}
