/** A recipe with its models opened as far as their headers, and the plan that joins them. */
import type { ModelHeaders, RepoFiles } from '#core'
import type { ModelParts } from '#model/checkpoint'
import type { JoinedVocabulary, MergePlan, Recipe } from '#model/merge'

export type Resolve = (model: string) => Promise<ModelParts>

/** The model that an output's tokenizer begins with. */
export interface TokenizerOrigin {
  readonly files: RepoFiles
  /** Its config.json and generation_config.json. */
  readonly config: Readonly<Record<string, unknown>>
  readonly generation: Readonly<Record<string, unknown>>
  /** Token by id as the donor numbers them, when another model begins the tokenizer; undefined: ids stay. */
  readonly before: ReadonlyMap<number, string> | undefined
  readonly after: ReadonlyMap<string, number>
}

export interface OpenedMerge {
  readonly recipe: Recipe
  /** Under which name the output keeps it. */
  readonly recipeFile: string
  /** File name of the recipe without its ending. */
  readonly stem: string
  readonly plan: MergePlan
  /** The output's config.json. */
  readonly config: Readonly<Record<string, unknown>>
  readonly inputs: readonly (ModelHeaders & { readonly files: RepoFiles })[]
  /** Whose config, tokenizer and further files the output carries on: the base, else the first model. */
  readonly donor: ModelHeaders & { readonly files: RepoFiles }
  /** The tokenizer built for the output, when the recipe asks for one. */
  readonly joined: (JoinedVocabulary & TokenizerOrigin) | undefined
  /** What the recipe's `chat_template` means; undefined: the output keeps the donor's. */
  readonly chatTemplate: string | undefined
  close(): Promise<void>
}
