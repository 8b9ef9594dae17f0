/**
 * Which modules of a fine-tuned model become low-rank factors, which are saved whole, which stay out – from headers
 * alone. mergekit `extract-lora`'s rules, module types read from names and shapes.
 */
import { type Dtype, dtypeBytes, elementCount, fault, suggestion, type TensorInfo, type ModelHeaders } from '#core'
import { headName, type TensorRole, tensorRoles } from '#model/architectures'

export interface ExtractionOptions {
  maxRank?: number | undefined
  /** √S on both factors; otherwise all of S goes to A. */
  distributeScale?: boolean | undefined
  /** Factors for embeddings and the head too, instead of whole copies. */
  embedLora?: boolean | undefined
  /** Modules saved whole: full names or last parts. */
  saveModules?: readonly string[] | undefined
  /** Only modules whose name one of these finds. Embeddings and modules saved whole are taken all the same. */
  include?: readonly RegExp[] | undefined
  exclude?: readonly RegExp[] | undefined
  /** Singular values at or below this are left out. */
  svEpsilon?: number | undefined
  /** Leaves out norms and other modules without factors, instead of saving them whole. */
  skipUndecomposable?: boolean | undefined
}

/** A weight W_ft = W_base + B·A. */
export interface FactorPlan {
  /** Name of the module, as PEFT finds it in the model. */
  readonly module: string
  readonly weight: TensorInfo
  readonly base: TensorInfo
  /** [rows × width] of the product B·A. */
  readonly rows: number
  readonly width: number
  /** Upper bound; reached unless singular values are left out. */
  readonly rank: number
  readonly embedding: boolean
  /** The weight lies as [in × out]. */
  readonly transposed: boolean
  readonly dtype: Dtype
}

/** A tensor taken over from the fine-tuned model, under its name in the adapter. */
export interface WholePlan {
  readonly name: string
  readonly weight: TensorInfo
  readonly base: TensorInfo | undefined
}

export interface ExtractionPlan {
  readonly factors: readonly FactorPlan[]
  readonly whole: readonly WholePlan[]
  /** Biases of modules with factors; all of them are saved as soon as one differs. */
  readonly biases: readonly WholePlan[]
  /** Tensors that no adapter can carry. */
  readonly left: readonly { readonly weight: TensorInfo; readonly base: TensorInfo | undefined }[]
  /** Linear layers and embeddings that get no factors and are not saved. */
  readonly others: readonly string[]
  readonly modulesToSave: readonly string[]
  readonly fanInFanOut: boolean
  readonly epsilon: number
  readonly distribute: boolean
  /** Upper bound of the adapter's size. */
  readonly bytes: number
  readonly notes: readonly string[]
}

/** Throws `tensor.missing`, `tensor.shape`, `tensor.dtype`, and `usage.value` when nothing is left to extract. */
export function planExtraction(
  model: ModelHeaders,
  base: ModelHeaders,
  options: ExtractionOptions = {},
): ExtractionPlan {
  const { maxRank = 128, distributeScale = true, saveModules = [], svEpsilon = 0 } = options
  const notes: string[] = []
  const modules = modulesOf(model, base)
  if (modules.every((module) => module.base === undefined)) {
    throw fault('tensor.missing', {
      place: base.model,
      what: `shares no weight with ${model.model}`,
      hint: 'name the model it was tuned from',
    })
  }
  checkSaved(saveModules, modules)
  const embedLora = mayFactorEmbeddings(modules, options.embedLora === true, notes)
  const named = new Set(saveModules)
  const skipped = new Set<string>()
  const [factors, whole, biases, others]: [FactorPlan[], WholePlan[], WholePlan[], string[]] = [[], [], [], []]
  const wholeModules = new Set<string>()
  for (const module of modules) {
    const { name, kind, base: before, bias } = module
    switch (treatmentOf(module, named, { ...options, embedLora })) {
      case 'factors':
        if (before === undefined) break
        factors.push(factorOf(module, before, maxRank))
        if (bias !== undefined) biases.push({ ...bias, name: `${name}.base_layer.bias` })
        break
      case 'whole':
        whole.push(...toWhole(module))
        wholeModules.add(name)
        break
      case 'skipped':
        skipped.add(lastPart(name))
        break
      case 'left out':
        if (kind !== 'other') others.push(name)
    }
  }
  if (factors.length === 0) {
    throw fault('usage.value', {
      place: model.model,
      what: 'no module is left to decompose',
      seen: `${modules.length} modules`,
      hint: 'loosen --include-regex and --exclude-regex',
    })
  }
  if (skipped.size > 0) notes.push(`${[...skipped].join(', ')}: neither decomposed nor saved (--skip-undecomposable)`)
  return {
    factors,
    whole,
    biases,
    left: leftOf(model, base, modules),
    others,
    modulesToSave: savedNames(wholeModules, modules),
    fanInFanOut: factors.some(({ transposed }) => transposed),
    epsilon: svEpsilon,
    distribute: distributeScale,
    bytes: bytesOf(factors, [...whole, ...biases]),
    notes,
  }
}

