/** The result of a task that lost subsets: the scores of the others – new ones and kept ones alike – with the reason. */
import type { Result, Scores } from '#core'
import type { FailedPart } from '#task/protocols'
import { mergeResults, resultDocument } from '#result/ledger'
import { type TaskRequest, profiles } from '#task/rows'
import { onlyRequested } from './found-result.ts'
import type { Job } from './jobs.ts'

type Lost = Pick<FailedPart, 'split' | 'subset' | 'reason'>

/** Splits as they were requested, subsets as the task lists them: draws over parts follow their order. */
export function inOrder(result: Result, { task, splits }: TaskRequest): Result {
  const subsets = Object.keys(task.subsets)
  const order = [...splits, ...Object.keys(result.scores ?? {}).filter((split) => !splits.includes(split))]
  const scores = order.flatMap((split) => {
    const own = result.scores?.[split]
    if (own === undefined) return []
    return [[split, own.toSorted((a, b) => subsets.indexOf(a.hf_subset) - subsets.indexOf(b.hf_subset))] as const]
  })
  return { ...result, scores: Object.fromEntries(scores) }
}

/** A failed result with the scores that were requested, and with the parts that have none as its reason. */
export function withoutParts(result: Result, parts: readonly Lost[], asked: TaskRequest): Result {
  const whole = onlyRequested(resultDocument(result), asked)
  return { ...whole, strata: { ...whole.strata, reason: lostParts(parts, whole.scores ?? {}) } }
}

/** The same where no missing part could be scored; undefined where no other requested part is kept. */
export function onlyMissing(
  { stored, missing }: Pick<Job, 'stored' | 'missing'>,
  failure: Pick<Result, 'task_name' | 'strata'>,
  asked: TaskRequest,
): Result | undefined {
  if (stored?.scores === undefined || missing === undefined) return undefined
  const { reason = '', seconds } = failure.strata
  const parts = Object.entries(missing).flatMap(([split, subsets]) =>
    subsets.map((subset) => ({ split, subset, reason })),
  )
  const fresh: Result = {
    ...failure,
    dataset_revision: stored.dataset_revision,
    mteb_version: profiles[asked.profile],
    evaluation_time: seconds,
    kg_co2_emissions: null,
    date: Date.now() / 1000,
    scores: {},
  }
  const whole = withoutParts(mergeResults(stored, fresh), parts, asked)
  return Object.values(whole.scores ?? {}).some((own) => own.length > 0) ? whole : undefined
}

function lostParts(parts: readonly Lost[], scores: Scores): string {
  const named = parts.map(({ split, subset, reason }) => `${subset} (${split}): ${reason}`)
  return `${parts.length} of the task's subsets have no score: ${named.slice(0, 3).join('; ')}${named.length > 3 ? '; …' : ''} – ${remedy(parts, scores)}`
}

/** The flag that leaves what has a score. */
function remedy(parts: readonly Lost[], scores: Scores): string {
  const lost = new Set(parts.map(({ subset }) => subset))
  const scored = Object.values(scores).flatMap((own) => own.map(({ hf_subset: subset }) => subset))
  const subsets = [...new Set(scored)].filter((subset) => !lost.has(subset))
  if (subsets.length > 0) return `the others have one: --subsets ${subsets.join(',')}`
  const splits = Object.keys(scores).filter((split) => !parts.some((part) => part.split === split))
  return splits.length > 0
    ? `the others have one: --splits ${splits.join(',')}`
    : 'choose what exists with --subsets and --splits'
}
