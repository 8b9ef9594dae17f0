/** A merge as its author means it: mergekit's configuration, every short form written out. */
import { fault, suggestion } from '#core'
import { locateYaml, parseWith, yamlDocuments } from '#files/formats'
import { dtypeNamed, type MergeDtype } from './dtype-names.ts'
import { mergeMethodNamed } from '#model/merge-methods'
import { recipeSchema, type RawRecipe } from './recipe-schema.ts'
import type { Settings } from './settings.ts'

export type { MergeDtype } from './dtype-names.ts'

export interface SliceSource {
  /** Model reference as everywhere: name, folder, `@revision`, `+adapter`. */
  readonly model: string
  /** Layers [from, to); undefined: all of them. */
  readonly layers: readonly [number, number] | undefined
  readonly parameters: Settings
}

export interface Slice {
  readonly sources: readonly SliceSource[]
  readonly base: string | undefined
  readonly parameters: Settings
}

/** One tower of the model; a plain model has one, named ''. */
export interface RecipeModule {
  readonly slices: readonly Slice[]
  readonly parameters: Settings
}

/** Where a token's rows come from. */
export type TokenSource =
  | { readonly kind: 'zero' }
  | { readonly kind: 'model'; readonly model: string; readonly token?: string; readonly tokenId?: number }

export interface TokenizerRecipe {
  readonly source: 'union' | 'base' | { readonly model: string }
  readonly padToMultipleOf: number | undefined
  readonly tokens: Readonly<Record<string, { readonly source: TokenSource | undefined; readonly force: boolean }>>
}

export interface Recipe {
  /** Name of a document among several. */
  readonly name: string | undefined
  readonly method: string
  readonly base: string | undefined
  readonly modules: Readonly<Record<string, RecipeModule>>
  readonly parameters: Settings
  readonly dtype: MergeDtype | undefined
  readonly outDtype: MergeDtype | undefined
  readonly tokenizer: TokenizerRecipe | undefined
  readonly chatTemplate: string | undefined
  /** As written, for the model card and the output's mergekit_config.yml. */
  readonly text: string
}

/**
 * Reads every document of a mergekit configuration, short forms written out. `place` names the file, in messages.
 * Throws `usage.value` with line and column, and the nearest name for an unknown key, method or parameter.
 *
 * @example
 * ```ts
 * import { parseRecipes } from 'strata-lm/merge'
 *
 * const [recipe] = parseRecipes('merge_method: linear\nmodels: [{ model: ./one }, { model: ./two }]\n', 'recipe.yml')
 * console.log(recipe?.method, recipe?.base) // → linear undefined
 * ```
 */
export function parseRecipes(text: string, place: string): Recipe[] {
  const documents = yamlDocuments(text)
  if (documents.length === 0) throw fault('usage.value', { place, what: 'the file holds no recipe' })
  const recipes = documents.map((document) =>
    recipeOf(parseWith(recipeSchema(), document, 'yaml', place), document, place),
  )
  const unnamed = recipes.filter(({ name }) => name === undefined).length
  if (recipes.length > 1 && unnamed > 1)
    throw fault('usage.value', {
      place,
      what: 'several documents without a name',
      seen: unnamed,
      wanted: 'at most one, the last merge',
    })
  return recipes
}

function recipeOf(raw: RawRecipe, text: string, place: string): Recipe {
  const at = (path: readonly PropertyKey[], ofKey = false): string => locateYaml(text, place, path, ofKey)
  const method = methodNamed(raw.merge_method, at(['merge_method']))
  checkParameters(raw, method, at)
  return {
    name: raw.name,
    method,
    base: raw.base_model,
    modules: modulesOf(raw),
    parameters: raw.parameters,
    dtype: dtypeNamed(raw.dtype, at(['dtype'])),
    outDtype: dtypeNamed(raw.out_dtype, at(['out_dtype'])),
    tokenizer: tokenizerOf(raw),
    chatTemplate: raw.chat_template,
    text: text.trim(),
  }
}

