/** From a recipe to the models it names, opened as far as their headers, and the plan that joins them. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fault, fingerprint, type RepoFiles } from '../core/index.ts'
import { openTensors, parseJson } from '../formats/index.ts'
import {
  type JoinedVocabulary,
  joinVocabularies,
  mergedSource,
  type MergeInput,
  type MergeMethod,
  mergeMethods,
  type MergePlan,
  outputConfig,
  parseRecipe,
  planMerge,
  type PlanOptions,
  type Recipe,
  vocabularyRows,
} from '../merge/index.ts'
import type { TokenizerInput } from '../tokenizer/index.ts'
import type { ResolvedModel } from './resolved-model.ts'

export interface OpenedMerge {
  readonly recipe: Recipe
  /** File name of the recipe without its ending. */
  readonly stem: string
  readonly plan: MergePlan
  readonly inputs: readonly (MergeInput & { readonly files: RepoFiles })[]
  /** Whose config, tokenizer and further files the output carries on: the base, else the first model. */
  readonly donor: MergeInput & { readonly files: RepoFiles }
  /** The tokenizer built for the output, when the recipe asks for one. */
  readonly joined: JoinedVocabulary | undefined
  close(): Promise<void>
}

/** Throws what reading the recipe, opening its models and planning throw; every model is closed again then. */
export async function openMerge(path: string, resolve: (model: string) => Promise<ResolvedModel>, options: PlanOptions = {}): Promise<OpenedMerge> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fault('file.missing', { place: path, what: 'the recipe cannot be read', cause })
  })
  const recipe = parseRecipe(text, path)
  const inputs: (MergeInput & { files: RepoFiles })[] = []
  const close = async (): Promise<void> => {
    await Promise.all(inputs.map(({ tensors }) => tensors.close()))
  }
  try {
    for (const model of modelsOf(recipe)) {
      const { body, tensors } = await resolve(model)
      const config = (await body.has('config.json')) ? parseJson(await body.text('config.json'), `${body.name}/config.json`, { allowNaN: true }) : {}
      inputs.push({ model, tensors, files: body, config: config as Record<string, unknown> })
    }
    for (const file of extraFiles(recipe)) inputs.push({ model: file, tensors: await openTensors(file), files: inputs[0]!.files, config: {} })
    const models = inputs.map(({ model }) => model)
    const base = models.indexOf(recipe.base ?? '')
    const joined =
      recipe.tokenizer === undefined ? undefined : joinVocabularies(recipe.tokenizer, await tokenizersOf(inputs), models, base < 0 ? undefined : base)
    const plan = planMerge(recipe, inputs, { ...options, ...(joined === undefined ? {} : { vocabulary: joined.plan }) })
    const donor = inputs[plan.base ?? 0]
    if (donor === undefined) throw fault('internal', { place: path, what: 'a recipe without models' })
    return { recipe, stem: basename(path, extname(path)), plan, inputs, donor, joined, close }
  } catch (error) {
    await close()
    throw error
  }
}

const largestTokenizer = 256 * 2 ** 20

async function tokenizersOf(inputs: readonly (MergeInput & { readonly files: RepoFiles })[]): Promise<TokenizerInput[]> {
  return Promise.all(
    inputs.map(async (input) => {
      const { files, model } = input
      if (!(await files.has('tokenizer.json'))) {
        throw fault('tokenizer.missing', {
          place: model,
          what: 'no tokenizer.json, from which vocabularies are joined',
          hint: 'save the tokenizer with transformers once, or leave tokenizer_source out',
        })
      }
      const json = parseJson(await files.text('tokenizer.json', largestTokenizer), `${files.name}/tokenizer.json`)
      return { name: model, json, rows: vocabularyRows(input) ?? Infinity }
    }),
  )
}

/** Every model a recipe names, once, in the order they appear. */
function modelsOf({ base, modules }: Recipe): string[] {
  const named = Object.values(modules).flatMap(({ slices }) =>
    slices.flatMap(({ sources, base: own }) => [...sources.map(({ model }) => model), ...(own === undefined ? [] : [own])]),
  )
  return [...new Set([...named, ...(base === undefined ? [] : [base])])]
}

/** Files of further tensors that parameters name (`fisher: ./fisher.safetensors`), once each. */
function extraFiles({ method, parameters, modules }: Recipe): string[] {
  const { extra }: MergeMethod = mergeMethods[method]
  if (extra === undefined) return []
  const levels = Object.values(modules).flatMap(({ slices, parameters: own }) => [
    own,
    ...slices.flatMap((slice) => [slice.parameters, ...slice.sources.map((source) => source.parameters)]),
  ])
  const files = [parameters, ...levels].map((settings) => settings[extra.kind])
  return [...new Set(files.filter((file) => typeof file === 'string'))]
}

/** A recipe as a model that is never written: `merge__<file stem>`, revision = hash of its tensors' identity. */
export async function resolveMerge(path: string, resolve: (model: string) => Promise<ResolvedModel>): Promise<ResolvedModel> {
  const { recipe, stem, plan, inputs, donor, joined } = await openMerge(path, resolve)
  const tensors = mergedSource(plan, inputs, path)
  const config = outputConfig(donor.config, recipe, plan)
  const body = withTexts(donor.files, {
    'config.json': JSON.stringify(config),
    ...(joined === undefined ? {} : { 'tokenizer.json': JSON.stringify(joined.tokenizer) }),
  })
  return {
    files: body,
    body,
    tensors,
    name: `merge__${stem}`,
    revision: async () => fingerprint({ tensors: await tensors.identity(), config }).slice(0, 12),
    asStatic: false,
  }
}

/** A folder's files, some with another text. */
function withTexts(files: RepoFiles, texts: Readonly<Record<string, string>>): RepoFiles {
  return {
    name: files.name,
    revision: undefined,
    list: () => files.list(),
    has: (path) => files.has(path),
    local: (path) => files.local(path),
    bytes: (path, limit) => (texts[path] === undefined ? files.bytes(path, limit) : Promise.resolve(new TextEncoder().encode(texts[path]))),
    text: (path, limit) => (texts[path] === undefined ? files.text(path, limit) : Promise.resolve(texts[path])),
  }
}
