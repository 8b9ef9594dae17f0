/** A GGUF file → tensors under the family's names, and the files that a folder of the model would have. */
import { fault, type TensorSource } from '#core'
import { type Gguf, missingTensor } from '#files/formats'
import { type Architecture, architectures, type GgufFacts, type Sizes } from './architectures.ts'
import { type Metadata, readMetadata } from './metadata.ts'
import { renamedSource } from './renamed-source.ts'
import { longFactors, scalingOfFactors } from './rotary-factors.ts'
import { tokenizerFiles } from './tokenizer-files.ts'

export interface GgufModel {
  readonly tensors: TensorSource
  /** Text by path: config.json, tokenizer.json, … */
  readonly texts: ReadonlyMap<string, string>
  readonly notices: readonly string[]
}

/**
 * Reads small tensors only: factors of rotary positions. Throws `config.family` for an architecture that is not read,
 * `config.unsupported` for metadata and tensors that have no place in it, `config.value`, `tensor.missing`.
 */
export async function ggufModel({ metadata: pairs, tensors }: Gguf): Promise<GgufModel> {
  const place = tensors.name
  const metadata = readMetadata(pairs, place)
  const name = metadata.text('general.architecture')
  const architecture = Object.hasOwn(architectures, name) ? architectures[name] : undefined
  if (architecture === undefined)
    throw fault('config.family', {
      place: `${place} › general.architecture`,
      what: 'GGUF files of this architecture are not read',
      seen: name,
      wanted: Object.keys(architectures).join(', '),
      hint: 'take the checkpoint that it was made from',
    })
  refuseParts(metadata)
  const sizes = readSizes(metadata, name, tensors)
  const asked: GgufFacts = {
    metadata,
    key: (rest) => `${name}.${rest}`,
    sizes,
    hasTensor: (tensor) => tensors.info(tensor) !== undefined,
  }
  const config = {
    model_type: architecture.modelType,
    architectures: [architecture.className],
    ...architecture.config(asked),
    ...(await rotaryTensors(asked, tensors)),
    ...tokenIds(metadata),
  }
  const pooling = poolingFiles(metadata, name, sizes.width)
  const texts = new Map([
    ['config.json', JSON.stringify(config)],
    ...tokenizerFiles(metadata, architecture.modelType),
    ...pooling,
  ])
  refuseUnread(metadata, name)
  return { tensors: renamedSource(tensors, architecture, sizes), texts, notices: noticesOf(architecture, metadata) }
}

function refuseParts(metadata: Metadata): void {
  const parts = metadata.optionalCount('split.count') ?? 1
  if (parts > 1)
    throw fault('config.unsupported', {
      place: `${metadata.place} › split.count`,
      what: 'a file in several parts is not read',
      seen: parts,
      hint: 'join them with llama-gguf-split --merge',
    })
  if (metadata.optionalText('general.type') === 'adapter')
    throw fault('config.unsupported', { place: metadata.place, what: 'an adapter, not a model' })
}

function readSizes(metadata: Metadata, name: string, tensors: TensorSource): Sizes {
  const table = tensors.info('token_embd.weight')
  if (table === undefined) throw missingTensor(tensors.name, 'token_embd.weight')
  const [width, heads] = [metadata.count(`${name}.embedding_length`), metadata.count(`${name}.attention.head_count`)]
  const rotated = metadata.optionalCount(`${name}.rope.dimension_count`)
  const headWidth = metadata.optionalCount(`${name}.attention.key_length`) ?? width / heads
  const valueWidth = metadata.optionalCount(`${name}.attention.value_length`) ?? headWidth
  if (valueWidth !== headWidth)
    throw unsupported(metadata, `${name}.attention.value_length`, 'values of another width than keys', valueWidth)
  if (rotated !== undefined && rotated !== headWidth && name !== 'phi3')
    throw unsupported(metadata, `${name}.rope.dimension_count`, 'positions on a part of each head', rotated)
  if (table.shape.length !== 2 || table.shape[1] !== width || width % heads !== 0 || heads === 0)
    throw fault('tensor.shape', {
      place: `${tensors.name}: token_embd.weight`,
      what: 'the token table does not fit the metadata',
      seen: table.shape,
      wanted: ['vocabulary', width],
    })
  return {
    vocabulary: table.shape[0] ?? 0,
    layers: metadata.count(`${name}.block_count`),
    width,
    heads,
    keyHeads: metadata.optionalCount(`${name}.attention.head_count_kv`) ?? heads,
    headWidth,
  }
}

