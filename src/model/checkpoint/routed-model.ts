/**
 * A model that reads queries by other modules than documents (`Router` of sentence-transformers 6.2): one model for
 * each side, and one for texts of no side. Layers, tokens and heads are those of the last.
 */
import { type AskOptions, fault, fingerprint, type PromptType } from '#core'
import { openTensorSet, readJsonFields } from '#files/formats'
import { folderFiles } from '#files/hub'
import type { Model, SparseVectors } from './model.ts'
import type { ModulesSpec, Routes } from './modules.ts'
import type { ModelParts } from './parts.ts'
import { sparseSearch } from './sparse-vectors.ts'
import { hasJsonWeights } from './sparse-static-model.ts'
import { noTensors } from './table-model.ts'

type Open = (parts: ModelParts, modules: ModulesSpec) => Promise<Model>

/** Throws `config.value` where the vectors of queries and documents are not of one width, and what opening throws. */
export async function openRouted(parts: ModelParts, routes: Routes, open: Open): Promise<Model> {
  const opened = new Map<ModulesSpec, Model>()
  const openOnce = async (route: ModulesSpec): Promise<Model> => {
    const known = opened.get(route)
    if (known !== undefined) return known
    const model = await open(route === routes.plain ? parts : await routeParts(parts, route, routes.plain), route)
    opened.set(route, model)
    return model
  }
  const close = async (): Promise<void> => {
    await Promise.all([...opened.values()].map((model) => model.close()))
  }
  try {
    const plain = await openOnce(routes.plain)
    return together(plain, { query: await openOnce(routes.query), document: await openOnce(routes.document) }, close)
  } catch (error) {
    const others = [...opened].filter(([route]) => route !== routes.plain)
    await Promise.all(others.map(([, model]) => model.close()))
    throw error
  }
}

type Sides = Readonly<Record<PromptType, Model>>

function together(plain: Model, sides: Sides, close: () => Promise<void>): Model {
  const all = [...new Set([plain, sides.query, sides.document])]
  const by = <T>(side: PromptType | undefined, values: ReadonlyMap<Model, T>): T => {
    const value = values.get(side === undefined ? plain : sides[side])
    if (value === undefined) throw fault('internal', { place: plain.name, what: 'a route that was not opened' })
    return value
  }
  const { similarity } = plain.settings
  const sparse = all.every((model) => model.sparse !== undefined) ? () => routedSparse(all, by, plain.name) : undefined
  return {
    ...plain,
    settings: {
      ...plain.settings,
      routes: { query: sides.query.settings, document: sides.document.settings },
    },
    overrides: [...new Set(all.flatMap((model) => model.overrides))],
    notices: [...new Set(all.flatMap((model) => model.notices))],
    async identity() {
      const own = await plain.identity()
      const others = [await sides.query.identity(), await sides.document.identity()]
      return { ...own, modules: fingerprint([own.modules, others]) }
    },
    async memoryBytes() {
      const bytes = await Promise.all(all.map((model) => model.memoryBytes()))
      return bytes.reduce((sum, own) => sum + own, 0)
    },
    async embedder(options) {
      const embedders = new Map(
        await Promise.all(all.map(async (model) => [model, await model.embedder(options)] as const)),
      )
      const own = by(undefined, embedders)
      assertOneWidth([...embedders.values()], plain.name)
      const { width, representation } = own
      return {
        representation,
        width,
        embed: (texts, call = {}) => by(call.promptType, embedders).embed(texts, call),
        prepare: async (texts, call = {}) => by(call.promptType, embedders).prepare?.(texts, call),
      }
    },
    sparse,
    searcher:
      sparse === undefined
        ? undefined
        : sparseSearch(sparse, {
            representation: 'default',
            similarity,
            isUnit: plain.settings.normalize === true,
            place: plain.name,
          }),
    close,
  }
}

async function routedSparse(
  all: readonly Model[],
  by: <T>(side: PromptType | undefined, values: ReadonlyMap<Model, T>) => T,
  place: string,
): Promise<SparseVectors> {
  const vectors = new Map<Model, SparseVectors>()
  for (const model of all) {
    const own = await model.sparse?.()
    if (own !== undefined) vectors.set(model, own)
  }
  assertOneWidth([...vectors.values()], place)
  return {
    width: by(undefined, vectors).width,
    encode: (texts, options: AskOptions = {}) => by(options.promptType, vectors).encode(texts, options),
  }
}

function assertOneWidth(vectors: readonly { readonly width: number }[], place: string): void {
  const widths = [...new Set(vectors.map(({ width }) => width))]
  if (widths.length > 1)
    throw fault('config.value', {
      place: `${place} › Router`,
      what: 'vectors of queries and documents differ in width',
      seen: widths.join(' and '),
    })
}

/** A route's own folder, with tensors of its own unless it shares the folder of the other. */
async function routeParts(parts: ModelParts, { folder }: ModulesSpec, plain: ModulesSpec): Promise<ModelParts> {
  if (folder === plain.folder) return { ...parts, tensors: { ...parts.tensors, close: () => Promise.resolve() } }
  const body = folder === '' ? parts.files : folderFiles(parts.files, folder)
  const config = await readJsonFields(body, 'config.json')
  if (config?.fields['quantization_config'] !== undefined)
    throw fault('config.unsupported', {
      place: `${config.place} › quantization_config`,
      what: 'the second model of a Router must not be quantised',
    })
  return { ...parts, body, tensors: (await hasJsonWeights(body)) ? noTensors(body.name) : await openTensorSet(body) }
}
