/** What validation chose, as files next to the results: a report makes one row of a method out of them. */
import { type Choice, writeChoice } from '#result/ledger'
import { chosen, type Scored, type TaskScores } from './choice.ts'
import { singleOf } from './make-report.ts'
import type { Aggregated, AggregatedTask } from './run-aggregate.ts'
import { taskScores } from './task-scores.ts'

/** Throws `file.write`. */
export async function recordChoices({ model, revision, tasks }: Aggregated, outputFolder: string): Promise<void> {
  const all = tasks.map(taskScores)
  for (const [i, task] of tasks.entries())
    for (const choice of choicesOn(task, all[i] ?? taskScores(task), all))
      await writeChoice({ root: outputFolder, model, revision }, choice)
}

function choicesOn(task: AggregatedTask, scores: TaskScores, all: readonly TaskScores[]): Choice[] {
  const stored = (name: string): string => task.results.get(name)?.strata.representation ?? name
  const about = { task: task.task, validation: task.validation }
  const methods = [...new Set(scores.candidates.flatMap(({ recipes }) => recipes.map(({ method }) => method)))]
  const pickOf = (among: (candidate: Scored) => boolean): Scored | undefined => chosen(scores, all, among)
  const mix = pickOf(({ mixes }) => mixes)
  const layer = singleOf(task, scores, all)
  return [
    ...methods.map((method): Choice => {
      const pick = pickOf(({ recipes }) => recipes.some((recipe) => recipe.method === method))
      const candidates = scores.candidates.flatMap(({ recipes, representation, validation }) =>
        recipes
          .filter((recipe) => recipe.method === method)
          .map((recipe) => ({ ...recipe, representation: stored(representation), score: validation })),
      )
      return {
        ...about,
        kind: 'method',
        method,
        chosen: pick === undefined ? null : stored(pick.representation),
        candidates,
      }
    }),
    ...(mix === undefined
      ? []
      : [
          {
            ...about,
            kind: 'mix' as const,
            method: mix.recipes[0]?.method ?? '',
            chosen: stored(mix.representation),
            candidates: [],
          },
        ]),
    ...(layer === undefined
      ? []
      : [{ ...about, kind: 'layer' as const, method: layer, chosen: stored(layer), candidates: [] }]),
  ]
}