function unsupported(metadata: Metadata, key: string, what: string, seen: unknown): Error {
  return fault('config.unsupported', { place: `${metadata.place} › ${key}`, what: `${what}: not read`, seen })
}

/** Factors of rotary positions that lie in tensors of their own. */
async function rotaryTensors(asked: GgufFacts, tensors: TensorSource): Promise<Readonly<Record<string, unknown>>> {
  if (asked.hasTensor('rope_freqs.weight')) return { rope_scaling: await scalingOfFactors(asked, tensors) }
  return asked.hasTensor('rope_factors_long.weight') ? { rope_scaling: await longFactors(asked, tensors) } : {}
}

function tokenIds(metadata: Metadata): Readonly<Record<string, number>> {
  const ids = [
    ['bos_token_id', 'bos_token_id'],
    ['eos_token_id', 'eos_token_id'],
    ['pad_token_id', 'padding_token_id'],
  ] as const
  return Object.fromEntries(
    ids.flatMap(([key, stored]) => {
      const id = metadata.optionalCount(`tokenizer.ggml.${stored}`)
      return id === undefined ? [] : [[key, id]]
    }),
  )
}

/** llama.cpp's numbers: 0 none, 1 mean, 2 the first token, 3 the last; 4 is a reranker's. */
const poolings = new Map([
  [1, 'pooling_mode_mean_tokens'],
  [2, 'pooling_mode_cls_token'],
  [3, 'pooling_mode_lasttoken'],
])

function poolingFiles(metadata: Metadata, name: string, width: number): [string, string][] {
  const type = metadata.optionalCount(`${name}.pooling_type`)
  if (type === undefined || type === 0) return []
  const mode = poolings.get(type)
  if (mode === undefined) throw unsupported(metadata, `${name}.pooling_type`, 'this pooling', type)
  const modules = ['Transformer', 'Pooling'].map((module, idx) => ({
    idx,
    name: String(idx),
    path: idx === 0 ? '' : `${idx}_${module}`,
    type: `sentence_transformers.models.${module}`,
  }))
  const flags = Object.fromEntries([...poolings.values()].map((flag) => [flag, flag === mode]))
  return [
    ['modules.json', JSON.stringify(modules)],
    ['1_Pooling/config.json', JSON.stringify({ word_embedding_dimension: width, ...flags })],
  ]
}

/** Keys that say nothing of arithmetic. */
const harmless = new Set(['vocab_size', 'tensor_data_layout', 'expert_count', 'expert_used_count', 'attention.causal'])

/** A key of the architecture that nobody has read may change arithmetic. */
function refuseUnread(metadata: Metadata, name: string): void {
  const experts = metadata.optionalCount(`${name}.expert_count`) ?? 0
  if (experts > 0) throw unsupported(metadata, `${name}.expert_count`, 'a mixture of experts', experts)
  const [key] = metadata.unread(`${name}.`).filter((one) => !harmless.has(one.slice(name.length + 1)))
  if (key !== undefined) throw unsupported(metadata, key, 'a key of the architecture', key)
}

function noticesOf({ modelType }: Architecture, metadata: Metadata): string[] {
  return modelType === 'bert'
    ? [`${metadata.place}: whether words are lower-cased is not in the file; its vocabulary decides`]
    : []
}
