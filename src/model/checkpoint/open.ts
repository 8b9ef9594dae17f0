/** Opens a checkpoint from its parts: its modules and config.json decide whether it is a transformer or a table. */
import { fault, type RepoFiles } from '#core'
import { configNotices, decoderOf, specOf, unreadConfig } from '#model/architectures'
import { parseJson } from '#files/formats'
import { folderFiles } from '#files/hub'
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
  const modules = await readModules(files)
  const notices = [...(given.notices ?? []), ...(await unreadSettings(files))]
  const open = (parts: ModelParts, route: ModulesSpec | undefined): Promise<Model> => openRoute(parts, route, options)
  const parts = { ...given, notices }
  return modules?.routes === undefined ? open(parts, modules) : openRouted(parts, modules.routes, open)
}

async function openRoute(given: ModelParts, modules: ModulesSpec | undefined, options: ModelOptions): Promise<Model> {
  const { files, body } = given
  if (modules?.kind === 'sparse-static') return openSparseStatic(given, modules, options)
  const config = await readConfig(body, modules?.kind === 'static')
  const notices = [...(given.notices ?? []), ...configNotices(config)]
  const parts = { ...given, notices }
  if (parts.asStatic === true || modules?.kind === 'static' || isStaticConfig(config))
    return openStaticModel(parts, modules, options)
  const sign = modules === undefined ? await rerankerSign(files, config, parts.name) : undefined
  const place = `${body.name}/config.json`
  const how = { place, architecture: options.architecture }
  const spec = { spec: specOf(config, how), decoder: decoderOf(config, how), config, rerankerSign: sign }
  const unread = unreadConfig(config, how)
  return openTransformer({ ...parts, notices: [...notices, ...unread] }, spec, modules, options)
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
