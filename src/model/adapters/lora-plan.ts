/** What an adapter changes in its base, decided from names, shapes and the config before anything is read. */
import { elementCount, fault, type Dtype, type TensorInfo, type TensorSource } from '#core'
import { readAdapter, type LowRankPair } from './adapter-tensors.ts'
import { matchNames } from './match-names.ts'
import { readLoraConfig, type LoraConfig } from './peft-config.ts'
import { separateHead, type TiedHead } from './separate-head.ts'

/** A weight that gets scale · B·A added. */
export interface Update {
  readonly info: TensorInfo
  /** Dtype of the weight before the update. */
  readonly storedType: Dtype
  /** Names in the adapter. A: [rank × in], B: [out × rank]. */
  readonly a: string
  readonly b: string
  readonly rank: number
  readonly scale: number
  /** The weight lies as [in × out]: Conv1D of GPT-2, and embeddings [tokens × width]. */
  readonly transposed: boolean
}

/** A tensor that was trained whole: its name in the result, and in the adapter. */
export interface Whole {
  readonly info: TensorInfo
  readonly stored: string
}

/** A bias that gets scale · B's bias added. */
export interface BiasUpdate extends Pick<Update, 'info' | 'storedType' | 'scale'> {
  /** Name in the adapter. */
  readonly change: string
}

export interface LoraPlan {
  /** The base, with a head of its own where the adapter parts it from the token table. */
  readonly base: TensorSource
  readonly updates: ReadonlyMap<string, Update>
  readonly biases: ReadonlyMap<string, BiasUpdate>
  readonly whole: ReadonlyMap<string, Whole>
}

/** An adapter's words about its tensors. */
export interface AdapterSettings {
  /** The parsed adapter_config.json. */
  readonly config: unknown
  /** Its name, for messages. */
  readonly place: string
  /** The base's head, where its config ties it to the token table. */
  readonly tied?: TiedHead | undefined
}

interface Setting {
  tied: TiedHead | undefined
  base: TensorSource
  adapter: TensorSource
  config: LoraConfig
  match: (name: string) => string[]
}

/** Faults as `applyLora`. */
export function planLora(
  given: TensorSource,
  adapter: TensorSource,
  { place, tied, ...fields }: AdapterSettings,
): LoraPlan {
  const config = readLoraConfig(fields.config, place)
  const tensors = readAdapter(adapter)
  const base = separateHead(given, { tensors, config, tied, place })
  const setting: Setting = { tied, base, adapter, config, match: matchNames(base.names()) }
  const whole = new Map<string, Whole>()
  for (const { name, stored } of tensors.whole) {
    const plan = planWhole(setting, name, stored)
    if (whole.has(plan.info.name)) throw twice(adapter, plan.info.name)
    whole.set(plan.info.name, plan)
  }
  followTable(setting, base !== given, whole)
  const updates = new Map<string, Update>()
  for (const pair of tensors.pairs) {
    const update = planUpdate(setting, pair, whole)
    if (updates.has(update.info.name)) throw twice(adapter, update.info.name)
    updates.set(update.info.name, update)
  }
  const biases = new Map(
    tensors.biases
      .map(({ module, stored }) => planBias(setting, module, stored))
      .map((update) => [update.info.name, update]),
  )
  return { base, updates, biases, whole }
}

/** A table stored with its adapter is loaded into the parameter that table and head share. */
function followTable({ tied, config }: Setting, parted: boolean, whole: Map<string, Whole>): void {
  const table = tied === undefined ? undefined : whole.get(tied.embedding)
  if (tied === undefined || table === undefined || !parted || whole.has(tied.head)) return
  if (!config.isSaved(tied.embedding)) whole.set(tied.head, { ...table, info: { ...table.info, name: tied.head } })
}

function planBias({ base, adapter, config, match }: Setting, module: string, stored: string): BiasUpdate {
  const place = `${adapter.name}: ${stored}`
  const name = one(match(`${module}.bias`), base, place)
  const [info, change] = [base.info(name)!, adapter.info(stored)!]
  if (info.shape.join() !== change.shape.join())
    throw fault('tensor.shape', {
      place,
      what: 'the bias does not fit the base',
      seen: change.shape,
      wanted: info.shape,
    })
  return {
    info: { ...info, dtype: 'F32', byteLength: 4 * elementCount(info.shape) },
    storedType: info.dtype,
    change: stored,
    scale: config.scale(module),
  }
}

