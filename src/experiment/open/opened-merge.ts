/** A recipe with its models opened as far as their headers, and the plan that joins them. */
import type { ModelHeaders, RepoFiles, TensorSource } from '#core'
import type { ModelParts } from '#model/checkpoint'
import type { JoinedVocabulary, MergePlan, Recipe } from '#model/merge'

/** How what a recipe names is opened. */
export interface Resolve {
  model(reference: string): Promise<ModelParts>
  /** Its files alone: a model that lends its tokenizer needs no weights. */
  files(reference: string): Promise<RepoFiles>
}

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

/** A model of a recipe: its headers, and the files beside them. */
export interface MergeInput extends ModelHeaders {
  readonly files: RepoFiles
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
  readonly inputs: readonly MergeInput[]
  /** Tensors that are no model's: Fisher diagonals, Gram matrices, routers. */
  readonly further: readonly TensorSource[]
  /** Whose config, tokenizer and further files the output carries on: the base, else the first model. */
  readonly donor: MergeInput
  /** The tokenizer built for the output, when the recipe asks for one. */
  readonly joined: (JoinedVocabulary & TokenizerOrigin) | undefined
  /** What the recipe's `chat_template` means; undefined: the output keeps the donor's. */
  readonly chatTemplate: string | undefined
  close(): Promise<void>
}

/**
 * What the plan of an opened merge reads from, in the order that its operands count: the models, then further files.
 *
 * @example
 * ```ts
 * import { openMergeFile, sourcesOf } from 'strata-lm/merge'
 *
 * const opened = await openMergeFile('recipe.yml')
 * console.log(sourcesOf(opened).map((source) => source.names().length)) // → [ 47, 47 ]
 * await opened.close()
 * ```
 */
export function sourcesOf({ inputs, further }: Pick<OpenedMerge, 'inputs' | 'further'>): TensorSource[] {
  return [...inputs.map(({ tensors }) => tensors), ...further]
}
