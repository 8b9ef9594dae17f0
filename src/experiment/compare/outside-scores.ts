/** Scores of a comparison's rows next to scores from elsewhere: published ones, or those of another folder or model. */
import type { Scores } from '#core'
import { listResults } from '#result/ledger'
import type { Report, ReportOptions } from '#result/report'
import { compareAll, oursListed } from '#result/statistics'

/** Main scores, over the parts that both sides have. */
export interface OutsideScore {
  /** The row's. */
  readonly name: string
  readonly task: string
  readonly ours: number | null
  readonly theirs: number | null
  readonly difference: number | null
  /** Number of parts that both scored, and number of ours. */
  readonly parts: number
  readonly of: number
  /** Where the other score is from. */
  readonly source: string
}

/**
 * In the order of the rows, then of the tasks; a row or task that `against` has nothing of is left out. Throws
 * `usage.value` for an `against` that is neither `published`, nor a folder, nor a model.
 */
export async function outsideScores(
  folders: readonly string[],
  { rows, tasks }: Report,
  { against, part = () => true }: { readonly against: string } & Pick<ReportOptions, 'part'>,
): Promise<OutsideScore[]> {
  const found: OutsideScore[] = []
  const [root = ''] = folders
  for (const { name, model, revision, representation } of rows) {
    const listed = await Promise.all(
      folders.map(async (folder) =>
        oursListed(
          folder,
          await listResults(folder, { models: [model], revisions: [revision], representations: [representation] }),
        ),
      ),
    )
    for (const { name: task } of tasks) {
      const own = listed.flat().filter((one) => one.task === task)
      const narrowed = own.map((one) => ({ ...one, scores: partsOf(one.scores, (...of) => part(task, ...of)) }))
      for (const one of await compareAll(narrowed.slice(-1), against, { root, interval: false }))
        if (one.parts > 0)
          found.push({
            name,
            task,
            ours: one.ours,
            theirs: one.theirs,
            difference: one.difference,
            parts: one.parts,
            of: one.of,
            source: one.against,
          })
    }
  }
  return found
}

type IsAsked = (split: string, subset: Scores[string][number]) => boolean

function partsOf(scores: Scores, isAsked: IsAsked): Scores {
  return Object.fromEntries(
    Object.entries(scores).map(([split, subsets]) => [split, subsets.filter((subset) => isAsked(split, subset))]),
  )
}
