/** Two sets of scores, number by number. */

export interface Difference {
  /** Numbers, and values that are undefined on one side at least. */
  compared: number
  /** Of those, the same to 6 decimals. */
  equal: number
  /** 1 where a value is defined on one side only. */
  worst: number
  where: string
  /** Names that only the reference writes, and that only we write. */
  absent: string[]
  extra: string[]
}

/** `ours`: split → entries with `hf_subset`; `theirs`: split → subset → scores. */
export function differences(
  ours: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>,
  theirs: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Difference {
  const found: Difference = { compared: 0, equal: 0, worst: 0, where: '', absent: [], extra: [] }
  for (const [split, subsets] of Object.entries(theirs))
    for (const [subset, scores] of Object.entries(subsets)) {
      const own = ours[split]?.find(({ hf_subset: name }) => name === subset)
      if (own === undefined) found.absent.push(`${split} ${subset}`)
      else compare(own, scores, `${split} ${subset}`, '', found)
    }
  found.absent = [...new Set(found.absent)]
  found.extra = [...new Set(found.extra)]
  return found
}

/** Said of a part, not a score of it. */
const facts = ['hf_subset', 'languages', 'main_score']

function compare(ours: unknown, theirs: unknown, place: string, name: string, found: Difference): void {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    if (ours.length !== theirs.length) found.absent.push(`${name}: ${theirs.length} entries, not ${ours.length}`)
    theirs.forEach((value, i) => compare(ours[i], value, place, `${name}[${i}]`, found))
  } else if (isRecord(theirs) && isRecord(ours)) {
    const of = (key: string): string => (name === '' ? key : `${name}.${key}`)
    for (const [key, value] of Object.entries(theirs)) {
      if (facts.includes(key)) continue
      if (Object.hasOwn(ours, key)) compare(ours[key], value, place, of(key), found)
      else found.absent.push(of(key).replace(/\[\d+\]/g, '[]'))
    }
    for (const key of Object.keys(ours))
      if (!facts.includes(key) && !Object.hasOwn(theirs, key)) found.extra.push(of(key).replace(/\[\d+\]/g, '[]'))
  } else {
    found.compared++
    const difference = distance(ours, theirs)
    if (difference < 5e-7) found.equal++
    if (difference > found.worst) Object.assign(found, { worst: difference, where: `${place} ${name}` })
  }
}

function distance(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(round(a) - round(b))
  return a === b ? 0 : 1
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
