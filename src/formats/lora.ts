/** A PEFT LoRA adapter over a base model: W' = W + scale · B·A (Hu et al. 2021, https://arxiv.org/abs/2106.09685), tensor by tensor when it is read. */
import { fault, fingerprint, type TensorInfo, type TensorSource } from '../core/index.ts'
import { readAdapter, type LowRankPair } from './adapter-tensors.ts'
import { matchNames } from './match-names.ts'
import { readFloat32 } from './numbers.ts'
import { readLoraConfig, type LoraConfig } from './peft-config.ts'
import { missingTensor } from './view-source.ts'

/**
 * The base with the adapter merged in: adapted tensors become F32, fully trained ones replace or join the base's, all others pass through with their location.
 * Nothing is computed here; closing closes both sources. `config` is the parsed adapter_config.json, `place` its name for messages.
 * Faults: `config.value`, `config.unsupported` (other PEFT methods), `tensor.missing` (a tensor that fits nothing in the base, or fits twice), `tensor.shape`, `tensor.dtype`.
 */
export function applyLora(base: TensorSource, adapter: TensorSource, config: unknown, place: string): TensorSource {
  const settings = readLoraConfig(config, place)
  const { pairs, whole } = readAdapter(adapter)
  const match = matchNames(base.names())
  const updates = new Map<string, Update>()
  const replaced = new Map<string, TensorInfo>()
  for (const pair of pairs) {
    const update = planUpdate(base, adapter, pair, match, settings)
    if (updates.has(update.info.name)) throw fault('tensor.missing', { place: adapter.name, what: `two adapted modules fit ${update.info.name}` })
    updates.set(update.info.name, update)
  }
  const sourceNames = new Map<string, string>()
  for (const { name, stored } of whole) {
    const target = planReplacement(base, adapter, name, stored, match, settings)
    if (replaced.has(target.name) || updates.has(target.name)) throw fault('tensor.missing', { place: adapter.name, what: `${target.name} is given twice` })
    replaced.set(target.name, target)
    sourceNames.set(target.name, stored)
  }
  const added = [...replaced.keys()].filter((name) => !base.info(name))
  const names = [...base.names(), ...added]
  return {
    name: `${base.name}+${adapter.name}`,
    names: () => names,
    info: (name) => updates.get(name)?.info ?? replaced.get(name) ?? base.info(name),
    async read(name) {
      const update = updates.get(name)
      if (update) return merge(base, adapter, update)
      const stored = sourceNames.get(name)
      if (stored === undefined && !base.info(name)) throw missingTensor(`${base.name}+${adapter.name}`, name)
      return stored === undefined ? base.read(name) : adapter.read(stored)
    },
    locate(name) {
      const stored = sourceNames.get(name)
      return updates.has(name) ? undefined : stored === undefined ? base.locate(name) : adapter.locate(stored)
    },
    async identity() {
      const changes = Array.from(updates.values(), ({ info, scale, transposed }) => [info.name, scale, transposed])
      return fingerprint({ base: await base.identity(), adapter: await adapter.identity(), changes, replaced: [...sourceNames] })
    },
    async close() {
      await Promise.all([base.close(), adapter.close()])
    },
  }
}

interface Update {
  readonly info: TensorInfo
  /** Names in the adapter. A: [r × in], B: [out × r]. */
  readonly a: string
  readonly b: string
  readonly rank: number
  readonly scale: number
  /** The weight lies as [in × out]: Conv1D of GPT-2, and embeddings [tokens × width]. */
  readonly transposed: boolean
}

