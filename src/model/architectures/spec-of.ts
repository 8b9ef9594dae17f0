/** config.json → ModelSpec: finds the family, lets it read, fills in what it leaves out. */
import { fault, nearest, suggestion, type Fault } from '#core'
import { configReader, type ConfigReader } from './config-reader.ts'
import type { Family, FamilySpec, SpecSource } from './family.ts'
import { dividedWidth } from './sizes.ts'
import type { BlockSpec, HeadName, ModelSpec } from './spec.ts'
import { families } from './table.ts'

export interface SpecOptions {
  /** A `model_type` to be used instead of the config's own. */
  readonly architecture?: string | undefined
  /** For messages: where the config lies. */
  readonly place?: string | undefined
}

const byModelType: ReadonlyMap<string, Family> = new Map(
  families.flatMap((family) => family.modelTypes.map((type) => [type, family] as const)),
)

/** Every `model_type` that can be opened. */
export function modelTypes(): readonly string[] {
  return [...byModelType.keys()]
}

/**
 * The spec of a parsed config.json. Throws `config.value` for values that are missing, of the wrong type or
 * implausible, `config.unsupported` for
 * values that ask for other arithmetic, `config.family` for a model type that no family reads, `usage.value` for an
 * unknown `architecture`.
 */
export function specOf(config: unknown, options: SpecOptions = {}): ModelSpec {
  const { family, ...context } = readFamily(config, options)
  return complete(family, family.spec(context.reader), context)
}

/** A decoder that goes on from what an encoder has read. */
export interface DecoderPart {
  readonly spec: ModelSpec
  /** The token in front of everything it writes. */
  readonly startId: number
}

/**
 * The decoder beside the encoder that `specOf` reads, whether or not the checkpoint holds it; undefined where the
 * family has none. Throws as `specOf` does.
 */
export function decoderOf(config: unknown, options: SpecOptions = {}): DecoderPart | undefined {
  const { family, ...context } = readFamily(config, options)
  const { decoder } = family
  if (decoder === undefined) return undefined
  return { spec: complete(decoder, decoder.spec(context.reader), context), startId: decoder.startId(context.reader) }
}

function readFamily(
  config: unknown,
  { architecture, place = 'config.json' }: SpecOptions,
): Context & { readonly family: Family } {
  const reader = configReader(config, place)
  const className = firstClass(reader)
  const { family, modelType } =
    architecture === undefined ? familyOf(reader, className, config) : familyNamed(architecture)
  for (const key of ['quantization_config', 'compression_config']) {
    if (reader.has(key))
      throw reader.unsupported(key, 'quantised weights cannot be read; take the unquantised checkpoint')
  }
  const pruned = reader.section('pruned_heads')
  if (pruned !== undefined && pruned.keys().length > 0)
    throw reader.unsupported('pruned_heads', 'pruned heads are not built')
  return { family, modelType, className, labels: readLabels(reader), reader }
}

function familyNamed(architecture: string): { family: Family; modelType: string } {
  const family = byModelType.get(architecture)
  if (family === undefined) {
    throw fault('usage.value', {
      place: 'architecture',
      what: 'is no family Strata knows',
      seen: architecture,
      hint: suggestion(architecture, modelTypes()),
    })
  }
  return { family, modelType: architecture }
}

/**
 * The family a config names, by `model_type` or, where that is missing, by `architectures`; undefined for one that is
 * not known.
 */
export function findFamily(config: Readonly<Record<string, unknown>>): Family | undefined {
  const { model_type: modelType, architectures: classes } = config
  if (modelType !== undefined && modelType !== null)
    return typeof modelType === 'string' ? byModelType.get(modelType) : undefined
  const [first] = Array.isArray(classes) ? (classes as unknown[]) : []
  return typeof first === 'string' ? familyOfClass(first) : undefined
}

function familyOfClass(className: string): Family | undefined {
  const stem = classStem(className)
  return families.find(({ classes }) => classes.some((known) => known === stem))
}

function familyOf(
  reader: ConfigReader,
  className: string | undefined,
  config: unknown,
): { family: Family; modelType: string } {
  const written = reader.text('model_type')
  if (written !== undefined) {
    const family = byModelType.get(written)
    if (family === undefined) throw unknownFamily(reader, written, config)
    return { family, modelType: written }
  }
  const family = className === undefined ? undefined : familyOfClass(className)
  if (className === undefined || family === undefined) {
    throw fault('config.family', {
      place: `${reader.place} › model_type`,
      what: 'is missing, and architectures does not tell the family',
      seen: className,
      hint: 'name the family with --architecture, e.g. --architecture bert',
    })
  }
  const index = family.classes.indexOf(classStem(className) ?? '')
  return { family, modelType: family.modelTypes[index] ?? family.modelTypes[0] ?? family.title }
}

