/** Finds the tensor a slot stands for: prefixes, older names, several spellings. */
import type { TensorSource } from '../core/index.ts'
import type { Slot, TensorNames } from '../architectures/index.ts'

/** What fills the placeholders of a name. */
export interface Place {
  readonly i?: number
  readonly j?: number
  readonly h?: number
}

export type Part = 'weight' | 'bias'

export interface Names {
  /** Prefix of the model's tensors in this source. */
  readonly prefix: string
  /** Name of the tensor, or undefined when the source has none of the spellings. */
  find(slot: Slot, place: Place, part: Part): string | undefined
  /** The spelling to be named when it is missing. */
  usual(slot: Slot, place: Place, part: Part): string
}

/** TensorFlow's names of a norm's parameters, still found in older checkpoints. */
const oldParts = { weight: 'gamma', bias: 'beta' } as const

/** Names of `tensors` as one family calls them; the prefix is chosen by what the source holds. */
export function resolveNames({ prefixes, slots }: TensorNames, tensors: TensorSource): Names {
  const prefix = choosePrefix(prefixes, patterns(slots['embed.token']).names, tensors)
  // A wrapper's prefix (`module.`) stands before the heads too.
  const known = prefixes.filter((candidate) => candidate !== '' && prefix.endsWith(candidate)).sort((a, b) => b.length - a.length)[0] ?? ''
  const wrapper = prefixes.includes(prefix) ? '' : prefix.slice(0, prefix.length - known.length)

  const spellings = (slot: Slot, place: Place, part: Part): string[] => {
    const { names, outside } = patterns(slots[slot])
    return names.flatMap((pattern) => spell(`${outside ? wrapper : prefix}${fill(pattern, place)}`, part))
  }
  return {
    prefix,
    find: (slot, place, part) => spellings(slot, place, part).find((name) => tensors.info(name) !== undefined),
    usual: (slot, place, part) => spellings(slot, place, part)[0] ?? slot,
  }
}

function patterns(entry: TensorNames['slots'][Slot]): { names: readonly string[]; outside: boolean } {
  if (entry === undefined) return { names: [], outside: false }
  const outside = typeof entry === 'object' && 'outside' in entry
  const names = outside ? entry.outside : entry
  return { names: typeof names === 'string' ? [names] : names, outside }
}

/** `x.*` stands for both parameters of a module; another name is a tensor of its own. */
function spell(pattern: string, part: Part): string[] {
  if (!pattern.endsWith('.*')) return part === 'weight' ? [pattern] : []
  const module = pattern.slice(0, -1)
  return [`${module}${part}`, `${module}${oldParts[part]}`]
}

function fill(pattern: string, { i = 0, j = 0, h = 0 }: Place): string {
  return pattern.replaceAll('{i}', String(i)).replaceAll('{j}', String(j)).replaceAll('{h}', String(h))
}

/** A family's own prefixes first; else whatever stands before the token table's name, the shortest. */
function choosePrefix(prefixes: readonly string[], tokenNames: readonly string[], tensors: TensorSource): string {
  const usual = prefixes.find((prefix) => tokenNames.some((name) => tensors.info(prefix + name) !== undefined))
  if (usual !== undefined) return usual
  const found = tensors
    .names()
    .flatMap((name) => tokenNames.filter((token) => name.endsWith(`.${token}`)).map((token) => name.slice(0, -token.length)))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return found[0] ?? prefixes[0] ?? ''
}
