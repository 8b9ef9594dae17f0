/** The choice by validation, and the best in hindsight: a choice never sees the scores that are reported for it. */
import { mean } from '#core'
import type { Recipe } from './candidates.ts'

/** One candidate on one task. */
export interface Scored {
  readonly recipes: readonly Recipe[]
  /** Name of the representation in results. */
  readonly representation: string
  /** True: a mix of more than one state. */
  readonly mixes: boolean
  /** Null: the task has no validation rows, or the score is undefined. */
  readonly validation: number | null
  readonly test: number | null
}

export interface TaskScores {
  readonly task: string
  readonly candidates: readonly Scored[]
  /** The hidden states alone, each as a recipe named after it. */
  readonly states: readonly Scored[]
}

/**
 * The candidate with the highest validation score, the first among equals. A task that cannot validate gets the recipe
 * that is best on the tasks that can: highest mean position between the worst (0) and the best (1) candidate of each.
 * Undefined for no candidate, and where no task validates, unless there is only one to choose.
 */
export function chosen(
  task: TaskScores,
  all: readonly TaskScores[],
  among: (candidate: Scored) => boolean = () => true,
  of: 'candidates' | 'states' = 'candidates',
): Scored | undefined {
  const own = task[of].filter(among)
  const validated = own.flatMap((candidate) =>
    candidate.validation === null ? [] : [{ candidate, score: candidate.validation }],
  )
  const scored =
    validated.length > 0
      ? validated
      : own.flatMap((candidate) =>
          candidate.recipes.map((recipe) => ({ candidate, score: elsewhere(recipe, all, of) })),
        )
  const best = scored.reduce<(typeof scored)[number] | undefined>(
    (first, one) => (first === undefined || one.score > first.score ? one : first),
    undefined,
  )
  return best?.score === -Infinity && own.length > 1 ? undefined : best?.candidate
}

/**
 * Mean position of a recipe between the worst and the best candidate, over the tasks that validate; −∞ where none does.
 */
function elsewhere(recipe: Recipe, all: readonly TaskScores[], of: 'candidates' | 'states'): number {
  const places = all.flatMap(({ [of]: candidates }) => {
    const scores = candidates.flatMap(({ validation }) => validation ?? [])
    const own =
      candidates.find(({ recipes }) => recipes.some((one) => sameRecipe(one, recipe)))?.validation ?? undefined
    const [low, top] = [Math.min(...scores), Math.max(...scores)]
    return own === undefined ? [] : [top === low ? 1 : (own - low) / (top - low)]
  })
  return places.length === 0 ? -Infinity : mean(places)
}

function sameRecipe(one: Recipe, other: Recipe): boolean {
  return one.method === other.method && one.lambda === other.lambda && one.similarity === other.similarity
}
