/** Where every output tensor will lie: shards as transformers packs them, known before a byte is computed. */
import { type Dtype, dtypeBytes, elementCount } from '#core'
import type { PlannedTensor } from './plan.ts'
import { roleByName } from '#model/architectures'

export interface PlacedTensor {
  readonly name: string
  readonly file: string
  /** From the start of the file. */
  readonly offset: number
  readonly byteLength: number
}

export interface Shard {
  readonly file: string
  readonly header: Uint8Array
  readonly byteLength: number
  readonly tensors: readonly PlacedTensor[]
}

export interface OutputLayout {
  readonly shards: readonly Shard[]
  /** `model.safetensors.index.json`; undefined for a single file. */
  readonly index: string | undefined
  readonly totalBytes: number
  readonly parameters: number
}

/** 5 GB, as transformers and mergekit cut by default; decimal bytes. */
export const defaultShardBytes = 5e9

type Sized = Pick<PlannedTensor, 'name' | 'shape' | 'dtype'>

/**
 * A shard is closed when the next tensor would take it over the limit; a tensor larger than the limit has one of its
 * own. 0 never cuts.
 */
export function layoutOf(tensors: readonly Sized[], maxShardBytes = defaultShardBytes): OutputLayout {
  const groups: Sized[][] = []
  let filled = Infinity
  for (const tensor of inOrder(tensors)) {
    const bytes = bytesOf(tensor)
    if (filled === Infinity || (maxShardBytes > 0 && filled + bytes > maxShardBytes)) {
      groups.push([])
      filled = 0
    }
    groups.at(-1)?.push(tensor)
    filled += bytes
  }
  const name = (k: number): string =>
    groups.length === 1
      ? 'model.safetensors'
      : `model-${String(k + 1).padStart(5, '0')}-of-${String(groups.length).padStart(5, '0')}.safetensors`
  const shards = groups.map((group, k) => shardOf(name(k), group))
  const totalBytes = tensors.reduce((sum, tensor) => sum + bytesOf(tensor), 0)
  const parameters = tensors.reduce((sum, { shape }) => sum + elementCount(shape), 0)
  return {
    shards,
    totalBytes,
    parameters,
    index: shards.length > 1 ? indexText(shards, totalBytes, parameters) : undefined,
  }
}

function bytesOf({ shape, dtype }: { readonly shape: readonly number[]; readonly dtype: Dtype }): number {
  return elementCount(shape) * dtypeBytes(dtype)
}

/**
 * Embeddings, then layers by number, then norm and heads; the rest is decided by names alone: files must not change
 * with Strata's knowledge of a family.
 */
function inOrder(tensors: readonly Sized[]): Sized[] {
  const ranks = { before: 0, within: 1, after: 2 }
  const rank = (name: string): number => ranks[roleByName(name).side]
  const numbers = new Intl.Collator('en', { numeric: true })
  return tensors.toSorted(
    (a, b) => rank(a.name) - rank(b.name) || numbers.compare(a.name, b.name) || (a.name < b.name ? -1 : 1),
  )
}

function shardOf(file: string, group: readonly Sized[]): Shard {
  const begins: number[] = []
  let at = 0
  for (const tensor of group) {
    begins.push(at)
    at += bytesOf(tensor)
  }
  // By hand: an object would move names like "0" to the front.
  const fields = group.map((tensor, i) => {
    const begin = begins[i] ?? 0
    return `${JSON.stringify(tensor.name)}:${JSON.stringify({ dtype: tensor.dtype, shape: tensor.shape, data_offsets: [begin, begin + bytesOf(tensor)] })}`
  })
  const json = Buffer.from(`{${['"__metadata__":{"format":"pt"}', ...fields].join(',')}}`)
  const length = Math.ceil(json.length / 8) * 8
  const header = Buffer.alloc(8 + length, ' ')
  header.writeBigUInt64LE(BigInt(length))
  json.copy(header, 8)
  return {
    file,
    header,
    byteLength: header.length + at,
    tensors: group.map((tensor, i) => ({
      name: tensor.name,
      file,
      offset: header.length + (begins[i] ?? 0),
      byteLength: bytesOf(tensor),
    })),
  }
}

function indexText(shards: readonly Shard[], totalBytes: number, parameters: number): string {
  const map = shards
    .flatMap(({ file, tensors }) => tensors.map(({ name }): [string, string] => [name, file]))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify({ metadata: { total_parameters: parameters, total_size: totalBytes }, weight_map: Object.fromEntries(map) }, undefined, 2)}\n`
}
