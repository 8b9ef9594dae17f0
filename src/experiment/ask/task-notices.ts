/** What would move a score unseen, as sentences. */
import { noticesOf } from './results-document.ts'
import type { TaskRun } from './run-harness.ts'

/** Without the task's name. */
export function noticesFor(task: TaskRun): string[] {
  const {
    too_long: long,
    truncated_contexts: contexts,
    truncated_generations: texts,
    begun_by_themselves: begun,
    extraction_failures: missed,
    invalid_golds: golds,
    fewshot_leaks: leaks,
  } = noticesOf(task)
  const of = task.questions.length
  const left =
    typeof long === 'number'
      ? [`${long} of ${of + long} documents were left out: a continuation is longer than the model's window`]
      : []
  const lines = [
    [contexts, `prompts were too long for the model and lost their beginning`],
    [texts, `answers were cut at the most tokens allowed`],
    [begun, `prompts begin with the model's beginning of text by themselves: it is not put in front twice`],
    [golds, `documents have a gold that is none of their choices, and count as wrong`],
    [leaks, `questions stood among their own examples`],
  ] as const
  return [
    ...left,
    ...lines.flatMap(([count, what]) => (typeof count === 'number' && count > 0 ? [`${count} of ${of} ${what}`] : [])),
    ...Object.entries(missed as Record<string, number>).map(
      ([filter, count]) => `${filter} found nothing in ${count} of ${of} answers`,
    ),
  ]
}
