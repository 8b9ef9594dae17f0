/** Texts of a function's file, picked out of its literals: prompts and names stay where the task has them. */
import { fault } from '#core'

export type Constants = readonly (string | number)[]

/** A literal by its place. */
export function textAt(constants: Constants, place: number): string {
  const value = constants.at(place)
  if (typeof value === 'string') return value
  throw fault('internal', {
    place: `literal ${place}`,
    what: 'a function known by its wording has no such text',
    seen: value,
  })
}

/** Literals of a map in the order of the file, key and value in turn. */
export function mapOf(constants: Constants): ReadonlyMap<string | number, string> {
  const pairs = new Map<string | number, string>()
  for (let at = 0; at + 1 < constants.length; at += 2) pairs.set(constants[at] ?? '', textAt(constants, at + 1))
  return pairs
}

/** All literals that follow the last one of `before`, as one text. */
export function textAfter(constants: Constants, before: readonly string[]): string {
  return constants.slice(Math.max(...before.map((one) => constants.lastIndexOf(one))) + 1).join('')
}

/** The first constant of a function of this shape, where all the others are unchanged; otherwise undefined. */
export function firstBefore(constants: Constants, rest: Constants): string | undefined {
  const [first, ...others] = constants
  return typeof first === 'string' && others.length === rest.length && others.every((value, i) => value === rest[i])
    ? first
    : undefined
}

/** A value of a map; stops the task with the key where it has none. */
export function valueOf(map: ReadonlyMap<string | number, string>, key: string | number, column: string): string {
  const value = map.get(key)
  if (value !== undefined) return value
  throw fault('task.value', {
    place: column,
    what: 'a value that the task does not know',
    seen: key,
    wanted: [...map.keys()].slice(0, 20).join(', '),
  })
}