/**
 * Saved whole: modules that were named, embeddings and heads without `embedLora`, and modules that cannot have factors.
 * Patterns apply to the rest; an excluded embedding is left out altogether.
 */
function treatmentOf(
  { name, kind, base }: Module,
  named: ReadonlySet<string>,
  options: ExtractionOptions,
): 'factors' | 'whole' | 'skipped' | 'left out' {
  const { include = [], exclude = [], embedLora = false, skipUndecomposable = false } = options
  if (isNamed(name, named)) return 'whole'
  if (exclude.some((pattern) => pattern.test(name))) return 'left out'
  if (!embedLora && (kind === 'embedding' || kind === 'head')) return 'whole'
  if (include.length > 0 && !include.some((pattern) => pattern.test(name))) return 'left out'
  if (kind !== 'other' && base !== undefined) return 'factors'
  return skipUndecomposable ? 'skipped' : 'whole'
}

/**
 * Last parts of names where they mean these modules alone – PEFT takes every module whose name ends so, in the middle
 * of a word too, and asks for its tensors – else whole names.
 */
function savedNames(whole: ReadonlySet<string>, modules: readonly Module[]): string[] {
  const alone = (last: string): boolean => modules.every(({ name }) => !name.endsWith(last) || whole.has(name))
  return [...new Set(Array.from(whole, (name) => (alone(lastPart(name)) ? lastPart(name) : name)))]
}

function lastPart(module: string): string {
  return module.slice(module.lastIndexOf('.') + 1)
}

function isNamed(module: string, names: ReadonlySet<string>): boolean {
  return names.has(module) || names.has(lastPart(module))
}

function checkSaved(names: readonly string[], modules: readonly Module[]): void {
  const unknown = names.find((name) => !modules.some((module) => isNamed(module.name, new Set([name]))))
  if (unknown === undefined) return
  const known = modules.flatMap(({ name }) => [name, lastPart(name)])
  throw fault('usage.value', {
    place: '--save-module',
    what: 'the model has no such module',
    seen: unknown,
    hint: suggestion(unknown, known),
  })
}

/** Tensors that belong to no module with a weight: no adapter can carry their change. */
function leftOf(model: ModelHeaders, base: ModelHeaders, modules: readonly Module[]): ExtractionPlan['left'] {
  const used = new Set(
    modules.flatMap(({ weight, bias }) => [weight.name, ...(bias === undefined ? [] : [bias.weight.name])]),
  )
  const roleOf = rolesOf(model)
  return model.tensors.names().flatMap((name) => {
    const weight = model.tensors.info(name)
    return weight === undefined || used.has(name) || roleOf(name).kind === 'buffer'
      ? []
      : [{ weight, base: base.tensors.info(name) }]
  })
}

type Kind = 'linear' | 'conv1d' | 'embedding' | 'head' | 'other'

interface Module {
  readonly name: string
  readonly kind: Kind
  readonly weight: TensorInfo
  readonly base: TensorInfo | undefined
  readonly bias: { readonly weight: TensorInfo; readonly base: TensorInfo | undefined } | undefined
}

type RoleOf = ReturnType<typeof tensorRoles>

function rolesOf({ config, tensors }: ModelHeaders): RoleOf {
  return tensorRoles(config, tensors.names())
}

/**
 * Modules with a weight, in the order of the file's layers; a head that is tied, and so not stored, is its embedding.
 */
