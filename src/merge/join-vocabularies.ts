/** The output's tokenizer and the rows it needs, from the inputs' tokenizers and what the recipe says about them. */
import { fault } from '../core/index.ts'
import { joinTokenizers, type TokenizerInput, vocabularyOf } from '../tokenizer/index.ts'
import type { TokenizerRecipe } from './recipe.ts'
import { planVocabulary, type VocabularyPlan } from './vocabulary.ts'

export interface JoinedVocabulary {
  readonly plan: VocabularyPlan
  /** tokenizer.json of the output. */
  readonly tokenizer: unknown
  /** Input whose special tokens and tokenizer_config the output keeps. */
  readonly start: number
}

/** `inputs` in the order of the plan's; `base` is where a union begins, else the first. Throws `usage.value`, `tokenizer.invalid`. */
export function joinVocabularies(
  recipe: TokenizerRecipe,
  inputs: readonly TokenizerInput[],
  models: readonly string[],
  base: number | undefined,
): JoinedVocabulary {
  const start = startOf(recipe, models, base)
  const { tokens, json } = joinTokenizers(inputs, { start, union: recipe.source === 'union', more: Object.keys(recipe.tokens) })
  return { plan: planVocabulary({ tokens, own: inputs.map(vocabularyOf), models, base }, recipe), tokenizer: json, start }
}

function startOf({ source }: TokenizerRecipe, models: readonly string[], base: number | undefined): number {
  if (source === 'base' || source === 'union') return base ?? 0
  const at = models.indexOf(source.model)
  if (at >= 0) return at
  throw fault('usage.value', { place: 'tokenizer source', what: 'none of the models', seen: source.model, wanted: ['union', 'base', ...models].join(', ') })
}
