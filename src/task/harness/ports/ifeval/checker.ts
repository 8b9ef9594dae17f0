/**
 * One instruction of IFEval (Zhou et al. 2023, https://arxiv.org/abs/2311.07911), as
 * google-research/instruction_following_eval checks it.
 */
import { fault } from '#core'
import type { PythonRandom } from '#platform/random'
import type { DocValue } from '../../doc.ts'

/** What a row says of an instruction: `num_words: 100`. Empty, zero and false ones are as good as absent. */
export type Settings = Readonly<Record<string, DocValue>>

/** Whether a response, never blank, follows the instruction. */
export type Follows = (response: string) => boolean

/** Reads an instruction's settings. What a row leaves out is drawn, as the reference draws it. */
export type Checker = (settings: Settings, random: PythonRandom) => Follows

export const relations = ['less than', 'at least'] as const
export type Relation = (typeof relations)[number]

/** A threshold: drawn from `low` … `high` where it is absent or negative. */
export function countOf(settings: Settings, name: string, random: PythonRandom, low: number, high: number): number {
  const value = settings[name] ?? undefined
  if (value !== undefined && typeof value !== 'number' && !isFloat(value)) throw wrong(name, value, 'a number')
  const count = typeof value === 'object' ? value.value : value
  return count === undefined || count < 0 ? low + random.below(high - low + 1) : count
}

/** How a count compares with its threshold. */
export function relationOf(settings: Settings, name: string, random: PythonRandom): Relation {
  const value = settings[name] ?? undefined
  if (value === undefined) return relations[random.below(2)] ?? 'at least'
  const relation = relations.find((known) => known === value)
  if (relation === undefined) throw wrong(name, value, relations.join(' or '))
  return relation
}

export function holds(count: number, relation: Relation, threshold: number): boolean {
  return relation === 'less than' ? count < threshold : count >= threshold
}

/** A text that the row must give, or `undefined` where it may be absent. */
export function textOf(settings: Settings, name: string): string | undefined {
  const value = settings[name] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw wrong(name, value, 'a text')
  return value
}

export function wrong(name: string, seen: DocValue, wanted: string): Error {
  return fault('task.value', {
    place: `IFEval › ${name}`,
    what: 'is not what the instruction takes',
    seen: JSON.stringify(seen),
    wanted,
  })
}

function isFloat(value: DocValue): value is Extract<DocValue, { readonly kind: 'float' }> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value['kind'] === 'float' &&
    'value' in value &&
    typeof value['value'] === 'number'
  )
}
