/** The references that every method is compared with, and the differences to them. */
import { comparePairs, type Difference, pairName, type Side, toDifference } from '#result/statistics'
import type { AggregatedTask } from './run-aggregate.ts'

export const references = ['last', 'best', 'default'] as const
export type Reference = (typeof references)[number]

/**
 * Holm's correction covers all methods and tasks compared with the same reference; for the chosen mix against the
 * chosen layer, one comparison per task, it covers the tasks.
 */
export interface ReferenceDifference extends Difference {
  readonly against: Reference
}

/**
 * Differences of each of the `names` to each reference, on the same resamples of the items below `root`. Not corrected
 * yet.
 */
export async function toReferences(
  { task, results }: AggregatedTask,
  names: readonly string[],
  { of, root }: { of: Readonly<Record<Reference, string | undefined>>; root: string },
): Promise<(name: string) => ReferenceDifference[]> {
  const sides = new Map<string, Side>()
  for (const [name, { strata, scores }] of results) {
    if (strata.status !== 'ok' || scores === undefined) continue
    const { model, revision, representation } = strata
    sides.set(name, { scores, place: { root, model, revision, representation } })
  }
  const pairs = names.flatMap((name) =>
    references.flatMap((reference): [string, string][] => (of[reference] === undefined ? [] : [[name, of[reference]]])),
  )
  const compared = await comparePairs(task, sides, pairs)
  return (name) =>
    references.map((against) => ({
      ...toDifference(against, compared.get(pairName(name, of[against] ?? ''))),
      against,
    }))
}
