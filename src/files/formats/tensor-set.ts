/** The weights of a repository: one file, or shards with an index. */
import { posix } from 'node:path'
import { fault, fingerprint, type RepoFiles, type TensorSource } from '#core'
import { parseJson } from './json.ts'
import { isObject } from './json-fields.ts'
import { MAX_SHARDS } from './limits.ts'
import { openTensors } from './open-tensors.ts'
import { missingTensor } from './view-source.ts'

export interface TensorSetOptions {
  /** A file of the repository to read instead of the usual names: weights, or an index (`….index.json`). */
  weights?: string | undefined
}

/**
 * Opens the tensors of a repository: `model.safetensors`, its index, `pytorch_model.bin`, its index – the first that is
 * there, as transformers chooses. Throws `file.missing` (no weights, or no shard of that name), `file.outside` (a
 * shard's name leaves the folder), `tensor.missing` (index and shard disagree), `format.*`.
 *
 * @example
 * ```ts
 * import { openRepo } from 'strata-lm'
 * import { openTensorSet } from 'strata-lm/formats'
 *
 * const tensors = await openTensorSet(await openRepo('assets/models/stories260K'))
 * console.log(tensors.names().length) // → 47
 * await tensors.close()
 * ```
 */
export async function openTensorSet(files: RepoFiles, { weights }: TensorSetOptions = {}): Promise<TensorSource> {
  const wanted = weights === undefined ? usualNames : [weights]
  for (const name of wanted) {
    if (!(await files.has(name))) continue
    return isIndex.test(name) ? openShards(files, name) : openFile(files, name)
  }
  throw await noWeights(files, wanted)
}

/** `model.safetensors.index.json`, and `model.safetensors.index.fp16.json` of a variant. */
const isIndex = /\.index(?:\.[^/]+)?\.json$/

const usualNames = [
  'model.safetensors',
  'model.safetensors.index.json',
  'pytorch_model.bin',
  'pytorch_model.bin.index.json',
]

async function openFile(files: RepoFiles, path: string): Promise<TensorSource> {
  return openTensors(await files.local(path), { name: `${files.name}/${path}` })
}

async function openShards(files: RepoFiles, indexPath: string): Promise<TensorSource> {
  const place = `${files.name}/${indexPath}`
  const weightMap = readWeightMap(await files.text(indexPath), place)
  const shardNames = [...new Set(weightMap.values())].sort()
  if (shardNames.length > MAX_SHARDS)
    throw fault('format.limit', {
      place,
      what: 'too many shards',
      seen: shardNames.length,
      wanted: `at most ${MAX_SHARDS}`,
    })
  const folder = posix.dirname(indexPath)
  const paths = new Map(shardNames.map((shard) => [shard, posix.join(folder, checkShardName(shard, place))]))
  for (const [shard, path] of paths) {
    if (!(await files.has(path)))
      throw fault('file.missing', {
        place,
        what: `shard ${shard} is not there`,
        hint: 'download the repository completely',
      })
  }
  const shards = new Map<string, TensorSource>()
  try {
    for (const [shard, path] of paths) shards.set(shard, await openFile(files, path))
    for (const [tensor, shard] of weightMap) {
      if (!shards.get(shard)?.info(tensor))
        throw fault('tensor.missing', {
          place,
          what: `shard ${shard} has no tensor ${tensor}`,
          hint: 'index and shards are of different versions',
        })
    }
    return shardedSource(files.name, weightMap, shards)
  } catch (error) {
    await closeAll(shards)
    throw error
  }
}

/** Tensor name → shard name. */
function readWeightMap(text: string, place: string): Map<string, string> {
  const index = parseJson(text, place)
  const weightMap: unknown = isObject(index) ? index['weight_map'] : undefined
  if (!isObject(weightMap))
    throw fault('format.json', {
      place,
      what: 'weight_map must be an object of shard names',
      seen: Array.isArray(weightMap) ? 'an array' : typeof weightMap,
    })
  const map = new Map<string, string>()
  for (const [tensor, shard] of Object.entries(weightMap)) {
    if (typeof shard !== 'string')
      throw fault('format.json', {
        place: `${place}: weight_map`,
        what: `shard of ${tensor} is not a string`,
        seen: shard,
      })
    map.set(tensor, shard)
  }
  return map
}

/** A shard is a file in the index's folder or below it. */
function checkShardName(shard: string, place: string): string {
  const parts = shard.split('/')
  // A colon would make a URL or a drive, a backslash a path elsewhere; an empty part stands at the front of an absolute
  // path.
  const inside = !/[\\:\0]/.test(shard) && parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (!inside)
    throw fault('file.outside', {
      place: `${place}: weight_map`,
      what: 'shard is not a file inside the folder',
      seen: shard,
    })
  return shard
}

function shardedSource(
  name: string,
  weightMap: ReadonlyMap<string, string>,
  shards: ReadonlyMap<string, TensorSource>,
): TensorSource {
  const names = [...weightMap.keys()]
  const shardOf = (tensor: string): TensorSource | undefined => shards.get(weightMap.get(tensor) ?? '')
  return {
    name,
    names: () => names,
    info: (tensor) => shardOf(tensor)?.info(tensor),
    async read(tensor) {
      const shard = shardOf(tensor)
      if (!shard) throw missingTensor(name, tensor)
      return shard.read(tensor)
    },
    locate: (tensor) => shardOf(tensor)?.locate(tensor),
    async identity() {
      const parts: [string, string][] = []
      for (const [shard, source] of shards) parts.push([shard, await source.identity()])
      return fingerprint({ shards: parts, weightMap: [...weightMap] })
    },
    close: () => closeAll(shards),
  }
}

async function closeAll(shards: ReadonlyMap<string, TensorSource>): Promise<void> {
  await Promise.all([...shards.values()].map((source) => source.close()))
}

async function noWeights(files: RepoFiles, looked: readonly string[]): Promise<Error> {
  const others = (await files.list()).filter((path) =>
    /\.(h5|msgpack|gguf|onnx|ot|tflite|safetensors|bin|pt|pth)$/i.test(path),
  )
  return fault('file.missing', {
    place: files.name,
    what: 'no weights',
    wanted: looked.join(', '),
    ...(others.length > 0
      ? {
          hint: `found ${others.slice(0, 8).join(', ')}; safetensors and torch files can be chosen by name, the others are not read`,
        }
      : {}),
  })
}
