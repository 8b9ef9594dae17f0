/** Folders of the harness's task files: fetched into the cache, or in an installed lm_eval; and the user's own. */
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fault } from '#core'
import { harnessRelease } from '#files/packages'

export interface RootsOptions {
  /** Folder of this program's caches. */
  readonly cache: string
  /** `--include_path`. */
  readonly includePaths?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Folders of task files, later ones overriding earlier ones. Throws `file.missing` for a user's folder that does not
 * exist.
 */
export function taskRoots({ cache, includePaths = [], env = process.env }: RootsOptions): string[] {
  const missing = includePaths.find((path) => !existsSync(path))
  if (missing !== undefined)
    throw fault('file.missing', { place: '--include_path', what: 'no such folder', seen: missing })
  const own = [fetchedTasks(cache), ...installedTasks(env)].find((path) => existsSync(path))
  return [...(own === undefined ? [] : [own]), ...includePaths]
}

/** Parent folder of the files that `strata tasks --harness fetch` downloads. */
export function harnessHome(cache: string): string {
  return join(cache, 'harness')
}

function fetchedTasks(cache: string): string {
  return join(harnessHome(cache), harnessRelease, 'lm_eval', 'tasks')
}

/** `STRATA_LM_EVAL` names a package folder; otherwise Python's package folders are searched. */
function installedTasks(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = env['STRATA_LM_EVAL']
  if (named !== undefined && named !== '') return [join(named, 'tasks')]
  const roots = [env['VIRTUAL_ENV'], env['CONDA_PREFIX'], join(homedir(), '.local'), '/usr/local', '/usr'].filter(
    (path) => path !== undefined,
  )
  return roots.flatMap((root) =>
    pythons(join(root, 'lib')).flatMap((python) =>
      ['site-packages', 'dist-packages'].map((packages) => join(root, 'lib', python, packages, 'lm_eval', 'tasks')),
    ),
  )
}

function pythons(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith('python3'))
  } catch {
    return []
  }
}
