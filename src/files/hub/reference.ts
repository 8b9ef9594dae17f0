/**
 * What a user types for a model, as a value. Grammar (spaces only for reading):
 *
 *   reference = ["static:"] base ["+" adapter]  |  "merge:" path ["+" adapter]
 *   base      = path | name | name "@" revision          adapter = base without a bare name
 *   path      = "./…" | "../…" | "/…" | "~/…" | "." | ".." | "~" | a folder or file that exists
 *   name      = "org/name" | "name" | "org/name/folder"  revision = branch | tag | commit | "refs/pr/N"
 *
 * Addresses of the hub, as pages or `hf://`, mean the repository that they show. As in transformers, an existing folder or file wins over a hub name of the same spelling; `name@revision` always
 * means the hub. A `+` that is part of a path or a tag stays there: an adapter is only what looks like one (`org/name`,
 * or a path), and a text that exists on disk as a whole is never split.
 */
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { fault } from '#core'
import { fromAddress } from './address.ts'
import { checkPath, checkRepoName, checkRevision, repoNameComplaint, revisionComplaint } from './names.ts'

interface Common {
  /** A LoRA to apply on opening. */
  readonly adapter?: Reference
  /** `static:` was written: read the folder as a static table where it could be read two ways. */
  readonly static?: true
}

export interface HubReference extends Common {
  readonly kind: 'hub'
  /** `org/name`, or `name` for canonical repositories such as `gpt2`. */
  readonly name: string
  /** As written; undefined means the default branch. */
  readonly revision?: string
  /** Folder of the repository that holds the model, such as `checkpoints/epoch-9`. */
  readonly folder?: string
}

export interface PathReference extends Common {
  /**
   * A folder, a single file (of tensors, say), or the recipe of a merge that is not written. What does not exist counts
   * as a folder.
   */
  readonly kind: 'folder' | 'file' | 'merge'
  /** Absolute, or beginning with `.`; `~` is expanded. */
  readonly path: string
}

export type Reference = HubReference | PathReference

/**
 * Reads a model reference; throws `hub.name` for text that is neither a path nor a possible name on the hub,
 * `usage.value` for a prefix without its object.
 */
export function parseReference(text: string): Reference {
  if (text.includes('\0'))
    throw fault('hub.name', { place: 'model reference', what: 'the text has a NUL character', seen: text })
  if (text.startsWith('merge:')) return parseMerge(text.slice('merge:'.length))
  if (!text.startsWith('static:')) return parseAdapted(text, parseBase)
  const rest = text.slice('static:'.length)
  if (rest === '')
    throw fault('usage.value', {
      place: text,
      what: 'nothing follows the prefix',
      wanted: 'static:./folder or static:org/name',
    })
  const reference = parseAdapted(rest, parseBase)
  if (reference.adapter)
    throw fault('usage.conflict', {
      place: text,
      what: 'a static table cannot have an adapter',
      hint: 'leave out static: or the +adapter',
    })
  return { ...reference, static: true }
}

/**
 * The canonical text of a reference: `parseReference(referenceText(r))` gives `r` again as long as the disk does not
 * change.
 */
export function referenceText(reference: Reference): string {
  const adapter = reference.adapter ? `+${referenceText(reference.adapter)}` : ''
  return `${reference.static ? 'static:' : ''}${baseText(reference)}${adapter}`
}

function baseText(reference: Reference): string {
  switch (reference.kind) {
    case 'hub':
      return hubName(reference) + (reference.revision === undefined ? '' : `@${reference.revision}`)
    case 'merge':
      return `merge:${reference.path}`
    case 'folder':
    case 'file':
      return reference.path
    default:
      return reference satisfies never
  }
}

/** `org/name`, with the folder in it where there is one. */
export function hubName({ name, folder }: HubReference): string {
  return folder === undefined ? name : `${name}/${folder}`
}

/** Whether a text is a path by its spelling alone, whatever exists. */
export function isPathText(text: string): boolean {
  return /^(?:\.{1,2}|~)(?:\/|$)/.test(text) || isAbsolute(text)
}

function parseMerge(text: string): Reference {
  if (text === '')
    throw fault('usage.value', { place: 'merge:', what: 'nothing follows the prefix', wanted: 'merge:./recipe.yaml' })
  const full = isPathText(text.split('+', 1)[0] ?? '') ? text : `./${text}`
  return parseAdapted(full, (path) => ({ kind: 'merge', path: canonicalPath(path) }))
}

function parseAdapted(text: string, base: (text: string) => Reference): Reference {
  const plus = adapterAt(text)
  return plus === undefined ? base(text) : { ...base(text.slice(0, plus)), adapter: parseBase(text.slice(plus + 1)) }
}

/**
 * Position of the `+` before an adapter: the last one whose left side exists, otherwise simply the last, among those
 * with an adapter to the right.
 */
function adapterAt(text: string): number | undefined {
  if (onDisk(text)) return undefined
  const candidates = [...text.matchAll(/\+/g)]
    .map((match) => match.index)
    .filter((at) => at > 0 && isAdapterText(text.slice(at + 1)))
  return candidates.findLast((at) => onDisk(text.slice(0, at))) ?? candidates.at(-1)
}

function isAdapterText(text: string): boolean {
  if (isPathText(text) || onDisk(text)) return true
  const [name, revision] = splitRevision(text)
  return (
    name.includes('/') &&
    repoNameComplaint(name) === undefined &&
    (revision === undefined || revisionComplaint(revision) === undefined)
  )
}

function parseBase(typed: string): Reference {
  const text = onDisk(typed) === undefined ? fromAddress(typed) : typed
  if (isPathText(text) || onDisk(text)) {
    const path = canonicalPath(text)
    return { kind: onDisk(path) ?? 'folder', path }
  }
  const [typedName, revision] = splitRevision(text)
  const { name, folder } = splitFolder(typedName)
  checkRepoName(name)
  return {
    kind: 'hub',
    name,
    ...(revision === undefined ? {} : { revision: checkRevision(revision, name) }),
    ...(folder === undefined ? {} : { folder }),
  }
}

/** `org/name/folder`, where the folder is a plain path; any other text is a name as a whole. */
function splitFolder(text: string): { readonly name: string; readonly folder: string | undefined } {
  const parts = text.split('/')
  const inside = parts.slice(2)
  if (inside.length === 0 || inside.some((part) => part === '' || part === '.' || part === '..'))
    return { name: text, folder: undefined }
  return { name: parts.slice(0, 2).join('/'), folder: checkPath(inside.join('/'), text) }
}

function splitRevision(text: string): [name: string, revision: string | undefined] {
  const at = text.indexOf('@')
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

function canonicalPath(path: string): string {
  const home = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path
  const trimmed = home.replace(/(?<=[^/])\/+$/, '')
  return isPathText(trimmed) ? trimmed : `./${trimmed}`
}

function onDisk(text: string): 'folder' | 'file' | undefined {
  if (text === '') return undefined
  const path = text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : text
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file'
  } catch {
    return undefined // absent, too long, or not to be looked at: all the same here
  }
}
