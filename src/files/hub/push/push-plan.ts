/** What a push would do, before anything is done. */
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { fault, type OnProgress } from '#core'
import { checkRepoName, checkRevision, type RepoType } from '../names.ts'
import { matching } from '../patterns.ts'
import { type LocalFile, localFiles } from './push-files.ts'
import { checkMayPush, findRepo, type FoundRepo, tokenOwner } from './push-repo.ts'
import type { Target } from './push-request.ts'
import { type HubSettings, hubSettings } from '../settings.ts'
import { listEntries } from '../tree.ts'

export interface PushOptions {
  type?: RepoType | undefined
  /** Branch to commit to, made if it is not there; default `main`. */
  revision?: string | undefined
  /** Folder in the repository, or the name of a single file. */
  pathInRepo?: string | undefined
  /** Make the repository private, if it has to be made. */
  isPrivate?: boolean | undefined
  /** Patterns on paths in the folder, as `hf upload` reads them. */
  include?: readonly string[] | undefined
  exclude?: readonly string[] | undefined
  /**
   * Patterns on paths in the repository, below `pathInRepo`: files to delete in the same commit. `.gitattributes`
   * stays.
   */
  remove?: readonly string[] | undefined
  message?: string | undefined
  description?: string | undefined
  /** Open a pull request instead of committing to `main`. */
  createPr?: boolean | undefined
  /** True: the plan is all there will be; without a token or a network it is made without the hub. */
  dryRun?: boolean | undefined
  settings?: HubSettings | undefined
  /** Folder where hashes and unfinished uploads are remembered. */
  stateFolder?: string | undefined
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

export interface PushPlan {
  readonly type: RepoType
  /** `org/name`; without an owner only if the hub does not say whose the token is. */
  readonly repo: string
  readonly revision: string
  readonly createPr: boolean
  /** False: it will be made, or the hub was not asked. */
  readonly exists: boolean
  /** Why the hub was not asked; undefined: it was. */
  readonly notAsked: string | undefined
  readonly isPrivate: boolean
  /** Where the files lie, links resolved. */
  readonly folder: string
  readonly files: readonly LocalFile[]
  readonly deleted: readonly string[]
  readonly bytes: number
  readonly message: string
  readonly description: string
}

/**
 * What a push of a folder (`given`; default: a folder with the repository's name) to the repository `name` would send,
 * and under which account; nothing is sent. Throws, in this order: `hub.name`, `usage.conflict`, `usage.value` (a
 * revision that is a commit, a folder without a file that matches), `hub.offline` and `hub.denied` for a token that is
 * missing, unknown or may only read, `file.missing`, `file.outside`, then the faults of asking the hub.
 *
 * @example
 * ```ts
 * import { Fault, planPush } from 'strata-lm'
 *
 * // with HF_HUB_OFFLINE=1, as here
 * const refused = await planPush('me/stories', 'assets/models/stories260K').catch((error: unknown) => error)
 * console.log(refused instanceof Fault && refused.code) // → hub.offline
 * ```
 */
export async function planPush(name: string, given: string | undefined, options: PushOptions = {}): Promise<PushPlan> {
  const {
    type = 'model',
    isPrivate = false,
    exclude = [],
    remove = [],
    createPr = false,
    dryRun = false,
    description = '',
    signal,
  } = options
  const { settings = hubSettings(), revision = 'main' } = options
  checkTarget(name, { revision, createPr })
  const notAsked = dryRun ? whyNotAsked(settings) : undefined
  if (notAsked === undefined) checkMayPush(settings, name)
  const { source, pathInRepo, include } = await sourceOf(name, given, options)
  const { folder, files } = await localFiles(source, pathInRepo, { include, exclude })
  if (files.length === 0 && remove.length === 0) {
    const filtered = include.length + exclude.length > 0
    throw fault('usage.value', {
      place: source,
      what: filtered ? 'no file of the folder is chosen' : 'the folder holds no file',
      hint: filtered ? 'check --include and --exclude' : '.git and .cache are never pushed',
    })
  }
  const { target, exists, head } =
    notAsked === undefined
      ? await findTarget({ settings, type, name, signal }, revision)
      : { target: { settings, type, name, signal }, exists: false, head: undefined }
  const added = new Set(files.map(({ path }) => path))
  const below = pathInRepo === '' ? '' : `${pathInRepo.replace(/\/+$/, '')}/`
  const there =
    head === undefined || remove.length === 0
      ? []
      : [...(await listEntries(settings, target, head, signal)).keys()].sort()
  const removable = there
    .filter((path) => path.startsWith(below) && path !== '.gitattributes')
    .map((path) => path.slice(below.length))
  return {
    type,
    repo: target.name,
    revision,
    createPr,
    exists,
    notAsked,
    isPrivate,
    folder,
    files,
    deleted: matching(removable, remove)
      .map((path) => below + path)
      .filter((path) => !added.has(path)),
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    message: options.message || `Upload ${basename(resolve(source))} with strata`,
    description,
  }
}

function checkTarget(
  name: string,
  { revision, createPr }: { readonly revision: string; readonly createPr: boolean },
): void {
  checkRepoName(name)
  checkRevision(revision, name)
  if (/^[0-9a-f]{40}$/.test(revision))
    throw fault('usage.value', {
      place: '--revision',
      what: 'a commit cannot be changed',
      seen: revision,
      wanted: 'a branch or refs/pr/N',
    })
  if (createPr && revision !== 'main')
    throw fault('usage.conflict', {
      place: '--create-pr',
      what: 'a pull request must target main',
      seen: `--revision ${revision}`,
    })
}

/** The repository under its full name, and what the hub has of it. */
async function findTarget(given: Target, revision: string): Promise<FoundRepo & { readonly target: Target }> {
  const { settings, name, signal } = given
  const owner = await tokenOwner(settings, name, { needed: !name.includes('/'), signal })
  const target = name.includes('/') || owner === undefined ? given : { ...given, name: `${owner}/${name}` }
  return { target, ...(await findRepo(target, revision)) }
}

function whyNotAsked(settings: HubSettings): string | undefined {
  if (settings.offline) return 'the network is off (HF_HUB_OFFLINE)'
  return settings.token() === undefined ? 'there is no token' : undefined
}

/**
 * Sources and their targets: no source means a folder or file of the repository's name, and a source that does not
 * exist may be a pattern – both as with `hf upload`.
 */
async function sourceOf(
  name: string,
  given: string | undefined,
  { pathInRepo = '', include = [] }: PushOptions,
): Promise<{ source: string; pathInRepo: string; include: readonly string[] }> {
  const source = given ?? name.split('/').at(-1) ?? name
  const there = await stat(source).catch(() => undefined)
  if (given === undefined && !there)
    throw fault('usage.value', {
      place: name,
      what: 'no folder named, and there is none of the same name here',
      hint: `strata push ${name} ./folder`,
    })
  if (there || !/[*?[]/.test(source)) return { source, pathInRepo: inRepo(pathInRepo), include }
  if (include.length > 0 || inRepo(pathInRepo) !== '')
    throw fault('usage.conflict', {
      place: source,
      what: 'a pattern as the source cannot be combined with another pattern or a path',
      hint: 'name the folder, and --include',
    })
  return { source: '.', pathInRepo: '', include: [source.replace(/^\.\//, '')] }
}

/** `.` and `./` mean the repository itself; a leading `/` nothing else. */
function inRepo(path: string): string {
  return path.replace(/^(?:\.?\/+)+/, '').replace(/^\.$/, '')
}