function modulesOf(model: ModelHeaders, base: ModelHeaders): Module[] {
  const roleOf = rolesOf(model)
  const all = model.tensors.names()
  const names = all.filter((name) => name.endsWith('.weight') && roleOf(name).kind !== 'buffer')
  const embedding = all.find((name) => roleOf(name).kind === 'token-embedding')
  const baseRoleOf = rolesOf(base)
  const baseEmbedding = base.tensors.names().find((name) => baseRoleOf(name).kind === 'token-embedding')
  const moduleOf = (weightName: string, weight: TensorInfo): Module => {
    const name = weightName.slice(0, -'.weight'.length)
    const role = roleOf(weightName)
    const tied = role.kind === 'head' ? baseEmbedding : undefined
    const bias = model.tensors.info(`${name}.bias`)
    return {
      name,
      kind: kindOf(role, weight, model),
      weight,
      base: base.tensors.info(weightName) ?? (tied === undefined ? undefined : base.tensors.info(tied)),
      bias: bias === undefined ? undefined : { weight: bias, base: base.tensors.info(`${name}.bias`) },
    }
  }
  const modules = names.map((name) => moduleOf(name, infoOf(model, name)))
  if (
    embedding === undefined ||
    !classOf(model, /ForCausalLM$|LMHeadModel$/) ||
    names.some((name) => roleOf(name).kind === 'head')
  )
    return modules
  return [...modules, moduleOf(headName(model.config, all), infoOf(model, embedding))]
}

function infoOf({ tensors, model }: ModelHeaders, name: string): TensorInfo {
  const info = tensors.info(name)
  if (info === undefined) throw fault('internal', { place: model, what: 'a listed tensor has no header', seen: name })
  return info
}

function kindOf({ kind, inOut }: TensorRole, { shape, dtype }: TensorInfo, model: ModelHeaders): Kind {
  if (shape.length !== 2 || !floats.has(dtype)) return 'other'
  if (kind === 'token-embedding' || kind === 'embedding') return 'embedding'
  if (kind === 'head' && predictsTokens(model)) return 'head'
  return inOut ? 'conv1d' : 'linear'
}

const floats: ReadonlySet<Dtype> = new Set<Dtype>(['F64', 'F32', 'F16', 'BF16'])

function classOf({ config }: ModelHeaders, pattern: RegExp): boolean {
  const classes = config['architectures']
  return Array.isArray(classes) && classes.some((name) => pattern.test(String(name)))
}

function predictsTokens(model: ModelHeaders): boolean {
  return classOf(model, /For(CausalLM|MaskedLM|PreTraining|ConditionalGeneration)$|LMHeadModel$/)
}

function mayFactorEmbeddings(modules: readonly Module[], asked: boolean, notes: string[]): boolean {
  const resized = modules.find(
    ({ kind, weight, base }) =>
      (kind === 'embedding' || kind === 'head') && base !== undefined && base.shape[0] !== weight.shape[0],
  )
  if (resized === undefined) return asked
  const [rows, before] = [resized.weight.shape[0], resized.base?.shape[0]]
  notes.push(
    `the vocabularies differ (${rows} and ${before} rows): embeddings are saved whole${asked ? ', --embed-lora is off' : ''}, and the base must be resized before PEFT loads the adapter`,
  )
  return false
}

function factorOf({ name, kind, weight, base }: Module, before: TensorInfo, maxRank: number): FactorPlan {
  if (base !== undefined && base.shape.join() !== weight.shape.join()) {
    throw fault('tensor.shape', {
      place: `${name}.weight`,
      what: 'the shape differs from the base',
      seen: weight.shape,
      wanted: base.shape,
    })
  }
  if (!floats.has(before.dtype))
    throw fault('tensor.dtype', {
      place: `${name}.weight`,
      what: 'the base has no floating point weight',
      seen: before.dtype,
    })
  const [first = 0, second = 0] = weight.shape
  const transposed = kind === 'conv1d'
  // An embedding's factors are those of its transpose: A is [rank × tokens].
  const [rows, width] = transposed || kind === 'embedding' ? [second, first] : [first, second]
  return {
    module: name,
    weight,
    base: before,
    rows,
    width,
    rank: Math.min(maxRank, first, second),
    embedding: kind === 'embedding',
    transposed,
    dtype: weight.dtype === before.dtype && weight.dtype !== 'F64' ? weight.dtype : 'F32',
  }
}

function toWhole({ name, weight, base, bias }: Module): WholePlan[] {
  return [{ name: `${name}.weight`, weight, base }, ...(bias === undefined ? [] : [{ name: `${name}.bias`, ...bias }])]
}

function bytesOf(factors: readonly FactorPlan[], whole: readonly WholePlan[]): number {
  const thin = factors.reduce((sum, { rank, rows, width, dtype }) => sum + rank * (rows + width) * dtypeBytes(dtype), 0)
  return whole.reduce((sum, { weight: { shape, dtype } }) => sum + elementCount(shape) * dtypeBytes(dtype), thin)
}
