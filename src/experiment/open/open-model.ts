/** From a reference to an opened model: repository, tensors, adapter, name. */
import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import { Fault, fault, type OnProgress, type RepoFiles, type TensorSource } from '#core'
import { openTensorSet, parseJson } from '#files/formats'
import { folderIdentity, openRepo, parseReference, repoLabel, type Reference } from '#files/hub'
import { bodyOf, isBm25, openBm25, openModelParts, type Model, type ModelParts } from '#model/checkpoint'
import type { ModelOptions } from '#model/passes'
import type { PlanOptions } from '#model/merge'
import { adaptedModel } from './adapted-model.ts'
import { type EnsembleFile, openEnsemble, readEnsemble } from './ensemble.ts'
import { onnxFiles } from './onnx-files.ts'
import { openMerge, resolveMerge } from './merge-inputs.ts'
import type { MoeOptions } from './open-moe.ts'
import type { OpenedMerge, Resolve } from './opened-merge.ts'
import { listOrigins } from './origins.ts'
import { plainParts } from './plain-parts.ts'
import { findGguf, ggufName, ggufParts, isGgufPath } from './gguf-parts.ts'
import { reportedFiles } from './reported-files.ts'

export interface OpenModelOptions extends ModelOptions {
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
  /** Local path of each file of the model's repositories that is read. */
  onFile?: ((path: string) => void) | undefined
}

/**
 * Opens a model by reference: `org/name[@revision]`, a folder, either of them with `+adapter`, `merge:recipe.yml`, also
 * of an ensemble, or `bm25`. Weights are read when they are needed; close the model after use. Throws the hub's faults, `file.missing`,
 * `config.*`, `tensor.*`, `tokenizer.*`.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm/layers'
 *
 * const model = await openModel('assets/models/stories260K')
 * console.log(model.name, model.states?.count) // → stories260K 6
 * await model.close()
 * ```
 */
export async function openModel(reference: string, options: OpenModelOptions = {}): Promise<Model> {
  if (isBm25(reference)) {
    const { adapter, prompt, promptName, layers } = options
    const idle = [adapter, prompt, promptName, layers].find((given) => given !== undefined)
    if (idle !== undefined)
      throw fault('usage.conflict', {
        place: reference,
        what: 'it counts words: it has no adapter, prompt or layer',
        seen: idle,
      })
    return openBm25(reference)
  }
  const ensemble = await ensembleAt(reference)
  if (ensemble !== undefined) return openEnsemble(ensemble, (member) => openMember(member, ensemble.path, options))
  const resolved = await resolveModel(reference, options)
  const model = await closingOnFailure(resolved.tensors, () => openModelParts(resolved, options))
  for (const notice of model.notices) options.onNotice?.(`${model.name}: ${notice}`)
  return model
}

async function ensembleAt(reference: string): Promise<EnsembleFile | undefined> {
  const named = parseReference(reference)
  return named.kind === 'merge' && named.adapter === undefined ? readEnsemble(named.path) : undefined
}

/** Votes of votes have no meaning that anybody defined, and a file that names itself would have no end. */
async function openMember(reference: string, place: string, options: OpenModelOptions): Promise<Model> {
  if ((await ensembleAt(reference)) !== undefined)
    throw fault('usage.value', {
      place,
      what: 'an ensemble is of models and merges, not of ensembles',
      seen: reference,
    })
  return openModel(reference, options)
}

/**
 * Opens a recipe with its models as far as their headers, and plans it. Close it after use. Throws `file.missing`, and
 * what reading, opening and planning throw.
 *
 * @example
 * ```ts
 * import { openMergeFile } from 'strata-lm/merge'
 *
 * const opened = await openMergeFile('recipe.yml')
 * console.log(opened.plan.method, opened.inputs.length) // → linear 2
 * await opened.close()
 * ```
 */
export async function openMergeFile(path: string, options: PlanOptions & MoeOptions = {}): Promise<OpenedMerge> {
  const { signal, onProgress } = options
  return openMerge(path, await resolverWithin(path, { signal, onProgress }), options)
}

/** Files stay open only while they have a user. */
export async function closingOnFailure<T>(tensors: TensorSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await tensors.close()
    throw error
  }
}

interface ResolveOptions extends Pick<OpenModelOptions, 'signal' | 'onProgress' | 'onFile'> {
  /** Real paths of the recipes that are being opened, each named by the previous one. */
  recipes?: readonly string[] | undefined
}

/** Resolves the references in the recipe at `path`. Throws `usage.value` for a recipe that leads back to itself. */
async function resolverWithin(path: string, { recipes = [], ...transfer }: ResolveOptions): Promise<Resolve> {
  const chain = [...recipes, await realpath(path).catch(() => path)]
  if (new Set(chain).size < chain.length) {
    throw fault('usage.value', { place: path, what: `the recipes name each other in a circle: ${chain.join(' → ')}` })
  }
  const within = { ...transfer, recipes: chain }
  return {
    model: (reference) => resolveModel(reference, within),
    files: (reference) => resolveFiles(reference, within),
  }
}

