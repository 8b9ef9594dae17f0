/** A representation of an opened checkpoint → a folder in one of the three forms. */
import { basename, resolve } from 'node:path'
import { elementCount, fault, type TensorSource, version } from '#core'
import type { ModelCard } from '#files/cards'
import { jsonLike } from '#files/formats'
import { type ModelSpec, specOf } from '#model/architectures'
import type { ModelSettings } from '#model/passes'
import type { ModulesSpec } from '#model/checkpoint'
import type { Representation } from '#representation/layers'
import { exportCard, type QuotedScore } from './card.ts'
import { type CutCheckpoint, cutCheckpoint } from './checkpoint.ts'
import { blocksFor } from './first-blocks.ts'
import { type ExportForm, type StoredType, storedTypes } from './forms.ts'
import { exportGraph } from './onnx-graph.ts'
import { type ExportedStep, type Reading, readingOf } from './reading.ts'
import { libraryFiles, libraryModel } from './sentence-transformers.ts'
import { floatsAs, storedAs } from './stored-as.ts'
import { tokenizerFilesFor } from './tokenizer-files.ts'
import { type FolderOptions, type Weights, writeFolder } from './write-folder.ts'

/** The subject of an export: a checkpoint, the way it is read, and one of its representations. */
export interface Exportable {
  /** As the user wrote it. */
  readonly model: string
  readonly revision: string
  readonly config: Readonly<Record<string, unknown>>
  /** Config.json as it stands, whose floats are kept. */
  readonly configText: string
  readonly tensors: TensorSource
  readonly settings: ModelSettings
  readonly modules: ModulesSpec | undefined
  /** The tokenizer's files by path. */
  readonly tokenizer: ReadonlyMap<string, Uint8Array>
  readonly representation: Representation
}

export interface ExportOptions extends FolderOptions {
  as: ExportForm
  /** Type of the stored weights; default: the one they have. */
  dtype?: StoredType | undefined
  /** Vectors of length 1. */
  normalize?: boolean | undefined
  /** Cards of the models it is made from. */
  cards?: readonly ModelCard[] | undefined
  /** Quoted in the card. */
  scores?: readonly QuotedScore[] | undefined
  /** For the card: what made the folder. */
  command?: string | undefined
  /** Largest ONNX file with the weights inside, in bytes. */
  insideLimit?: number | undefined
}

export interface Exported {
  readonly folder: string
  readonly form: ExportForm
  readonly representation: string
  readonly blocks: number
  readonly layers: number
  /** Numbers of a vector; absent where the form gives states of tokens alone. */
  readonly width?: number | undefined
  readonly parameters: number
  readonly bytes: number
  readonly files: readonly string[]
  readonly notes: readonly string[]
}

/** What a form makes of it. */
interface Made {
  readonly weights: Weights
  readonly tensors: TensorSource
  readonly names: readonly string[]
  readonly blocks: number
  readonly width: number | undefined
  readonly files: ReadonlyMap<string, string>
  readonly notes: readonly string[]
}

/**
 * Throws `usage.conflict`, with the reason, for what the form cannot say; `config.unsupported` where the family's
 * config cannot; and what writing throws.
 */
export async function exportTo(what: Exportable, target: string, options: ExportOptions): Promise<Exported> {
  const spec = specOf(what.config, { place: `${what.model}/config.json` })
  const { as: form, normalize = false } = options
  const reading = readingOf(what.representation, { ...what, spec }, normalize)
  const made = await makers[form](what, reading, spec, options)
  const infos = made.names.flatMap((name) => made.tensors.info(name) ?? [])
  const parameters = infos.reduce((sum, { shape }) => sum + elementCount(shape), 0)
  const facts = {
    form,
    representation: reading.name,
    blocks: made.blocks,
    layers: spec.layers,
    width: made.width,
    parameters,
    notes: made.notes,
  }
  const card = exportCard({
    ...facts,
    title: basename(resolve(target)),
    model: what.model,
    revision: what.revision,
    types: [...new Set(infos.map(({ dtype }) => dtype))],
    maxLength: what.settings.maxLength,
    cards: options.cards ?? [],
    scores: options.scores ?? [],
    command: options.command,
    version,
  })
  const small = new Map<string, string | Uint8Array>([
    ...tokenizerFilesFor(what.tokenizer, what.settings),
    ...made.files,
    ['README.md', card],
  ])
  const files = await writeFolder(target, made.weights, small, options)
  return { folder: target, ...facts, bytes: infos.reduce((sum, { byteLength }) => sum + byteLength, 0), files }
}

