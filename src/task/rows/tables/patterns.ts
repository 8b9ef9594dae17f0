/** What the registry says of all subsets and splits, said of one. */
import { fault } from '#core'
import type { PartOf } from '../loaded-task.ts'

/**
 * A copy in which names stand in the place of patterns and choices (`RowSource`). Throws `task.subset` and `task.split`
 * for names without a choice.
 */
export function resolved<Spec>(spec: Spec, part: PartOf): Spec {
  return resolve(spec, part) as Spec
}

function resolve(spec: unknown, part: PartOf): unknown {
  if (typeof spec === 'string')
    return spec.replaceAll(/\{(subset|split)(?:\.(\d))?\}/g, (_whole, name: 'subset' | 'split', at?: string) =>
      piece(part, name, at),
    )
  if (Array.isArray(spec)) return spec.map((entry: unknown) => resolve(entry, part))
  if (typeof spec !== 'object' || spec === null) return spec
  const entries = Object.entries(spec)
  const [first] = entries
  if (entries.length === 1 && first?.[0] === 'whichSubset')
    return resolve(choice(first[1], part.subset, 'task.subset'), part)
  if (entries.length === 1 && first?.[0] === 'whichSplit')
    return resolve(choice(first[1], part.split, 'task.split'), part)
  return Object.fromEntries(entries.map(([name, value]) => [name, resolve(value, part)]))
}

function piece(part: PartOf, name: 'subset' | 'split', at: string | undefined): string {
  if (at === undefined) return part[name]
  const found = part[name].split(name === 'subset' ? '-' : '_')[Number(at)]
  if (found !== undefined) return found
  throw fault(name === 'subset' ? 'task.subset' : 'task.split', {
    place: part[name],
    what: `the ${name} has too few parts`,
    seen: part[name],
  })
}

function choice(choices: unknown, name: string, code: 'task.subset' | 'task.split'): unknown {
  const known = choices as Readonly<Record<string, unknown>>
  const found = Object.hasOwn(known, name) ? known[name] : known['*']
  if (found !== undefined) return found
  throw fault(code, { place: name, what: 'the task says nothing about it', seen: name, wanted: Object.keys(known) })
}
