/**
 * Names that reach the network or become file names: repositories, revisions, paths inside a repository. Checked before
 * anything is opened.
 */
import { fault } from '#core'

export type RepoType = 'model' | 'dataset'

/**
 * Longest part of a repository name that the hub takes; the rules are those of huggingface_hub's `validate_repo_id`.
 */
const longestName = 96
/** Git itself knows no limit; one component of a file name does. */
const longestRevision = 255
/** PATH_MAX of Linux. */
const longestPath = 4096

/** `org/name`, or `name` for the hub's canonical repositories; throws `hub.name`. */
export function checkRepoName(name: string): string {
  const complaint = repoNameComplaint(name)
  if (complaint === undefined) return name
  throw fault('hub.name', {
    place: name === '' ? 'model reference' : name,
    what: complaint,
    wanted: 'org/name, org/name@revision, or a folder as ./folder',
    hint: 'write a folder with a leading ./ or as an absolute path; check that it exists',
  })
}

/** Why the hub would refuse this name, or undefined if it is well formed. */
export function repoNameComplaint(name: string): string | undefined {
  const parts = name.split('/')
  if (name === '') return 'the name is empty'
  if (parts.length > 2) return 'a repository name has at most one /'
  for (const part of parts) {
    if (part === '') return 'a part of the name is empty'
    if (part.length > longestName) return `a part of the name is longer than ${longestName} characters`
    if (!/^[\w.-]+$/.test(part)) return 'a repository name consists of letters, digits, -, _ and .'
    if (!/^\w(?:.*\w)?$/.test(part)) return 'a part of the name begins or ends with - or .'
  }
  if (name.includes('--') || name.includes('..')) return 'a repository name contains no -- and no ..'
  if (name.endsWith('.git')) return 'a repository name does not end in .git'
  return undefined
}

/**
 * A branch, tag, commit or `refs/pr/N`; it becomes a path under `refs/`, so git's own rules for ref names hold. Throws
 * `hub.name`.
 */
export function checkRevision(revision: string, name: string): string {
  const complaint = revisionComplaint(revision)
  if (complaint === undefined) return revision
  throw fault('hub.name', {
    place: `${name}@${revision}`,
    what: `not a revision: ${complaint}`,
    wanted: 'a branch, tag, commit or refs/pr/N',
  })
}

/** Why git would refuse this ref name (git-check-ref-format), or undefined. */
export function revisionComplaint(revision: string): string | undefined {
  if (revision === '') return 'it is empty'
  if (revision.length > longestRevision) return `longer than ${longestRevision} characters`
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\u0000-\u0020\u007f~^:?*[\\]/.test(revision) || /\p{Surrogate}/u.test(revision))
    return 'it has characters that git does not allow'
  if (revision === '@' || revision.includes('..') || revision.includes('@{')) return 'it has .. or @{'
  for (const part of revision.split('/')) {
    if (part === '') return 'a part of it is empty'
    if (part.startsWith('.') || part.endsWith('.') || part.endsWith('.lock'))
      return 'a part of it begins or ends with a dot or in .lock'
  }
  return undefined
}

/**
 * A path inside a repository, normalised (`./a//b` → `a/b`). Names come from files written by strangers – shard
 * indexes, module lists, data set cards – so anything that could leave the repository is refused with `file.outside`:
 * `..`, absolute paths, backslashes, drive letters, NUL.
 */
export function checkPath(path: string, place: string): string {
  const complaint = pathComplaint(path)
  const inside = path.split('/').filter((part) => part !== '' && part !== '.')
  if (complaint === undefined && inside.length > 0) return inside.join('/')
  throw fault('file.outside', {
    place,
    what: complaint ?? 'the path names no file',
    seen: path,
    wanted: 'a relative path with / inside the repository',
  })
}

function pathComplaint(path: string): string | undefined {
  if (path === '') return 'the path is empty'
  if (path.length > longestPath) return 'the path is too long'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'the path is absolute'
  if (path.includes('\\') || path.includes('\0') || /\p{Surrogate}/u.test(path))
    return 'the path has a character that is not allowed'
  return path.split('/').includes('..') ? 'the path leads out of its folder' : undefined
}

/**
 * Paths of a listing, which a stranger's hub may have written: each must be as `checkPath` leaves it. Throws
 * `file.outside`.
 */
export function checkListed(paths: readonly string[], place: string): void {
  for (const path of paths) {
    if (checkPath(path, place) === path) continue
    throw fault('file.outside', {
      place,
      what: 'the path has a part that is empty or a dot',
      seen: path,
      wanted: 'a relative path with / inside the repository',
    })
  }
}

/** Whether a word from the network (an etag, a commit) may become a file name. */
export function isFileName(word: string): boolean {
  return /^[\w.-]{1,200}$/.test(word) && word !== '.' && word !== '..'
}
