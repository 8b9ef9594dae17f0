/** Two columns named by the sides of the subset (`ace_Arab-bam_Latn`) as `sentence1` and `sentence2`. */
import { fault } from '#core'
import { columnOf, eachSplit, type StepKind } from './step.ts'

/** What the columns are named by: the whole side, or its language alone (`ace`). */
export type PairNames = 'side' | 'language'

export const pair: StepKind<PairNames> = {
  before: (wanted, names, { subset }) =>
    new Set([...[...wanted].filter((name) => name !== 'sentence1' && name !== 'sentence2'), ...sides(subset, names)]),
  apply: (splits, names, { subset }) => {
    const [first, second] = sides(subset, names)
    return eachSplit(splits, (rows) => ({
      ...rows,
      columns: { ...rows.columns, sentence1: columnOf(rows, first), sentence2: columnOf(rows, second) },
    }))
  },
}

/** The sides of a subset; throws `task.subset` when there are not two. */
export function sides(subset: string, names: PairNames): [string, string] {
  const [first, second, ...more] = subset
    .split('-')
    .map((side) => (names === 'language' ? (side.split('_')[0] ?? '') : side))
  if (first === undefined || second === undefined || more.length > 0)
    throw fault('task.subset', { place: subset, what: 'not a pair of languages' })
  return [first, second]
}
