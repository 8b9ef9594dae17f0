/**
 * A PEFT LoRA adapter over a base model: W' = W + scale · B·A (Hu et al. 2021, https://arxiv.org/abs/2106.09685),
 * tensor by tensor when it is read.
 */
import { fingerprint, type TensorSource } from '#core'
import { addProduct } from './add-product.ts'
import { type AdapterSettings, type BiasUpdate, planLora, type Update } from './lora-plan.ts'
import { readFloat32, widen, missingTensor } from '#files/formats'

/**
 * The base with the adapter merged in: adapted tensors become F32, fully trained ones replace or join the base's, all
 * others pass through with their location.
 * Over a base that ties head and token table, only what the adapter names changes, as in PEFT's live model: the other
 * of the two stays, and a head that parts from the table is a tensor of its own.
 * Nothing is computed here; closing closes both sources.
 * Faults: `config.value`, `config.unsupported` (other PEFT methods), `tensor.missing` (a tensor that fits nothing in
 * the base, or fits twice), `tensor.shape`, `tensor.dtype`.
 */
export function applyLora(given: TensorSource, adapter: TensorSource, settings: AdapterSettings): TensorSource {
  const { base, updates, biases, whole } = planLora(given, adapter, settings)
  const names = [...base.names(), ...[...whole.keys()].filter((name) => !base.info(name))]
  const source = `${base.name}+${adapter.name}`

  /** As stored, before B·A is added. */
  const stored = (name: string): Promise<Uint8Array> => {
    const trained = whole.get(name)
    if (trained) return adapter.read(trained.stored)
    if (!base.info(name)) throw missingTensor(source, name)
    return base.read(name)
  }

  return {
    name: source,
    names: () => names,
    info: (name) => updates.get(name)?.info ?? biases.get(name)?.info ?? whole.get(name)?.info ?? base.info(name),
    async read(name) {
      const [update, bias] = [updates.get(name), biases.get(name)]
      if (bias) return addBias(await stored(name), adapter, bias)
      return update ? merge(await stored(name), adapter, update) : stored(name)
    },
    locate(name) {
      const trained = whole.get(name)
      if (updates.has(name) || biases.has(name)) return undefined
      return trained ? adapter.locate(trained.stored) : base.locate(name)
    },
    async identity() {
      const changes = [
        ...Array.from(updates.values(), ({ info, scale, transposed }) => [info.name, scale, transposed]),
        ...Array.from(biases.values(), ({ info, scale }) => [info.name, scale]),
      ]
      return fingerprint({
        base: await base.identity(),
        adapter: await adapter.identity(),
        changes,
        whole: [...whole.keys()],
        ...(base === given ? {} : { parted: settings.tied?.head }),
      })
    },
    async close() {
      await Promise.all([base.close(), adapter.close()])
    },
  }
}

async function addBias(
  bytes: Uint8Array,
  adapter: TensorSource,
  { storedType, change, scale }: BiasUpdate,
): Promise<Uint8Array> {
  const added = await readFloat32(adapter, change)
  return new Uint8Array(widen(bytes, storedType).map((value, i) => value + scale * added[i]!).buffer)
}

async function merge(
  bytes: Uint8Array,
  adapter: TensorSource,
  { info, storedType, a, b, rank, scale, transposed }: Update,
): Promise<Uint8Array> {
  const [down, up] = [await readFloat32(adapter, a), await readFloat32(adapter, b)]
  const [rows, columns] = info.shape as [number, number]
  // Both forms are W[row, column] += scale · Σ_k left[row, k] · right[k, column].
  const left = transposed ? transpose(down, rank, rows) : up
  const right = transposed ? transpose(up, columns, rank) : down
  return new Uint8Array(addProduct(widen(bytes, storedType), left, right, { rows, columns, rank, scale }).buffer)
}

function transpose(values: Float32Array, rows: number, columns: number): Float32Array {
  const out = new Float32Array(values.length)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) out[column * rows + row] = values[row * columns + column]!
  return out
}
