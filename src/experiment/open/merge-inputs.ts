/** From a recipe to its models, opened as far as their headers, and the plan that joins them. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fault, fingerprint, type TensorSource } from '#core'
import { openTensors } from '#files/formats'
import {
  chatTemplateOf,
  isMoeRecipe,
  mergedSource,
  outputConfig,
  parseRecipes,
  planMerge,
  type PlanOptions,
  type Recipe,
} from '#model/merge'
import { mergeMethodNamed } from '#model/merge-methods'
import type { ModelParts } from '#model/checkpoint'
import { readChatTemplate } from '#model/tokenizer'
import { readConfig } from './config-of.ts'
import { configFor, joinedTokenizer, tokenizerTexts } from './joined-tokenizer.ts'
import { inLabelOrder } from './label-order.ts'
import { type MoeOptions, openMoe } from './open-moe.ts'
import { type MergeInput, type OpenedMerge, type Resolve, sourcesOf } from './opened-merge.ts'
import { listOrigins } from './origins.ts'
import { withTexts } from './with-texts.ts'

/** The documents of one file, and those that are being opened: a repeated name is a circle. */
interface Documents {
  readonly path: string
  readonly named: ReadonlyMap<string, Recipe>
  readonly opening: readonly string[]
  readonly resolve: Resolve
  readonly options: PlanOptions
}

/**
 * A recipe's models, opened as far as their headers, and its plan. In a file with several documents, the one without a
 * name is the merge; documents named as models are merged tensor by tensor along with it, and nothing is written for
 * them. Throws what reading the recipe, opening its models and planning throw; every model is closed again then.
 */
export async function openMerge(
  path: string,
  resolve: Resolve,
  options: PlanOptions & MoeOptions = {},
): Promise<OpenedMerge> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fault('file.missing', { place: path, what: 'the recipe cannot be read', cause })
  })
  if (isMoeRecipe(text, path)) return openMoe(text, path, resolve, options)
  const recipes = parseRecipes(text, path)
  const named = new Map(
    recipes.flatMap((recipe) => (recipe.name === undefined ? [] : [[recipe.name, recipe] as const])),
  )
  const opened = await openDocument(lastOf(recipes, path), { path, named, opening: [], resolve, options })
  // the last document alone would name merges that nothing describes
  return recipes.length === 1 ? opened : { ...opened, recipe: { ...opened.recipe, text: text.trim() } }
}

/** The document without a name, otherwise the only one that no other names. */
function lastOf(recipes: readonly Recipe[], path: string): Recipe {
  const used = new Set(recipes.flatMap(modelsOf))
  const last = recipes.find(({ name }) => name === undefined)
  const [only, ...more] =
    last === undefined ? recipes.filter(({ name }) => name === undefined || !used.has(name)) : [last]
  if (only !== undefined && more.length === 0) return only
  throw fault('usage.value', {
    place: path,
    what: 'it is not clear which document is the last merge',
    seen: recipes.map(({ name }) => name ?? '(no name)'),
    hint: 'leave its name out',
  })
}

