/** Silent causes of a moved score, as sentences. */
import { collectNotices } from './results-document.ts'
import type { TaskRun } from './run-harness.ts'

/** Sentences without the task's name. */
export function noticesFor(task: TaskRun): string[] {
  const {
    too_long: long,
    truncated_contexts: contexts,
    truncated_generations: texts,
    begun_by_themselves: begun,
    extraction_failures: missed,
    invalid_golds: golds,
    fewshot_leaks: leaks,
  } = collectNotices(task)
  const of = task.questions.length
  const left =
    typeof long === 'number'
      ? [`${long} of ${of + long} documents were left out: a continuation is longer than the model's window`]
      : []
  const lines = [
    [contexts, `prompts were too long for the model and lost their beginning`],
    [texts, `answers were cut at the maximum number of tokens`],
    [begun, `prompts already begin with the model's beginning-of-text token, which is not added twice`],
    [golds, `documents have a gold answer that is not among their choices, and count as wrong`],
    [leaks, `questions were among their own examples`],
  ] as const
  return [
    ...left,
    ...lines.flatMap(([count, what]) => (typeof count === 'number' && count > 0 ? [`${count} of ${of} ${what}`] : [])),
    ...Object.entries(missed as Record<string, number>).map(
      ([filter, count]) => `${filter} found nothing in ${count} of ${of} answers`,
    ),
  ]
}
