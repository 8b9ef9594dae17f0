/** Which tensor of a file a slot stands for, and the other way round: prefixes, older names, several spellings. */
import type { Slot, TensorNames } from './spec.ts'

/** What fills the placeholders of a name. */
export interface Place {
  readonly i?: number
  readonly j?: number
  readonly s?: number | undefined
  readonly h?: number
  readonly e?: number
  readonly part?: string | undefined
}

export type Part = 'weight' | 'bias'

export interface SlotSpellings {
  /** Prefix of the model's tensors among these names. */
  readonly prefix: string
  /** Every name a slot's tensor may have, the usual one first. */
  readonly spellings: (slot: Slot, place: Place, part: Part) => readonly string[]
  /** The slot a name is a spelling of; undefined for a tensor that the family does not know. */
  readonly slotOf: (name: string) => Slot | undefined
}

/** TensorFlow's names of a norm's parameters, still found in older checkpoints. */
const oldParts = { weight: 'gamma', bias: 'beta' } as const

/** Names as one family spells them; the prefix is chosen to match the tensors present. */
export function slotSpellings(
  { prefixes, slots, outside: places }: Pick<TensorNames, 'prefixes' | 'slots' | 'outside'>,
  names: readonly string[],
): SlotSpellings {
  const prefix = choosePrefix(prefixes, firstNames(slots), names)
  // A wrapper's prefix (`module.`) stands before the heads too.
  const known =
    prefixes
      .filter((candidate) => candidate !== '' && prefix.endsWith(candidate))
      .sort((a, b) => b.length - a.length)[0] ?? ''
  const wrappers = places ?? [prefixes.includes(prefix) ? '' : prefix.slice(0, prefix.length - known.length)]
  const shapes = (Object.keys(slots) as Slot[]).flatMap((slot) => {
    const { patterns, outside } = patternsOf(slots[slot])
    return patterns.flatMap((pattern) =>
      (outside ? wrappers : [prefix]).map((before) => ({ slot, shape: nameShape(`${before}${pattern}`) })),
    )
  })
  return {
    prefix,
    spellings(slot, place, part) {
      const { patterns, outside } = patternsOf(slots[slot])
      return patterns.flatMap((pattern) =>
        (outside ? wrappers : [prefix]).flatMap((before) => spell(`${before}${fill(pattern, place)}`, part)),
      )
    },
    slotOf: (name) => shapes.find(({ shape }) => shape.test(name))?.slot,
  }
}

/** Every name a pattern can make. */
function nameShape(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const parts = String.raw`(?:weight|bias|gamma|beta)`
  const filled = escaped.replaceAll(String.raw`\{p\}`, String.raw`[\w.]+`)
  return new RegExp(`^${filled.replaceAll(/\\\{[a-z]\\\}/g, String.raw`\d+`).replace(/\\\*$/, () => parts)}$`)
}

function patternsOf(entry: TensorNames['slots'][Slot]): { patterns: readonly string[]; outside: boolean } {
  if (entry === undefined) return { patterns: [], outside: false }
  const outside = typeof entry === 'object' && 'outside' in entry
  const patterns = outside ? entry.outside : entry
  return { patterns: typeof patterns === 'string' ? [patterns] : patterns, outside }
}

/** `x.*` and `x_*` stand for both parameters of a module; another name is a tensor of its own. */
function spell(pattern: string, part: Part): string[] {
  if (!pattern.endsWith('*')) return part === 'weight' ? [pattern] : []
  const module = pattern.slice(0, -1)
  return [`${module}${part}`, `${module}${oldParts[part]}`]
}

function fill(pattern: string, { i = 0, j = 0, s = 0, h = 0, e = 0, part = '' }: Place): string {
  return pattern
    .replaceAll('{p}', part)
    .replaceAll('{i}', String(i))
    .replaceAll('{j}', String(j))
    .replaceAll('{s}', String(s))
    .replaceAll('{h}', String(h))
    .replaceAll('{e}', String(e))
}

/** Names without prefix of the slots under it, as the first block has them. */
function firstNames(slots: TensorNames['slots']): readonly string[] {
  return (Object.keys(slots) as Slot[]).flatMap((slot) => {
    const { patterns, outside } = patternsOf(slots[slot])
    return outside ? [] : patterns.flatMap((pattern) => spell(fill(pattern, {}), 'weight'))
  })
}

/** The prefix under which most names are found: one of the family's own, or otherwise whatever precedes the names. */
function choosePrefix(prefixes: readonly string[], wanted: readonly string[], names: readonly string[]): string {
  const stored = new Set(names)
  const best = (candidates: readonly string[]): string | undefined =>
    candidates
      .map((prefix) => ({ prefix, count: wanted.filter((name) => stored.has(prefix + name)).length }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)[0]?.prefix
  return best(prefixes) ?? best(foreignPrefixes(wanted, names)) ?? prefixes[0] ?? ''
}

function foreignPrefixes(wanted: readonly string[], names: readonly string[]): readonly string[] {
  const endings = wanted.map((name) => `.${name}`)
  const prefixes = names.flatMap((name) =>
    endings.filter((ending) => name.endsWith(ending)).map((ending) => name.slice(0, 1 - ending.length)),
  )
  return [...new Set(prefixes)].sort((a, b) => a.length - b.length)
}
