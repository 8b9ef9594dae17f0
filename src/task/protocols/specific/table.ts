/**
 * Scores that single retrieval tasks add to the common ones (mteb `task_specific_scores`). A kind = its file + one line
 * here + its name in `SpecificScores`.
 */
import type { SpecificScores } from '#task/rows'
import type { SpecificScore } from './answers.ts'
import { cappedRecall } from './capped-recall.ts'
import { levelScores } from './levels.ts'
import { maxOverSubqueries } from './max-over-subqueries.ts'
import { pMrr } from './p-mrr.ts'
import { pairedAccuracy } from './paired-accuracy.ts'
import { robustness } from './robustness.ts'

export const specificScores = {
  p_mrr: pMrr,
  max_over_subqueries: maxOverSubqueries,
  paired_accuracy: pairedAccuracy,
  robustness_at_10: robustness,
  level_scores: levelScores,
  capped_recall: cappedRecall,
} as const satisfies Record<SpecificScores, SpecificScore>
