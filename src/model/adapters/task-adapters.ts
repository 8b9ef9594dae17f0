/**
 * LoRA adapters that a checkpoint holds for kinds of task, all in one file (jina-embeddings-v3,
 * https://arxiv.org/abs/2409.10173; its code is `LoRAParametrization` of jinaai/xlm-roberta-flash-implementation).
 */
import { elementCount, fault, fingerprint, type TensorInfo, type TensorSource } from '#core'
import { isObject, missingTensor, optionalObjectOf, readFloat32, widen, wrongField } from '#files/formats'
import { addProduct } from './add-product.ts'

/** The adapters of a checkpoint, as its config.json names and scales them. */
export interface TaskAdapters {
  /** In the order of the tensors' first dimension. */
  readonly names: readonly string[]
  readonly rank: number
  readonly alpha: number
  /** Text in front of every text that an adapter reads, where the config has one. */
  readonly instructions: Readonly<Record<string, string>>
}

const stored = '.parametrizations.weight.original'
const factor = /\.parametrizations\.weight\.0\.lora_[AB]$/

/**
 * Undefined for a checkpoint that holds none, whatever its config says. Throws `config.value` for a config that does
 * not name and scale the adapters of its tensors.
 */
export function readTaskAdapters(config: unknown, tensors: TensorSource, place: string): TaskAdapters | undefined {
  if (!isObject(config) || !tensors.names().some((name) => factor.test(name))) return undefined
  const names = config['lora_adaptations']
  if (!isNames(names)) throw wrongField(place, 'lora_adaptations', names, 'names of the adapters, each once')
  const instructions = optionalObjectOf({ place, fields: config }, 'task_instructions')?.fields ?? {}
  for (const [name, text] of Object.entries(instructions))
    if (typeof text !== 'string') throw wrongField(`${place} › task_instructions`, name, text, 'a text')
  return {
    names,
    rank: positive(config, 'lora_rank', 4, place),
    alpha: positive(config, 'lora_alpha', 1, place),
    instructions: instructions as Record<string, string>,
  }
}

function isNames(names: unknown): names is readonly string[] {
  return (
    Array.isArray(names) &&
    names.length > 0 &&
    names.every((name) => typeof name === 'string' && name !== '') &&
    new Set(names).size === names.length
  )
}

function positive(config: Record<string, unknown>, name: string, usual: number, place: string): number {
  const value = config[name] ?? usual
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
    throw wrongField(place, name, value, 'a number above 0')
  return value
}

/** One weight and the factors of its adapters. */
interface Adapted {
  readonly info: TensorInfo
  readonly weight: TensorInfo
  /** Names of the factors whose product, the first one on the left, is added to [rows × columns]. */
  readonly left: string
  readonly right: string
}

/**
 * The checkpoint as one of its adapters has it: W + alpha / rank · B·A for matrices, and · A·B for tables, each in F32
 * under its own name. The factors themselves are hidden. Nothing is read before a tensor is; closing does nothing, as
 * several adapters share the source. Throws `tensor.missing`, `tensor.shape`.
 */
export function withTaskAdapter(
  base: TensorSource,
  { names: adapters, rank, alpha }: TaskAdapters,
  adapter: string,
): TensorSource {
  const index = adapters.indexOf(adapter)
  const adapted = new Map(
    base
      .names()
      .filter((name) => name.endsWith(stored))
      .map((name) => [name, planAdapted(base, name, { count: adapters.length, rank })]),
  )
  const names = base.names().filter((name) => !factor.test(name))
  const known = new Set(names)
  return {
    name: `${base.name} › ${adapter}`,
    names: () => names,
    info: (name) => adapted.get(name)?.info ?? (known.has(name) ? base.info(name) : undefined),
    async read(name) {
      const one = adapted.get(name)
      if (!known.has(name)) throw missingTensor(base.name, name)
      if (one === undefined) return base.read(name)
      const [rows = 0, columns = 0] = one.info.shape
      const part = async (factors: string, size: number): Promise<Float32Array> =>
        (await readFloat32(base, factors)).subarray(index * size, (index + 1) * size)
      const weight = widen(await base.read(name), one.weight.dtype)
      const [left, right] = [await part(one.left, rows * rank), await part(one.right, rank * columns)]
      return new Uint8Array(addProduct(weight, left, right, { rows, columns, rank, scale: alpha / rank }).buffer)
    },
    locate: (name) => (known.has(name) && !adapted.has(name) ? base.locate(name) : undefined),
    identity: async () => fingerprint({ adapted: await base.identity(), index, rank, alpha }),
    close: () => Promise.resolve(),
  }
}

function planAdapted(
  base: TensorSource,
  name: string,
  { count, rank }: { readonly count: number; readonly rank: number },
): Adapted {
  const module = name.slice(0, -stored.length)
  const [weight, a, b] = [name, ...['A', 'B'].map((side) => `${module}.parametrizations.weight.0.lora_${side}`)].map(
    (part) => {
      const info = base.info(part)
      if (info === undefined)
        throw fault('tensor.missing', { place: `${base.name}: ${module}`, what: `adapted, but there is no ${part}` })
      return info
    },
  ) as [TensorInfo, TensorInfo, TensorInfo]
  const [rows = 0, columns = 0] = weight.shape
  const has = (info: TensorInfo, ...shape: number[]): boolean => info.shape.join() === [count, ...shape].join()
  const isMatrix = has(a, rank, columns) && has(b, rows, rank)
  const isTable = has(a, rows, rank) && has(b, rank, columns)
  if (weight.shape.length !== 2 || (!isMatrix && !isTable))
    throw fault('tensor.shape', {
      place: `${base.name}: ${module}`,
      what: 'the adapters do not fit the weight',
      seen: { A: a.shape, B: b.shape },
      wanted: `${count} adapters of rank ${rank} for ${weight.shape.join(' × ')}`,
    })
  const info: TensorInfo = { name, dtype: 'F32', shape: weight.shape, byteLength: 4 * elementCount(weight.shape) }
  const [left, right] = isMatrix ? [b.name, a.name] : [a.name, b.name]
  return { info, weight, left, right }
}
