/** Scores of a task's candidates and hidden states: those a choice may use, and those that are reported. */
import { layersOf } from '#representation/layers'
import { finishedScore, hiddenState } from '#result/ledger'
import type { Scored, TaskScores } from './choice.ts'
import type { AggregatedTask } from './run-aggregate.ts'

export function taskScores({ task, candidates, validationScores, results }: AggregatedTask): TaskScores {
  const scored = (representation: string): Pick<Scored, 'representation' | 'validation' | 'test'> => ({
    representation,
    validation: validationScores.get(representation) ?? null,
    test: finishedScore(results.get(representation)),
  })
  return {
    task,
    candidates: candidates.map(({ representation: { name, mix }, recipes }) => ({
      recipes,
      mixes: layersOf(mix).length > 1,
      ...scored(name),
    })),
    states: statesIn(results).map((name) => ({
      recipes: [{ method: name, lambda: null, similarity: null }],
      mixes: false,
      ...scored(name),
    })),
  }
}

/** From the first to the last state, whatever the order of scoring: reused results come before new ones. */
export function statesIn(results: AggregatedTask['results']): string[] {
  return [...results.keys()]
    .filter((name) => hiddenState(name) !== undefined)
    .sort((a, b) => (hiddenState(a) ?? 0) - (hiddenState(b) ?? 0))
}