export async function resolveModel(
  text: string,
  { signal, onProgress, onFile, recipes = [] }: ResolveOptions = {},
): Promise<ModelParts> {
  const transfer = { signal, onProgress, onFile }
  const open = async (one: Reference): Promise<RepoFiles> => {
    const files = await openRepo(one, { signal, onProgress })
    return onFile === undefined ? files : reportedFiles(files, onFile)
  }
  const reference = await withBase(parseReference(text), open)
  const base = await resolveBase(reference, text, open, (path) => resolverWithin(path, { ...transfer, recipes }))
  const { adapter } = reference
  return adapter === undefined
    ? base
    : closingOnFailure(base.tensors, async () => adapted(base, reference, await open(adapter)))
}

/** Config and tokenizer of a model; its tensors are not opened, or, for a merge, closed again. */
export async function resolveFiles(text: string, options: ResolveOptions = {}): Promise<RepoFiles> {
  const open = (one: Reference): Promise<RepoFiles> => openRepo(one, options)
  const reference = await withBase(parseReference(text), open)
  const gguf = await findGguf(reference, open)
  if (gguf === undefined && (reference.kind === 'folder' || reference.kind === 'hub'))
    return bodyOf(await open(reference))
  const { body, tensors } = await resolveModel(text, options)
  await tensors.close()
  return body
}

/** Resolves the reference before the `+`. */
async function resolveBase(
  reference: Reference,
  text: string,
  open: (one: Reference) => Promise<RepoFiles>,
  within: (recipe: string) => Promise<Resolve>,
): Promise<ModelParts> {
  if (reference.kind === 'merge') return resolveMerge(reference.path, await within(reference.path))
  const gguf = await findGguf(reference, open)
  if (gguf !== undefined) return ggufParts(gguf, ggufName(reference, repoLabel(reference, '').model))
  if (reference.kind === 'file')
    throw fault('config.missing', {
      place: text,
      what: 'a single file is not a model',
      hint: 'name its folder, which has config.json, or a GGUF file; strata models lists the tensors of a file',
    })
  const files = await open(reference)
  const body = await bodyOf(files)
  const { tensors, graph } = await tensorsOrGraph(files, body)
  const plain =
    graph === undefined ? await closingOnFailure(tensors, () => plainParts(body, tensors)) : { body, tensors }
  return {
    ...(graph === undefined ? {} : { graph }),
    files,
    ...plain,
    name: repoLabel(reference, '').model,
    revision: async () => files.revision ?? folderIdentity(body, await tensors.identity()),
    asStatic: reference.static === true,
  }
}

/** A folder without tensors may have a graph with its own. Throws what opening the tensors throws. */
async function tensorsOrGraph(files: RepoFiles, body: RepoFiles): Promise<Pick<ModelParts, 'tensors' | 'graph'>> {
  try {
    return { tensors: await openTensorSet(body) }
  } catch (error) {
    const graph = error instanceof Fault && error.code === 'file.missing' ? await onnxFiles(files) : undefined
    if (graph === undefined) throw error
    return graph
  }
}

async function adapted(base: ModelParts, reference: Reference, files: RepoFiles): Promise<ModelParts> {
  const weights = (await files.has('adapter_model.safetensors')) ? 'adapter_model.safetensors' : 'adapter_model.bin'
  const adapter = await openTensorSet(files, { weights })
  return closingOnFailure(adapter, async () => {
    return {
      ...base,
      ...(await adaptedModel(base, files, adapter)),
      origins: [...listOrigins(base), files],
      name: repoLabel(reference, '').model,
      revision: async () =>
        repoLabel(
          reference,
          await base.revision(),
          files.revision ?? (await folderIdentity(files, await adapter.identity())),
        ).revision,
      asStatic: false,
    }
  })
}

/** A folder that holds only an adapter names its base itself: the same as `base+folder`. */
async function withBase(reference: Reference, open: (one: Reference) => Promise<RepoFiles>): Promise<Reference> {
  if (reference.kind === 'merge' || reference.kind === 'file' || reference.adapter !== undefined) return reference
  if (isGgufPath(reference)) return reference
  const files = await open(reference)
  if ((await files.has('config.json')) || !(await files.has('adapter_config.json'))) return reference
  return { ...(await adapterBase(files, reference)), adapter: reference }
}

async function adapterBase(files: RepoFiles, reference: Reference): Promise<Reference> {
  const place = `${files.name}/adapter_config.json`
  const config = parseJson(await files.text('adapter_config.json'), place) as Record<string, unknown> | null
  const base = config?.['base_model_name_or_path']
  if (typeof base !== 'string' || base === '') {
    throw fault('config.value', {
      place,
      what: 'the adapter does not say which model it belongs to',
      seen: base,
      hint: `name both: <model>+${files.name}`,
    })
  }
  // A relative path is relative to the adapter's own folder, where it was written.
  const local = reference.kind === 'folder' && /^\.\.?[/\\]/.test(base) && !isAbsolute(base)
  return parseReference(local ? resolve(dirname(await files.local('adapter_config.json')), base) : base)
}