function methodNamed(name: string, place: string): string {
  if (name === 'moe')
    throw fault('usage.value', {
      place,
      what: 'a mixture of experts has a configuration of its own',
      hint: 'base_model, experts, gate_mode; no merge_method',
    })
  return mergeMethodNamed(name, place).name
}

/** Names of parameters at every level; a word that this method does not know stops the run. */
function checkParameters(
  raw: RawRecipe,
  method: string,
  at: (path: readonly PropertyKey[], ofKey?: boolean) => string,
): void {
  const { parameters: specs, extra } = mergeMethodNamed(method)
  const known = [...Object.keys(specs), ...(extra === undefined ? [] : [extra.kind])]
  const check = (settings: Settings, path: readonly PropertyKey[]): void => {
    for (const name of Object.keys(settings)) {
      if (known.includes(name)) continue
      throw fault('usage.value', {
        place: at([...path, name], true),
        what: `${method} has no parameter ${name}`,
        hint: suggestion(name, known),
      })
    }
  }
  const checkAll = (
    { models, slices, parameters }: Pick<RawRecipe, 'models' | 'slices' | 'parameters'>,
    path: readonly PropertyKey[],
  ): void => {
    check(parameters, [...path, 'parameters'])
    models?.forEach((model, i) => check(model.parameters, [...path, 'models', i, 'parameters']))
    slices?.forEach((slice, i) => {
      check(slice.parameters, [...path, 'slices', i, 'parameters'])
      slice.sources.forEach((source, k) => check(source.parameters, [...path, 'slices', i, 'sources', k, 'parameters']))
    })
  }
  checkAll(raw, [])
  for (const [name, module] of Object.entries(raw.modules ?? {})) checkAll(module, ['modules', name])
}

function modulesOf(raw: RawRecipe): Record<string, RecipeModule> {
  const own = raw.modules ?? { '': { models: raw.models, slices: raw.slices, parameters: {} } }
  return Object.fromEntries(
    Object.entries(own).map(([name, { models, slices, parameters }]) => [
      name,
      {
        parameters,
        slices: slices?.map((slice) => ({
          base: slice.base_model,
          parameters: slice.parameters,
          sources: slice.sources.map((source) => ({
            model: source.model,
            layers: source.layer_range,
            parameters: source.parameters,
          })),
        })) ?? [
          {
            base: undefined,
            parameters: {},
            sources: (models ?? []).map((source) => ({
              model: source.model,
              layers: undefined,
              parameters: source.parameters,
            })),
          },
        ],
      },
    ]),
  )
}

function tokenizerOf({ tokenizer_source: source, tokenizer }: RawRecipe): TokenizerRecipe | undefined {
  const named = (text: string): TokenizerRecipe['source'] =>
    text === 'union' || text === 'base' ? text : { model: text }
  if (tokenizer === undefined)
    return source === undefined ? undefined : { source: named(source), padToMultipleOf: undefined, tokens: {} }
  return {
    source: named(tokenizer.source),
    padToMultipleOf: tokenizer.pad_to_multiple_of,
    tokens: Object.fromEntries(
      Object.entries(tokenizer.tokens).map(([token, { source: from, force }]) => [
        token,
        { source: tokenSource(from), force },
      ]),
    ),
  }
}

type RawTokenSource = NonNullable<RawRecipe['tokenizer']>['tokens'][string]['source']

function tokenSource(from: RawTokenSource): TokenSource | undefined {
  if (from === undefined) return undefined
  if (typeof from === 'string') return { kind: 'model', model: from }
  if (from.kind === 'zero') return { kind: 'zero' }
  return {
    kind: 'model',
    model: from.model,
    ...(from.token === undefined ? {} : { token: from.token }),
    ...(from.token_id === undefined ? {} : { tokenId: from.token_id }),
  }
}
