/** From a recipe to the models it names, opened as far as their headers, and the plan that joins them. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fault, fingerprint, type RepoFiles } from '../core/index.ts'
import { openTensors, parseJson } from '../formats/index.ts'
import {
  type MergeInput,
  mergedSource,
  type MergeMethod,
  mergeMethods,
  type MergePlan,
  outputConfig,
  parseRecipe,
  planMerge,
  type PlanOptions,
  type Recipe,
} from '../merge/index.ts'
import type { ResolvedModel } from './resolved-model.ts'

export interface OpenedMerge {
  readonly recipe: Recipe
  /** File name of the recipe without its ending. */
  readonly stem: string
  readonly plan: MergePlan
  readonly inputs: readonly (MergeInput & { readonly files: RepoFiles })[]
  /** Whose config, tokenizer and further files the output carries on: the base, else the first model. */
  readonly donor: MergeInput & { readonly files: RepoFiles }
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
    const plan = planMerge(recipe, inputs, options)
    const donor = inputs[plan.base ?? 0]
    if (donor === undefined) throw fault('internal', { place: path, what: 'a recipe without models' })
    return { recipe, stem: basename(path, extname(path)), plan, inputs, donor, close }
  } catch (error) {
    await close()
    throw error
  }
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
  const { recipe, stem, plan, inputs, donor } = await openMerge(path, resolve)
  const tensors = mergedSource(plan, inputs, path)
  const config = outputConfig(donor.config, recipe, plan)
  const body = withConfig(donor.files, JSON.stringify(config))
  return {
    files: body,
    body,
    tensors,
    name: `merge__${stem}`,
    revision: async () => fingerprint({ tensors: await tensors.identity(), config }).slice(0, 12),
    asStatic: false,
  }
}

/** The donor's files with another config.json. */
function withConfig(files: RepoFiles, config: string): RepoFiles {
  return {
    name: files.name,
    revision: undefined,
    list: () => files.list(),
    has: (path) => files.has(path),
    local: (path) => files.local(path),
    bytes: (path, limit) => (path === 'config.json' ? Promise.resolve(new TextEncoder().encode(config)) : files.bytes(path, limit)),
    text: (path, limit) => (path === 'config.json' ? Promise.resolve(config) : files.text(path, limit)),
  }
}