async function openDocument(recipe: Recipe, documents: Documents): Promise<OpenedMerge> {
  const { path, options } = documents
  const given: MergeInput[] = []
  const further: TensorSource[] = []
  const close = async (): Promise<void> => {
    await Promise.all(sourcesOf({ inputs: given, further }).map((source) => source.close()))
  }
  try {
    for (const model of modelsOf(recipe)) {
      const { merged, ...parts } = await resolveInput(model, recipe, documents)
      const { body, tensors } = parts
      const config = await readConfig(body).catch(async (error: unknown) => {
        await tensors.close()
        throw error
      })
      given.push({ model, tensors, files: body, origins: listOrigins(parts), config, merged })
    }
    const from = donorOf(
      recipe,
      given.map(({ model }) => model),
    )
    const { inputs, notes: labelNotes } = inLabelOrder(given, from)
    const models = inputs.map(({ model }) => model)
    const chatTemplate =
      recipe.chatTemplate === undefined
        ? undefined
        : chatTemplateOf(recipe.chatTemplate, await Promise.all(inputs.map(({ files }) => readChatTemplate(files))))
    const base = models.indexOf(recipe.base ?? '')
    const named = base < 0 ? undefined : base
    const found =
      recipe.tokenizer === undefined
        ? undefined
        : await joinedTokenizer(recipe.tokenizer, inputs, {
            base: named,
            donor: from,
            resolve: documents.resolve,
          })
    for (const file of extraFiles(recipe)) further.push(await openTensors(file))
    const planned = planMerge(recipe, inputs, { ...options, vocabulary: found?.joined.plan, further })
    const plan = { ...planned, notes: [...planned.notes, ...labelNotes, ...(found?.notes ?? [])] }
    const donor = inputs[from]
    if (donor === undefined) throw fault('internal', { place: path, what: 'the recipe has no models' })
    const joined = found?.joined
    const config = configFor(outputConfig(donor.config, recipe, plan), joined)
    return {
      recipe,
      recipeFile: 'mergekit_config.yml',
      stem: basename(path, extname(path)),
      plan,
      config,
      inputs,
      further,
      donor,
      joined,
      chatTemplate,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A model, or the merge that another document of the file describes. */
async function resolveInput(
  model: string,
  { name }: Recipe,
  documents: Documents,
): Promise<ModelParts & Pick<MergeInput, 'merged'>> {
  const { path, named, opening, resolve } = documents
  const document = named.get(model)
  if (document === undefined) return resolve.model(model)
  const open = name === undefined ? opening : [...opening, name]
  if (open.includes(model))
    throw fault('usage.value', {
      place: path,
      what: 'the documents name each other in a circle',
      seen: [...open, model].join(' → '),
    })
  const merged = await openDocument(document, { ...documents, opening: open })
  return { ...(await asModel(merged, `${path} › ${model}`)), merged }
}

/**
 * The model whose files the output keeps: the base – of the recipe, or of its first slice – otherwise the first model.
 */
function donorOf({ base, modules }: Recipe, models: readonly string[]): number {
  const named =
    base ??
    Object.values(modules).flatMap(({ slices }) =>
      slices.flatMap(({ base: own }) => (own === undefined ? [] : [own])),
    )[0]
  return Math.max(0, models.indexOf(named ?? ''))
}

/** Every model of a recipe, once, in order of appearance. */
function modelsOf({ base, modules }: Recipe): string[] {
  const named = Object.values(modules).flatMap(({ slices }) =>
    slices.flatMap(({ sources, base: own }) => [
      ...sources.map(({ model }) => model),
      ...(own === undefined ? [] : [own]),
    ]),
  )
  return [...new Set([...named, ...(base === undefined ? [] : [base])])]
}

/** Files of further tensors that parameters name (`fisher: ./fisher.safetensors`), once each. */
function extraFiles({ method, parameters, modules }: Recipe): string[] {
  const { extra } = mergeMethodNamed(method)
  if (extra === undefined) return []
  const levels = Object.values(modules).flatMap(({ slices, parameters: own }) => [
    own,
    ...slices.flatMap((slice) => [slice.parameters, ...slice.sources.map((source) => source.parameters)]),
  ])
  const files = [parameters, ...levels].map((settings) => settings[extra.kind])
  return [...new Set(files.filter((file) => typeof file === 'string'))]
}

/** A recipe as a model that is never written: `merge__<file stem>`, revision = hash of its tensors' identity. */
export async function resolveMerge(path: string, resolve: Resolve): Promise<ModelParts> {
  return asModel(await openMerge(path, resolve), path)
}

async function asModel(opened: OpenedMerge, place: string): Promise<ModelParts> {
  const { stem, plan, config, donor } = opened
  const tensors = mergedSource(plan, sourcesOf(opened), place)
  const { texts, gone } = await tokenizerTexts(opened)
  const written = texts.set('config.json', JSON.stringify(config))
  const body = withTexts(donor.files, written, { gone, lacking: 'the merge has no such file' })
  return {
    files: body,
    body,
    origins: opened.inputs.flatMap(({ origins }) => origins),
    tensors,
    name: `merge__${stem}`,
    revision: async () => fingerprint({ tensors: await tensors.identity(), config }).slice(0, 12),
    asStatic: false,
  }
}
