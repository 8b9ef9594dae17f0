/** A task file with what it includes, as lm-evaluation-harness merges them: shallow, the including file last. */
import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { asFault, fault } from '#core'
import { isObject, parsePythonYaml } from '#files/formats'

/** `!function module.name` in a file: which Python file it means, and by what name. */
export interface FunctionReference {
  readonly kind: 'function'
  /** Path of the Python file; it need not exist. */
  readonly file: string
  readonly name: string
  /** As a port is listed: path below the tasks' folder, and the name. */
  readonly key: string
}

export type Config = Readonly<Record<string, unknown>>

export function isFunctionReference(value: unknown): value is FunctionReference {
  return isObject(value) && value['kind'] === 'function' && typeof value['key'] === 'string'
}

/** How deep files may include one another. */
const deepestInclude = 20

/**
 * Reads `path`; `root` is the folder of tasks that it belongs to. A file that includes itself, or is included twice, is
 * refused as the reference refuses it.
 * Faults: `file.missing`, `format.yaml` with line and column, `usage.value`.
 */
export async function readConfig(path: string, root: string, seen: Set<string> = new Set()): Promise<Config> {
  const full = resolve(path)
  if (seen.has(full) || seen.size > deepestInclude)
    throw fault('usage.value', {
      place: path,
      what: 'a file of the tasks includes another twice, or itself',
      seen: [...seen].slice(-3),
    })
  seen.add(full)
  const text = await readFile(full, 'utf8').catch((error: unknown) => {
    throw asFault(error, 'file.missing', path)
  })
  const folder = dirname(full)
  const value = parsePythonYaml(text, path, { tags: { '!function': (name) => functionReference(name, folder, root) } })
  if (!isObject(value)) throw fault('usage.value', { place: path, what: 'not a map of settings' })
  const { include, ...own } = value
  if (include === undefined) return value
  let merged: Config = {}
  for (const name of Array.isArray(include) ? include : [include]) {
    if (typeof name !== 'string') throw fault('usage.value', { place: path, what: 'include is not a path', seen: name })
    const { task_list: _, ...included } = await readConfig(isAbsolute(name) ? name : join(folder, name), root, seen)
    merged = { ...merged, ...included }
  }
  return { ...merged, ...own }
}

function functionReference(written: string, folder: string, root: string): FunctionReference {
  const dot = written.lastIndexOf('.')
  const file = join(folder, `${written.slice(0, Math.max(0, dot)).replaceAll('.', '/')}.py`)
  const name = written.slice(dot + 1)
  return { kind: 'function', file, name, key: `${relative(resolve(root), file).split(sep).join('/')}#${name}` }
}
