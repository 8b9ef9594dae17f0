/** The output's tokenizer and the rows it needs, from the inputs' tokenizers and what the recipe says about them. */
import { fault } from '#core'
import { joinTokenizers, type TokenizerInput, vocabularyOf } from '#model/tokenizer'
import type { TokenizerRecipe } from '../recipe/recipe.ts'
import { planVocabulary, type VocabularyPlan } from './vocabulary.ts'

export interface JoinedVocabulary {
  readonly plan: VocabularyPlan
  /** tokenizer.json of the output. */
  readonly tokenizer: unknown
  /** Input whose special tokens and tokenizer_config the output keeps; −1: the tokenizer given as `beside`. */
  readonly start: number
}

interface Models {
  /** As the recipe writes them, in the order of `inputs`. */
  readonly models: readonly string[]
  /** Where a union begins; undefined: at the first. */
  readonly base: number | undefined
  /** The tokenizer that the recipe takes from a model which is not merged. */
  readonly beside?: TokenizerInput | undefined
}

/** `inputs` in the order of the plan's. Throws `usage.value`, `tokenizer.invalid`. */
export function joinVocabularies(
  recipe: TokenizerRecipe,
  inputs: readonly TokenizerInput[],
  { models, base, beside }: Models,
): JoinedVocabulary {
  const start = beside === undefined ? startOf(recipe, models, base) : -1
  const all = beside === undefined ? inputs : [...inputs, beside]
  const { tokens, json } = joinTokenizers(all, {
    start: start < 0 ? inputs.length : start,
    union: recipe.source === 'union',
    more: Object.keys(recipe.tokens),
  })
  const plan = planVocabulary(
    { tokens, own: inputs.map(vocabularyOf), rows: inputs.map(({ rows }) => rows), models, base },
    recipe,
  )
  return { plan, tokenizer: json, start }
}

function startOf({ source }: TokenizerRecipe, models: readonly string[], base: number | undefined): number {
  if (source === 'base' || source === 'union') return base ?? 0
  const at = models.indexOf(source.model)
  if (at >= 0) return at
  throw fault('usage.value', {
    place: 'tokenizer source',
    what: 'none of the models',
    seen: source.model,
    wanted: ['union', 'base', ...models].join(', '),
  })
}
