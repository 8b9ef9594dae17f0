/** A recipe with its models opened as far as their headers, and the plan that joins them. */
import type { ModelHeaders, RepoFiles, TensorSource } from '#core'
import type { ModelParts } from '#model/checkpoint'
import type { JoinedVocabulary, MergePlan, Recipe } from '#model/merge'

/** Opens the references of a recipe. */
export interface Resolve {
  model(reference: string): Promise<ModelParts>
  /** Files alone: a model that lends its tokenizer needs no weights. */
  files(reference: string): Promise<RepoFiles>
}

/** The model whose tokenizer the output's tokenizer begins with. */
export interface TokenizerOrigin {
  readonly files: RepoFiles
  /** Its config.json and generation_config.json. */
  readonly config: Readonly<Record<string, unknown>>
  readonly generation: Readonly<Record<string, unknown>>
  /** Token by id in the donor's numbering, when another model begins the tokenizer; undefined: ids are unchanged. */
  readonly before: ReadonlyMap<number, string> | undefined
  readonly after: ReadonlyMap<string, number>
}

/** A model of a recipe: its headers, and the files next to them. */
export interface MergeInput extends ModelHeaders {
  readonly files: RepoFiles
  /** Repositories with the cards of this input. */
  readonly origins: readonly RepoFiles[]
  /** The merge that this input is, where another document of the recipe describes it. */
  readonly merged?: OpenedMerge | undefined
}

export interface OpenedMerge {
  readonly recipe: Recipe
  /** Name of the recipe's copy in the output. */
  readonly recipeFile: string
  /** File name of the recipe without its extension. */
  readonly stem: string
  readonly plan: MergePlan
  /** The output's config.json. */
  readonly config: Readonly<Record<string, unknown>>
  readonly inputs: readonly MergeInput[]
  /** Tensors that belong to no model: Fisher diagonals, Gram matrices, routers. */
  readonly further: readonly TensorSource[]
  /** The model whose config, tokenizer and further files the output keeps: the base, otherwise the first model. */
  readonly donor: MergeInput
  /** The tokenizer built for the output, when the recipe asks for one. */
  readonly joined: (JoinedVocabulary & TokenizerOrigin) | undefined
  /** The template that the recipe's `chat_template` means; undefined: the output keeps the donor's. */
  readonly chatTemplate: string | undefined
  close(): Promise<void>
}

/**
 * Sources of the plan of an opened merge, in the order of its operands: the models, then further files.
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
