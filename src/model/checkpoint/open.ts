/** Opens a checkpoint from its parts: its modules and config.json decide whether it is a transformer or a table. */
import { fault, type RepoFiles } from '#core'
import { configNotices, cutConfig, decoderOf, specOf, unreadConfig } from '#model/architectures'
import { isObject, parseJson } from '#files/formats'
import { folderFiles } from '#files/hub'
import { requireNoAdapter } from './adapter-choice.ts'
import { readColbertCheckpoint } from './colbert-checkpoint.ts'
import type { Model } from './model.ts'
import { type ModulesSpec, readModules } from './modules.ts'
import type { ModelOptions } from '#model/passes'
import type { ModelParts } from './parts.ts'
import { openOnnxModel } from './onnx-model.ts'
import { rerankerSign } from './reranker.ts'
import { openRouted } from './routed-model.ts'
import { openSparseStatic } from './sparse-static-model.ts'
import { openStaticModel } from './static-model.ts'
import { openTransformer } from './transformer.ts'
import { unreadSettings } from './unread-settings.ts'

/** Throws `config.*`, `tensor.*`, `tokenizer.*`; nothing is computed yet, only headers and small files are read. */
export async function openModelParts(given: ModelParts, options: ModelOptions = {}): Promise<Model> {
  const { files } = given
  if (given.graph !== undefined) return openOnnxModel(given, options)
  const modules = (await readModules(files)) ?? (await readColbertCheckpoint(files, given.tensors))
  const notices = [...(given.notices ?? []), ...(await unreadSettings(files))]
  const open = (parts: ModelParts, route: ModulesSpec | undefined): Promise<Model> => openRoute(parts, route, options)
  const parts = { ...given, notices }
  return modules?.routes === undefined ? open(parts, modules) : openRouted(parts, modules.routes, open)
}

async function openRoute(given: ModelParts, modules: ModulesSpec | undefined, asked: ModelOptions): Promise<Model> {
  const { files, body } = given
  if (modules?.kind === 'sparse-static') {
    requireNoAdapter(asked, given.name)
    return openSparseStatic(given, modules, asked)
  }
  const whole = await readConfig(body, modules?.kind === 'static')
  const { config, options } = firstLayers(whole, asked, `${body.name}/config.json`)
  const notices = [...(given.notices ?? []), ...configNotices(config)]
  const parts = { ...given, notices }
  if (parts.asStatic === true || modules?.kind === 'static' || isStaticConfig(config)) {
    requireNoAdapter(options, given.name)
    return openStaticModel(parts, modules, options)
  }
  const sign = modules === undefined ? await rerankerSign(files, config, parts.name) : undefined
  const place = `${body.name}/config.json`
  const how = { place, architecture: options.architecture }
  const spec = { spec: specOf(config, how), decoder: decoderOf(config, how), config, rerankerSign: sign }
  const unread = unreadConfig(config, how)
  return openTransformer({ ...parts, notices: [...notices, ...unread] }, spec, modules, options)
}

/**
 * The config of the model's first layers. Throws `usage.value` for more than there are, `config.unsupported` for a
 * family whose config cannot say it.
 */
function firstLayers(
  config: unknown,
  { layers, ...options }: ModelOptions,
  place: string,
): { config: unknown; options: ModelOptions } {
  if (layers === undefined || !isObject(config)) return { config, options }
  const { layers: all } = specOf(config, { place })
  if (layers > all)
    throw fault('usage.value', {
      place,
      what: 'more layers than the model has',
      seen: layers,
      wanted: `at most ${all}`,
    })
  if (layers === all) return { config, options }
  return { config: cutConfig(config, layers, place).config, options: { ...options, layers } }
}

/** Folder of the first module's files; old sentence-transformers folders keep the transformer in `0_Transformer`. */
export async function bodyOf(files: RepoFiles): Promise<RepoFiles> {
  const folder = (await readModules(files))?.folder ?? ''
  return folder === '' ? files : folderFiles(files, folder)
}

async function readConfig(files: RepoFiles, optional: boolean): Promise<unknown> {
  if (await files.has('config.json'))
    return parseJson(await files.text('config.json'), `${files.name}/config.json`, { allowNaN: true })
  if (optional) return {}
  throw fault('config.missing', {
    place: files.name,
    what: 'no config.json',
    seen: (await files.list()).slice(0, 12),
    hint: 'a model folder has config.json, tensors and a tokenizer',
  })
}

function isStaticConfig(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'model_type' in config && config.model_type === 'model2vec'
}
