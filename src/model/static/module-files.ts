/** Small JSON files of a repository's module folders, read field by field. */
import { posix } from 'node:path'
import { fault, type Fault, type RepoFiles } from '#core'
import { parseJson } from '#files/formats'

/** Far above any real one: the largest hold some prompts. */
const largestConfig = 4 << 20

/** A JSON object and where it stands, for messages. */
export interface Config {
  readonly place: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** The JSON object in a file, or undefined when there is no such file. Throws `format.*`, `config.value` when it is no object. */
export async function readConfigFile(files: RepoFiles, path: string): Promise<Config | undefined> {
  if (!(await files.has(path))) return undefined
  const place = `${files.name}/${path}`
  const fields = parseJson(await files.text(path, largestConfig), place, { allowNaN: true })
  if (!isObject(fields)) throw fault('config.value', { place, what: 'not a JSON object', seen: kindOf(fields) })
  return { place, fields }
}

/** The JSON array in a file, or undefined when there is no such file. */
export async function readListFile(files: RepoFiles, path: string): Promise<readonly unknown[] | undefined> {
  if (!(await files.has(path))) return undefined
  const place = `${files.name}/${path}`
  const list = parseJson(await files.text(path, largestConfig), place, { allowNaN: true })
  if (!Array.isArray(list)) throw fault('config.value', { place, what: 'not a JSON array', seen: kindOf(list) })
  return list
}

/** A folder of the repository as its files name it: relative, `''` for the repository itself. Throws `file.outside`. */
export function folderNamed(path: string, place: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const inside = !/[\\:\0]/.test(path) && !path.startsWith('/') && !parts.includes('..')
  if (!inside) throw fault('file.outside', { place, what: 'not a folder inside the repository', seen: path })
  return parts.join('/')
}

/** The files of one folder of a repository, as if it were a repository; with `only`, no others are to be seen. */
export function folderFiles(files: RepoFiles, folder: string, { only }: { only?: readonly string[] } = {}): RepoFiles {
  const seen = (path: string): boolean => only === undefined || only.includes(path)
  const full = (path: string): string => posix.join(folder, path)
  const visible = (path: string): string => {
    if (!seen(path)) throw fault('file.missing', { place: `${files.name}/${folder}`, what: 'not a file of this folder', seen: path })
    return full(path)
  }
  return {
    name: folder === '' ? files.name : `${files.name}/${folder}`,
    revision: files.revision,
    async list() {
      const prefix = folder === '' ? '' : `${folder}/`
      const below = (await files.list()).filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
      return below.filter(seen)
    },
    has: async (path) => seen(path) && files.has(full(path)),
    local: async (path) => files.local(visible(path)),
    bytes: async (path, limit) => files.bytes(visible(path), limit),
    text: async (path, limit) => files.text(visible(path), limit),
  }
}

/** A whole number of at least 1, or undefined when the field is absent or null. */
export function optionalCount({ place, fields }: Config, name: string): number | undefined {
  const value = fieldOf(fields, name)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) throw wrong(place, name, value, 'a whole number of at least 1')
  return value
}

/** The same; an absent field is `config.value`. */
export function count(config: Config, name: string): number {
  const value = optionalCount(config, name)
  if (value === undefined) throw wrong(config.place, name, null, 'a whole number of at least 1')
  return value
}

export function flag({ place, fields }: Config, name: string, absent: boolean): boolean {
  const value = fieldOf(fields, name) ?? absent
  if (typeof value !== 'boolean') throw wrong(place, name, value, 'true or false')
  return value
}

export function optionalText({ place, fields }: Config, name: string): string | undefined {
  const value = fieldOf(fields, name) ?? undefined
  if (value !== undefined && typeof value !== 'string') throw wrong(place, name, value, 'a string')
  return value
}

export function optionalObject({ place, fields }: Config, name: string): Config | undefined {
  const value = fieldOf(fields, name) ?? undefined
  if (value === undefined) return undefined
  if (!isObject(value)) throw wrong(place, name, value, 'an object')
  return { place: `${place} › ${name}`, fields: value }
}

export function fieldOf(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function wrong(place: string, name: string, seen: unknown, wanted: string): Fault {
  return fault('config.value', {
    place: `${place} › ${name}`,
    what: seen === null ? 'missing' : 'not a value it can have',
    ...(seen === null ? {} : { seen }),
    wanted,
  })
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value
}
