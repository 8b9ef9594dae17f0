/** From a recipe to the models it names, opened as far as their headers, and the plan that joins them. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fault, fingerprint, type RepoFiles } from '../core/index.ts'
import { openTensors, parseJson } from '../formats/index.ts'
import {
  chatTemplateOf,
  isMoeRecipe,
  joinVocabularies,
  mergedSource,
  type MergeInput,
  type MergeMethod,
  mergeMethods,
  outputConfig,
  parseRecipes,
  planMerge,
  type PlanOptions,
  type Recipe,
  vocabularyRows,
} from '../merge/index.ts'
import { readChatTemplate, type TokenizerInput } from '../tokenizer/index.ts'
import { configOf } from './config-of.ts'
import { type MoeOptions, openMoe } from './open-moe.ts'
import type { OpenedMerge, Resolve } from './opened-merge.ts'
import type { ResolvedModel } from './resolved-model.ts'

export type { OpenedMerge } from './opened-merge.ts'

/** The documents of one file, and those that are being opened: a name that comes back is a circle. */
interface Documents {
  readonly path: string
  readonly named: ReadonlyMap<string, Recipe>
  readonly opening: readonly string[]
  readonly resolve: Resolve
  readonly options: PlanOptions
}

/**
 * A recipe's models, opened as far as their headers, and its plan. Of several documents the one without a name is the merge; where others are named as models, they are
 * merged tensor by tensor when this one is, and nothing is written for them. Throws what reading the recipe, opening its models and planning throw; every model is closed
 * again then.
 */
export async function openMerge(path: string, resolve: Resolve, options: PlanOptions & MoeOptions = {}): Promise<OpenedMerge> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fault('file.missing', { place: path, what: 'the recipe cannot be read', cause })
  })
  if (isMoeRecipe(text, path)) return openMoe(text, path, resolve, options)
  const recipes = parseRecipes(text, path)
  const named = new Map(recipes.flatMap((recipe) => (recipe.name === undefined ? [] : [[recipe.name, recipe] as const])))
  return openDocument(lastOf(recipes, path), { path, named, opening: [], resolve, options })
}

/** The document without a name, else the only one that no other names. */
function lastOf(recipes: readonly Recipe[], path: string): Recipe {
  const used = new Set(recipes.flatMap(modelsOf))
  const last = recipes.find(({ name }) => name === undefined)
  const [only, ...more] = last === undefined ? recipes.filter(({ name }) => name === undefined || !used.has(name)) : [last]
  if (only !== undefined && more.length === 0) return only
  throw fault('usage.value', {
    place: path,
    what: 'which document is the last merge is not clear',
    seen: recipes.map(({ name }) => name ?? '(no name)'),
    hint: 'leave its name out',
  })
}

async function openDocument(recipe: Recipe, documents: Documents): Promise<OpenedMerge> {
  const { path, options } = documents
  const inputs: (MergeInput & { files: RepoFiles })[] = []
  const close = async (): Promise<void> => {
    await Promise.all(inputs.map(({ tensors }) => tensors.close()))
  }
  try {
    for (const model of modelsOf(recipe)) {
      const { body, tensors } = await resolveInput(model, recipe, documents)
      const config = await configOf(body).catch(async (error: unknown) => {
        await tensors.close()
        throw error
      })
      inputs.push({ model, tensors, files: body, config })
    }
    const models = inputs.map(({ model }) => model)
    const chatTemplate =
      recipe.chatTemplate === undefined ? undefined : chatTemplateOf(recipe.chatTemplate, await Promise.all(inputs.map(({ files }) => readChatTemplate(files))))
    const base = models.indexOf(recipe.base ?? '')
    const joined =
      recipe.tokenizer === undefined ? undefined : joinVocabularies(recipe.tokenizer, await tokenizersOf(inputs), models, base < 0 ? undefined : base)
    for (const file of extraFiles(recipe)) inputs.push({ model: file, tensors: await openTensors(file), files: donorFiles(inputs, path), config: {} })
    const plan = planMerge(recipe, inputs, { ...options, ...(joined === undefined ? {} : { vocabulary: joined.plan }) })
    const donor = inputs[plan.base ?? 0]
    if (donor === undefined) throw fault('internal', { place: path, what: 'a recipe without models' })
    const config = outputConfig(donor.config, recipe, plan)
    return { recipe, recipeFile: 'mergekit_config.yml', stem: basename(path, extname(path)), plan, config, inputs, donor, joined, chatTemplate, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A model, or the merge that another document of the file describes. */
async function resolveInput(model: string, { name }: Recipe, documents: Documents): Promise<ResolvedModel> {
  const { path, named, opening, resolve } = documents
  const document = named.get(model)
  if (document === undefined) return resolve(model)
  const open = name === undefined ? opening : [...opening, name]
  if (open.includes(model)) throw fault('usage.value', { place: path, what: 'the documents name each other in a circle', seen: [...open, model].join(' → ') })
  return asModel(await openDocument(document, { ...documents, opening: open }), `${path} › ${model}`)
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

function donorFiles([first]: readonly { readonly files: RepoFiles }[], place: string): RepoFiles {
  if (first === undefined) throw fault('usage.value', { place, what: 'the recipe names no model' })
  return first.files
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
export async function resolveMerge(path: string, resolve: Resolve): Promise<ResolvedModel> {
  return asModel(await openMerge(path, resolve), path)
}

function asModel(opened: OpenedMerge, place: string): ResolvedModel {
  const { stem, plan, config, inputs, donor, joined, chatTemplate } = opened
  const tensors = mergedSource(plan, inputs, place)
  const body = withTexts(donor.files, {
    'config.json': JSON.stringify(config),
    ...(joined === undefined ? {} : { 'tokenizer.json': JSON.stringify(joined.tokenizer) }),
    ...(chatTemplate === undefined ? {} : { 'chat_template.jinja': chatTemplate }),
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
    list: async () => [...new Set([...(await files.list()), ...Object.keys(texts)])],
    has: (path) => (Object.hasOwn(texts, path) ? Promise.resolve(true) : files.has(path)),
    local: (path) => files.local(path),
    bytes: (path, limit) => (texts[path] === undefined ? files.bytes(path, limit) : Promise.resolve(new TextEncoder().encode(texts[path]))),
    text: (path, limit) => (texts[path] === undefined ? files.text(path, limit) : Promise.resolve(texts[path])),
  }
}
