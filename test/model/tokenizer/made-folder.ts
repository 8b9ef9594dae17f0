/** Repositories for the tests: a folder read as it is, some of its files hidden, or files held in memory. */
import { readFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Fault, fault, type RepoFiles } from '#core'

export function memoryFiles(contents: Readonly<Record<string, string>>, name = 'memory'): RepoFiles {
  const text = (path: string): Promise<string> => {
    const found = Object.hasOwn(contents, path) ? contents[path] : undefined
    if (found === undefined)
      return Promise.reject(fault('file.missing', { place: `${name} › ${path}`, what: 'no such file' }))
    return Promise.resolve(found)
  }
  return {
    name,
    revision: undefined,
    list: () => Promise.resolve(Object.keys(contents).sort()),
    has: (path) => Promise.resolve(Object.hasOwn(contents, path)),
    local: (path) => Promise.reject(fault('file.missing', { place: path, what: 'not on disk' })),
    bytes: async (path) => new TextEncoder().encode(await text(path)),
    text,
  }
}

/** Text files of a folder; `hidden` ones are not there, `added` ones stand beside or in front of them. */
export function folderFiles(
  folder: string,
  options: { hidden?: readonly string[]; added?: Readonly<Record<string, string>> } = {},
): RepoFiles {
  const { hidden = [], added = {} } = options
  const isText = (name: string): boolean => /\.(json|txt|jinja)$/.test(name) && !hidden.includes(name)
  const names = existsSync(folder) ? readdirSync(folder).filter(isText) : []
  return memoryFiles(
    { ...Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])), ...added },
    folder,
  )
}

/** The fault an action ends in; any other end is an error of the test. */
export function faultOf(action: () => unknown): Fault {
  try {
    action()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('no fault')
}

export async function rejectionOf(promise: Promise<unknown>): Promise<Fault> {
  const error: unknown = await promise.then(
    () => new Error('no fault'),
    (reason: unknown) => reason,
  )
  if (error instanceof Fault) return error
  throw error
}