/**
 * modules_to_save, biases and resized embeddings take the base's place; only modules_to_save may bring new tensors,
 * such as a head.
 */
function planWhole({ base, adapter, config, match }: Setting, name: string, stored: string): Whole {
  const place = `${adapter.name}: ${stored}`
  const info = adapter.info(stored)!
  const found = match(name)
  const saved = config.isSaved(name)
  if (found.length === 0 && saved) return { info: { ...info, name }, stored }
  const target = one(found, base, place)
  if (!saved && name.endsWith('.bias') && config.bias === 'none')
    throw fault('config.value', { place, what: 'the adapter holds a bias, but its config says bias none' })
  const { shape } = base.info(target)!
  // Rows may differ: an embedding or head of another vocabulary or label count.
  if (info.shape.length !== shape.length || info.shape.some((size, axis) => axis > 0 && size !== shape[axis])) {
    throw fault('tensor.shape', {
      place,
      what: 'the trained tensor does not fit the base',
      seen: info.shape,
      wanted: shape,
    })
  }
  return { info: { ...info, name: target }, stored }
}

function planUpdate(
  { tied, base, adapter, config, match }: Setting,
  { module, a, b, embedding }: LowRankPair,
  whole: ReadonlyMap<string, Whole>,
): Update {
  const place = `${adapter.name}: ${module}`
  const found = match(`${module}.weight`)
  if (!config.isTarget(module) && !(config.ensuresTie && found[0] === tied?.head))
    throw fault('tensor.missing', { place, what: 'the module is adapted but not among target_modules' })
  const name = one(found, base, place)
  // A resized embedding is saved whole alongside its adapter.
  const weight = whole.get(name)?.info ?? base.info(name)!
  const [down, up] = [adapter.info(a)!, adapter.info(b)!]
  for (const { dtype, name } of [weight, down, up]) {
    if (!floats.has(dtype))
      throw fault('tensor.dtype', {
        place: `${place}: ${name}`,
        what: 'LoRA needs floating point weights',
        seen: dtype,
        wanted: [...floats].join(', '),
      })
  }
  const [rank, columns, rows] = [down.shape[0] ?? 0, down.shape[1] ?? 0, up.shape[0] ?? 0]
  const fits = [weight, down, up].every(({ shape }) => shape.length === 2) && up.shape[1] === rank && rank > 0
  const straight = fits && !embedding && weight.shape[0] === rows && weight.shape[1] === columns
  const turned = fits && weight.shape[0] === columns && weight.shape[1] === rows
  if (!straight && !turned)
    throw fault('tensor.shape', {
      place,
      what: 'the adapter does not fit the weight',
      seen: { A: down.shape, B: up.shape },
      wanted: weight.shape,
    })
  if (rank !== config.rank(module))
    throw fault('tensor.shape', {
      place,
      what: 'the rank differs from the adapter config',
      seen: rank,
      wanted: config.rank(module),
    })
  return {
    info: { name, dtype: 'F32', shape: weight.shape, byteLength: rows * columns * 4 },
    storedType: weight.dtype,
    a,
    b,
    rank,
    scale: config.scale(module),
    transposed: straight && turned ? config.fanInFanOut : turned,
  }
}

function one(found: readonly string[], base: TensorSource, place: string): string {
  const [name, second] = found
  if (name !== undefined && second === undefined) return name
  throw fault('tensor.missing', {
    place,
    what:
      name === undefined
        ? 'adapted tensor matches nothing in the base model'
        : 'adapted tensor matches several of the base model',
    seen: found.slice(0, 4).join(', ') || undefined,
    hint: `is ${base.name} the model the adapter was trained on?`,
  })
}

function twice(adapter: TensorSource, name: string): Error {
  return fault('tensor.missing', { place: adapter.name, what: `two adapted tensors fit ${name}` })
}

const floats = new Set<Dtype>(['F64', 'F32', 'F16', 'BF16'])
