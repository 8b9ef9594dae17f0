/**
 * Tasks of lm-evaluation-harness asked of a language model, and the scores of texts that they are made of: BLEU, chrF,
 * TER, ROUGE, exact match, F1 of words, equality of mathematical answers.
 *
 * @module harness
 */
export type { LanguageModel } from '#core'
export { languageModelOf } from '#model/checkpoint'
export { type GroupNode, groupsOf, type Node, type TaskIndex, type TaskNode, tasksOf } from '#task/harness'
export { equivalent } from '#task/math-answers'
export { bleu, chrf, type CorpusMetric, exactMatch, rougeOf, sameWords, scoreAt, ter, wordF1 } from '#task/text-metrics'
export {
  type HarnessRun,
  type HarnessSettings,
  openTaskIndex,
  openTasks,
  type OpenTasksOptions,
  runHarness,
  type TaskRun,
} from '#experiment/ask'