type Maker = (what: Exportable, reading: Reading, spec: ModelSpec, options: ExportOptions) => Promise<Made>

const makers: Readonly<Record<ExportForm, Maker>> = {
  async 'sentence-transformers'(what, reading, spec, { dtype }) {
    const model = await libraryModel(reading, spec, what.settings)
    const cut = cutFor(what, model.blocks, dtype)
    const config = { ...cut.config, ...model.words }
    return {
      ...asCheckpoint(what, { ...cut, config }, model),
      width: model.width,
      files: new Map([
        ['config.json', jsonLike(config, what.configText, what.model)],
        ...libraryFiles(model, what.settings, what.modules ?? { prompts: {}, defaultPromptName: undefined }),
      ]),
      notes: [],
    }
  },

  // Awaits nothing, but answers as the others do.
  // oxlint-disable-next-line typescript/require-await
  async transformers(what, reading, spec, { dtype, normalize }) {
    if (normalize === true)
      throw fault('usage.conflict', {
        place: '--normalize',
        what: 'a checkpoint of transformers gives states of tokens, not vectors',
        hint: '--as sentence-transformers',
      })
    const blocks = blocksFor(reading, spec)
    const cut = cutFor(what, blocks, dtype)
    const later = reading.later.map(laterWords)
    return {
      ...asCheckpoint(what, cut, { blocks, modules: [] }),
      width: undefined,
      files: new Map([['config.json', jsonLike(cut.config, what.configText, what.model)]]),
      notes: [
        `A vector of a text is made of \`last_hidden_state\` by the caller: ${[`pooling \`${reading.pooling.join('+')}\``, ...later].join(', then ')}.`,
      ],
    }
  },

  async onnx(what, reading, spec, { dtype, insideLimit }) {
    if (dtype === 'bfloat16')
      throw fault('usage.conflict', {
        place: '--dtype bfloat16',
        what: 'ONNX Runtime has no bfloat16 on processors and in browsers',
        wanted: 'float32 or float16',
      })
    const wanted = dtype === undefined ? undefined : storedTypes[dtype]
    const tensors = storedAs(what.tensors, what.tensors.names(), (type) =>
      floatsAs(wanted ?? (type === 'F16' ? 'F16' : 'F32'))(type),
    )
    const graph = await exportGraph(reading, spec, tensors)
    const names = graph.message.initializers.flatMap(({ name, data }) => (data instanceof Uint8Array ? [] : [name]))
    const prompts = Object.keys(what.modules?.prompts ?? {}).filter((name) => what.modules?.prompts[name] !== '')
    return {
      weights: { kind: 'graph', graph, tensors, limit: insideLimit },
      tensors,
      names,
      blocks: graph.blocks,
      width: graph.width,
      files: new Map([['config.json', jsonLike(what.config, what.configText, what.model)]]),
      notes: [
        ...(prompts.length > 0 ? [`Prompts (${prompts.join(', ')}) are put in front of the texts by the caller.`] : []),
        ...(what.settings.lowerCase ? ['Texts are put into lower case by the caller.'] : []),
      ],
    }
  },
}

/** What a caller has to do after pooling. */
function laterWords(step: ExportedStep): string {
  switch (step.kind) {
    case 'dense':
      return 'Dense'
    case 'layer-norm':
      return 'LayerNorm'
    case 'normalize':
      return 'Normalize'
    case 'truncate':
      return `the first ${step.width} numbers`
    default:
      return step satisfies never
  }
}

function cutFor({ config, tensors, model }: Exportable, blocks: number, dtype: StoredType | undefined): CutCheckpoint {
  return cutCheckpoint(config, tensors, {
    blocks,
    dtype: dtype === undefined ? undefined : storedTypes[dtype],
    place: `${model}/config.json`,
  })
}

function asCheckpoint(
  { model, config, tensors }: Exportable,
  cut: CutCheckpoint,
  { blocks, modules }: { blocks: number; modules: Extract<Weights, { kind: 'checkpoint' }>['modules'] },
): Pick<Made, 'weights' | 'tensors' | 'names' | 'blocks'> {
  const weights = {
    kind: 'checkpoint',
    checkpoint: { model, ...cut },
    original: { model, config, tensors },
    modules,
  } as const
  return { weights, tensors: cut.tensors, names: cut.tensors.names(), blocks }
}
