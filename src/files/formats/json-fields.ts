/** JSON objects from strangers, read field by field: a value that cannot be is a fault with the place of its field. */
import { fault, type Fault, type RepoFiles } from '#core'
import { parseJson } from './json.ts'

/** A JSON object and where it stands, for messages. */
export interface JsonFields {
  readonly place: string
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * The JSON object in a file, or undefined when there is no such file. Throws `format.*`, `config.value` when it is no
 * object.
 */
export async function readJsonFields(files: RepoFiles, path: string): Promise<JsonFields | undefined> {
  if (!(await files.has(path))) return undefined
  const place = `${files.name}/${path}`
  const fields = parseJson(await files.text(path), place, { allowNaN: true })
  if (!isObject(fields)) throw fault('config.value', { place, what: 'not a JSON object', seen: kindOf(fields) })
  return { place, fields }
}

/** The JSON array in a file, or undefined when there is no such file. */
export async function readJsonList(files: RepoFiles, path: string): Promise<readonly unknown[] | undefined> {
  if (!(await files.has(path))) return undefined
  const place = `${files.name}/${path}`
  const list = parseJson(await files.text(path), place, { allowNaN: true })
  if (!Array.isArray(list)) throw fault('config.value', { place, what: 'not a JSON array', seen: kindOf(list) })
  return list
}

/** A whole number of at least 1, or undefined when the field is absent or null. */
export function optionalCountOf({ place, fields }: JsonFields, name: string): number | undefined {
  const value = fieldOf(fields, name)
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw wrongField(place, name, value, 'a whole number of at least 1')
  return value
}

/** The same; an absent field is `config.value`. */
export function countOf(config: JsonFields, name: string): number {
  const value = optionalCountOf(config, name)
  if (value === undefined) throw wrongField(config.place, name, null, 'a whole number of at least 1')
  return value
}

export function flagOf({ place, fields }: JsonFields, name: string, absent: boolean): boolean {
  const value = fieldOf(fields, name) ?? absent
  if (typeof value !== 'boolean') throw wrongField(place, name, value, 'true or false')
  return value
}

export function optionalTextOf({ place, fields }: JsonFields, name: string): string | undefined {
  const value = fieldOf(fields, name) ?? undefined
  if (value !== undefined && typeof value !== 'string') throw wrongField(place, name, value, 'a string')
  return value
}

export function optionalObjectOf({ place, fields }: JsonFields, name: string): JsonFields | undefined {
  const value = fieldOf(fields, name) ?? undefined
  if (value === undefined) return undefined
  if (!isObject(value)) throw wrongField(place, name, value, 'an object')
  return { place: `${place} › ${name}`, fields: value }
}

/** An own field; prototypes are never consulted. */
export function fieldOf(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** A JSON object, neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** To be thrown: the value of a field is not one it can have; null is a field that is missing. */
export function wrongField(place: string, name: string, seen: unknown, wanted: string): Fault {
  return fault('config.value', {
    place: `${place} › ${name}`,
    what: seen === null ? 'missing' : 'not a value it can have',
    ...(seen === null ? {} : { seen }),
    wanted,
  })
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value
}
