/** Finds the tensor a slot stands for: prefixes, older names, several spellings. */
import type { TensorSource } from '#core'
import type { Slot, TensorNames } from '#model/architectures'

/** What fills the placeholders of a name. */
export interface Place {
  readonly i?: number
  readonly j?: number
  readonly h?: number
  readonly e?: number
}

export type Part = 'weight' | 'bias'

export interface Names {
  /** Prefix of the model's tensors in this source. */
  readonly prefix: string
  /** Name of the tensor, or undefined when the source has none of the spellings. */
  find(slot: Slot, place: Place, part: Part): string | undefined
  /** The spelling to be named when it is missing. */
  usual(slot: Slot, place: Place, part: Part): string
  /** Tensors that no slot of the family can mean, buffers left out. */
  strangers(): readonly string[]
}

/** TensorFlow's names of a norm's parameters, still found in older checkpoints. */
const oldParts = { weight: 'gamma', bias: 'beta' } as const

/** Names of `tensors` as one family calls them; the prefix is chosen by what the source holds. */
export function resolveNames({ prefixes, slots }: TensorNames, tensors: TensorSource): Names {
  const prefix = choosePrefix(prefixes, firstNames(slots), tensors)
  // A wrapper's prefix (`module.`) stands before the heads too.
  const known = prefixes.filter((candidate) => candidate !== '' && prefix.endsWith(candidate)).sort((a, b) => b.length - a.length)[0] ?? ''
  const wrapper = prefixes.includes(prefix) ? '' : prefix.slice(0, prefix.length - known.length)

  const spellings = (slot: Slot, place: Place, part: Part): string[] => {
    const { names, outside } = patterns(slots[slot])
    return names.flatMap((pattern) => spell(`${outside ? wrapper : prefix}${fill(pattern, place)}`, part))
  }
  const shapes = (Object.keys(slots) as Slot[]).flatMap((slot) => {
    const { names, outside } = patterns(slots[slot])
    return names.map((pattern) => nameShape(`${outside ? wrapper : prefix}${pattern}`))
  })
  return {
    prefix,
    find: (slot, place, part) => spellings(slot, place, part).find((name) => tensors.info(name) !== undefined),
    usual: (slot, place, part) => spellings(slot, place, part)[0] ?? slot,
    strangers: () => tensors.names().filter((name) => !buffers.test(name) && !shapes.some((shape) => shape.test(name))),
  }
}

/** Saved beside weights by older releases, computed anew by newer ones: positions, causal masks, rotary frequencies. */
const buffers = /(?:^|\.)(?:position_ids|token_type_ids|masked_bias|attn\.bias|attention\.bias|(?:rotary_emb\.)?inv_freq|embed_scale)$/

/** Every name a pattern can make. */
function nameShape(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const parts = String.raw`\.(?:weight|bias|gamma|beta)$`
  return new RegExp(
    `^${escaped.replaceAll(/\\\{[a-z]\\\}/g, String.raw`\d+`).replace(/\\\.\\\*$/, () => parts)}${escaped.endsWith(String.raw`\.\*`) ? '' : '$'}`,
  )
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

function fill(pattern: string, { i = 0, j = 0, h = 0, e = 0 }: Place): string {
  return pattern.replaceAll('{i}', String(i)).replaceAll('{j}', String(j)).replaceAll('{h}', String(h)).replaceAll('{e}', String(e))
}

/** Names without prefix of the slots under it, as the first block has them. */
function firstNames(slots: TensorNames['slots']): readonly string[] {
  return (Object.keys(slots) as Slot[]).flatMap((slot) => {
    const { names, outside } = patterns(slots[slot])
    return outside ? [] : names.flatMap((pattern) => spell(fill(pattern, {}), 'weight'))
  })
}

/** The prefix under which most names are found: one of the family's own, else whatever stands before the names. */
function choosePrefix(prefixes: readonly string[], names: readonly string[], tensors: TensorSource): string {
  const found = (prefix: string): number => names.filter((name) => tensors.info(prefix + name) !== undefined).length
  const best = (candidates: readonly string[]): string | undefined =>
    candidates
      .map((prefix) => ({ prefix, count: found(prefix) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)[0]?.prefix
  return best(prefixes) ?? best(foreignPrefixes(names, tensors)) ?? prefixes[0] ?? ''
}

function foreignPrefixes(names: readonly string[], tensors: TensorSource): readonly string[] {
  const endings = names.map((name) => `.${name}`)
  const prefixes = tensors.names().flatMap((name) => endings.filter((ending) => name.endsWith(ending)).map((ending) => name.slice(0, 1 - ending.length)))
  return [...new Set(prefixes)].sort((a, b) => a.length - b.length)
}