function planUpdate(base: TensorSource, adapter: TensorSource, pair: LowRankPair, match: (name: string) => string[], settings: LoraConfig): Update {
  const place = `${adapter.name}: ${pair.module}`
  if (!settings.isTarget(pair.module)) throw fault('tensor.missing', { place, what: 'module is adapted but not among target_modules' })
  const name = one(match(`${pair.module}.weight`), base, place)
  const [weight, a, b] = [base.info(name)!, adapter.info(pair.a)!, adapter.info(pair.b)!]
  for (const { dtype, name } of [weight, a, b]) {
    if (!floats.has(dtype))
      throw fault('tensor.dtype', { place: `${place}: ${name}`, what: 'LoRA needs floating point weights', seen: dtype, wanted: [...floats].join(', ') })
  }
  const [rank, columns, rows] = [a.shape[0] ?? 0, a.shape[1] ?? 0, b.shape[0] ?? 0]
  const fits = [weight, a, b].every(({ shape }) => shape.length === 2) && b.shape[1] === rank && rank > 0
  const straight = fits && !pair.embedding && weight.shape[0] === rows && weight.shape[1] === columns
  const turned = fits && weight.shape[0] === columns && weight.shape[1] === rows
  if (!straight && !turned)
    throw fault('tensor.shape', { place, what: 'adapter does not fit the weight', seen: { A: a.shape, B: b.shape }, wanted: weight.shape })
  if (rank !== settings.rank(pair.module))
    throw fault('tensor.shape', { place, what: 'rank differs from the adapter config', seen: rank, wanted: settings.rank(pair.module) })
  return {
    info: { name, dtype: 'F32', shape: weight.shape, byteLength: rows * columns * 4 },
    a: pair.a,
    b: pair.b,
    rank,
    scale: settings.scale(pair.module),
    transposed: straight && turned ? settings.fanInFanOut : turned,
  }
}

/** Tensors trained whole (modules_to_save, biases, resized embeddings) take the base's place; only modules_to_save may bring new ones, such as a head. */
function planReplacement(
  base: TensorSource,
  adapter: TensorSource,
  name: string,
  stored: string,
  match: (name: string) => string[],
  settings: LoraConfig,
): TensorInfo {
  const place = `${adapter.name}: ${stored}`
  const info = adapter.info(stored)!
  const found = match(name)
  const saved = settings.isSaved(name.slice(0, Math.max(0, name.lastIndexOf('.'))))
  if (found.length === 0 && saved) return { ...info, name }
  const target = one(found, base, place)
  if (!saved && name.endsWith('.bias') && settings.bias === 'none')
    throw fault('config.value', { place, what: 'adapter holds a bias, its config says bias none' })
  const shape = base.info(target)!.shape
  // Rows may differ: an embedding or head of another vocabulary or label count.
  if (info.shape.length !== shape.length || info.shape.some((size, axis) => axis > 0 && size !== shape[axis])) {
    throw fault('tensor.shape', { place, what: 'trained tensor does not fit the base', seen: info.shape, wanted: shape })
  }
  return { ...info, name: target }
}

function one(found: readonly string[], base: TensorSource, place: string): string {
  const [name, second] = found
  if (name !== undefined && second === undefined) return name
  throw fault('tensor.missing', {
    place,
    what: name === undefined ? 'adapted tensor matches nothing in the base model' : 'adapted tensor matches several of the base model',
    seen: found.slice(0, 4).join(', ') || undefined,
    hint: `is ${base.name} the model the adapter was trained on?`,
  })
}

const floats = new Set<string>(['F64', 'F32', 'F16', 'BF16'])

async function merge(base: TensorSource, adapter: TensorSource, { info, a, b, rank, scale, transposed }: Update): Promise<Uint8Array> {
  const [weight, down, up] = [await readFloat32(base, info.name), await readFloat32(adapter, a), await readFloat32(adapter, b)]
  const [rows, columns] = info.shape as [number, number]
  // Both forms are W[row, column] += scale · Σ_k left[row, k] · right[k, column].
  const left = transposed ? transpose(down, rank, rows) : up
  const right = transposed ? transpose(up, columns, rank) : down
  const out = new Float32Array(rows * columns)
  const sum = new Float64Array(columns)
  for (let row = 0; row < rows; row++) {
    sum.set(weight.subarray(row * columns, (row + 1) * columns))
    for (let k = 0; k < rank; k++) {
      const factor = scale * left[row * rank + k]!
      for (let column = 0; column < columns; column++) sum[column]! += factor * right[k * columns + column]!
    }
    out.set(sum, row * columns)
  }
  return new Uint8Array(out.buffer)
}

function transpose(values: Float32Array, rows: number, columns: number): Float32Array {
  const out = new Float32Array(values.length)
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) out[column * rows + row] = values[row * columns + column]!
  return out
}
