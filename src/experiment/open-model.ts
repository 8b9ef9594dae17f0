/** From a reference to an opened model: repository, tensors, adapter, name. */
import { dirname, isAbsolute, resolve } from 'node:path'
import { fault, sha256, type OnProgress, type RepoFiles, type TensorSource } from '../core/index.ts'
import { applyLora, openTensorSet, parseJson } from '../formats/index.ts'
import { openRepo, parseReference, type Reference } from '../hub/index.ts'
import { openModelParts, type Model, type ModelOptions } from '../model/index.ts'

export interface OpenModelOptions extends ModelOptions {
  signal?: AbortSignal
  onProgress?: OnProgress
}

/** What a reference resolves to before anything is computed: its files, its tensors, the name results carry. */
export interface ResolvedModel {
  readonly files: RepoFiles
  readonly tensors: TensorSource
  /** As in the result path: `org/name` and the commit, or the folder's name and twelve digits of its content. */
  readonly label: { readonly model: string; readonly revision: string }
}

/**
 * Opens `org/name[@revision]`, a folder, or either with `+adapter`, and returns the model.
 * Throws hub faults, `file.missing`, `config.*`, `tensor.*`, `tokenizer.*`.
 */
export async function openModel(reference: string, options: OpenModelOptions = {}): Promise<Model> {
  const { files, tensors, label } = await resolveModel(reference, options)
  return openModelParts({ files, tensors, label }, options)
}

export async function resolveModel(reference: string, { signal, onProgress }: Pick<OpenModelOptions, 'signal' | 'onProgress'> = {}): Promise<ResolvedModel> {
  const parsed = parseReference(reference)
  const transfer = { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) }
  const open = (one: Reference): Promise<RepoFiles> => openRepo(one, transfer)
  const files = await open(parsed)
  // A folder that holds only an adapter names its base itself.
  const base = (await files.has('adapter_config.json')) && !(await files.has('config.json')) ? await adapterBase(files, parsed) : undefined
  const body = base === undefined ? files : await open(base)
  const adapters = [...(base === undefined ? [] : [files]), ...(parsed.adapter === undefined ? [] : [await open(parsed.adapter)])]

  let tensors = await openTensorSet(body)
  for (const adapter of adapters) {
    const config = parseJson(await adapter.text('adapter_config.json'), `${adapter.name}/adapter_config.json`)
    tensors = applyLora(tensors, await openTensorSet(adapter, { weights: 'adapter_model' }), config, adapter.name)
  }
  return { files: body, tensors, label: await labelOf(body, adapters, tensors) }
}

/** The name and revision of a model in results: content decides what is not on the hub, so that two folders never share a name by accident. */
async function labelOf(body: RepoFiles, adapters: readonly RepoFiles[], tensors: TensorSource): Promise<ResolvedModel['label']> {
  const content = async (): Promise<string> => {
    const config = (await body.has('config.json')) ? await body.text('config.json') : ''
    return sha256(`${await tensors.identity()}\n${config}`).slice(0, 12)
  }
  const names = [body, ...adapters].map(shortName)
  if (adapters.length === 0 && body.revision !== undefined) return { model: body.name, revision: body.revision }
  const own = body.revision === undefined ? shortName(body) : body.name
  return { model: [own, ...names.slice(1)].join('+'), revision: await content() }
}

/** A folder by its base name; a hub repository by its whole name. */
function shortName(files: RepoFiles): string {
  if (files.revision !== undefined) return files.name
  return (
    resolve(files.name)
      .split(/[/\\]/)
      .findLast((part) => part !== '') ?? 'model'
  )
}

async function adapterBase(files: RepoFiles, reference: Reference): Promise<Reference> {
  const place = `${files.name}/adapter_config.json`
  const config = parseJson(await files.text('adapter_config.json'), place) as Record<string, unknown> | null
  const base = config?.['base_model_name_or_path']
  if (typeof base !== 'string' || base === '') {
    throw fault('config.value', { place, what: 'the adapter does not say which model it belongs to', seen: base, hint: `name both: <model>+${files.name}` })
  }
  // A relative path counts from the adapter's own folder, as it was written there.
  const local = reference.kind === 'folder' && /^\.\.?[/\\]/.test(base) && !isAbsolute(base)
  return parseReference(local ? resolve(dirname(await files.local('adapter_config.json')), base) : base)
}