/** What the nearest family would say about this config is what is missing. */
function unknownFamily(reader: ConfigReader, modelType: string, config: unknown): Fault {
  const near = nearest(modelType, modelTypes()) ?? 'llama'
  let lacks = ''
  try {
    specOf(config, { architecture: near, place: reader.place })
  } catch (error) {
    lacks = error instanceof Error ? error.message : String(error)
  }
  return fault('config.family', {
    place: `${reader.place} › model_type`,
    what: `no family of this name is known; the nearest is ${near}`,
    seen: modelType,
    hint:
      lacks === ''
        ? `this config reads as ${near}: if the tensors are its too, open it with --architecture ${near}`
        : `as ${near} it would fail: ${lacks}; families: ${modelTypes().join(', ')}`,
  })
}

const classPattern = /^(.+?)(?:Text)?(?:Encoder|LMHead|DoubleHeads|PreTrained)?(?:Model|For[A-Z]\w*)$/

/** `BertForMaskedLM` → `Bert`, `GPT2LMHeadModel` → `GPT2`. */
function classStem(className: string): string | undefined {
  return classPattern.exec(className)?.[1]
}

function firstClass(reader: ConfigReader): string | undefined {
  const [first] = reader.list('architectures') ?? []
  return typeof first === 'string' ? first : undefined
}

const headClasses: readonly (readonly [RegExp, HeadName])[] = [
  [/ForSequenceClassification$/, 'sequence'],
  [/(?:ForMaskedLM|BertForPreTraining)$/, 'masked'],
  [/(?:ForCausalLM|LMHeadModel)$/, 'causal'],
]

function readLabels(reader: ConfigReader): readonly string[] | undefined {
  const names = reader.section('id2label')
  if (names === undefined) {
    const count = reader.optionalInt('num_labels', { max: 1_000_000 })
    return count === undefined ? undefined : Array.from({ length: count }, (_, i) => `LABEL_${i}`)
  }
  return names.keys().map((_, index) => names.text(String(index)) ?? `LABEL_${index}`)
}

interface Context {
  readonly modelType: string
  readonly className: string | undefined
  readonly labels: readonly string[] | undefined
  readonly reader: ConfigReader
}

function complete(family: SpecSource, draft: FamilySpec, { modelType, className, labels, reader }: Context): ModelSpec {
  const { heads } = draft.attention
  const headWidth = draft.attention.headWidth ?? dividedWidth(reader, draft.width, heads)
  const { blocksPerState = 1 } = draft
  const usual: BlockSpec = {
    i: 0,
    j: 0,
    state: true,
    window: undefined,
    rotary: undefined,
    scale: draft.scale ?? headWidth ** -0.5,
    firstNorm: true,
  }
  const rotary = draft.attention.positions.kind === 'rotary' ? 0 : undefined
  return {
    title: family.title,
    modelType,
    className,
    head: headClasses.find(([pattern]) => className !== undefined && pattern.test(className))?.[1],
    labels,
    causal: draft.causal,
    layers: draft.layers,
    width: draft.width,
    vocabulary: draft.vocabulary,
    maxTokens: draft.maxTokens,
    padId: draft.padId,
    embedding: {
      width: draft.width,
      tokenTypes: 0,
      positions: undefined,
      norm: undefined,
      multiplier: 1,
      project: undefined,
      ...draft.embedding,
    },
    norm: draft.norm,
    convolution: draft.convolution,
    scan: draft.scan,
    stateNames: draft.stateNames ?? 'embeddings-first',
    placement: draft.placement,
    attention: {
      keyHeads: heads,
      layout: 'separate',
      queryKeyNorm: undefined,
      softcap: undefined,
      ...draft.attention,
      headWidth,
    },
    mlp: draft.mlp,
    cross: draft.cross,
    residual: draft.residual ?? 1,
    final: { norm: false, lastState: 'normed', project: undefined, ...draft.final },
    blocks: Array.from({ length: draft.layers * blocksPerState }, (_, index) => ({
      ...usual,
      i: index,
      rotary,
      state: (index + 1) % blocksPerState === 0,
      ...draft.block?.(index),
    })),
    heads: draft.heads,
    tensors: { prefixes: family.prefixes, slots: family.tensors, linear: family.linear ?? 'out-in' },
  }
}
