/** What validation chooses, and what would have been best: choices never see the scores that are reported for them. */
import { mean } from '#core'
import type { Recipe } from './candidates.ts'

/** One candidate of one task. */
export interface Scored {
  readonly recipes: readonly Recipe[]
  /** As results name it. */
  readonly representation: string
  /** True: more than one state takes part. */
  readonly mixes: boolean
  /** Null: the task has no rows to choose by, or the score is not defined. */
  readonly validation: number | null
  readonly test: number | null
}

export interface TaskScores {
  readonly task: string
  readonly candidates: readonly Scored[]
  /** The hidden states alone, each a recipe of its own name. */
  readonly states: readonly Scored[]
}

/**
 * The candidate of highest validation score, the first of equals. Where the task cannot validate, the recipe that is
 * best on the tasks that can: highest mean place between the worst (0) and the best (1) candidate of each. Undefined
 * for none, and where no task validates, unless there is only one to choose.
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
 * Mean over the tasks that validate of where a recipe stands between their worst and their best candidate; −∞ where
 * none does.
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

/** `weighted λ=0.5 cka`. */
export function recipeName({ method, lambda, similarity }: Recipe): string {
  return [method, ...(lambda === null ? [] : [`λ=${lambda}`]), ...(similarity === null ? [] : [similarity])].join(' ')
}
