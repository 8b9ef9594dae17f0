/** The scores of a result for the `model-index` of a card: the main score of every split and subset. */
import type { CardScore } from '#files/cards'
import type { StoredResult } from '#result/ledger'
import { scoredParts, type TaskFacts } from './exported.ts'

/** `facts` are undefined for a task that the registry does not know. */
export function toCardScores(
  result: StoredResult,
  facts: Pick<TaskFacts, 'type' | 'dataset' | 'mainScore'> | undefined,
): CardScore[] {
  return scoredParts(result).map(({ split, subset, score }) => ({
    type: facts?.type ?? result.task_name,
    task: result.task_name,
    dataset: facts?.dataset.path,
    revision: result.dataset_revision,
    subset,
    split,
    metric: facts?.mainScore ?? 'main_score',
    value: score,
  }))
}
