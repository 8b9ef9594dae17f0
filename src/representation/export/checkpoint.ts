/** The first blocks of a checkpoint as one of its own: config and tensors. */
import type { Dtype, TensorSource } from '#core'
import { type CutConfig, cutConfig, otherTowers, tensorRoles } from '#model/architectures'
import { floatsAs, storedAs } from './stored-as.ts'

export interface CutCheckpoint {
  readonly config: Readonly<Record<string, unknown>>
  readonly tensors: TensorSource
}

export interface CutOptions {
  readonly blocks: number
  readonly dtype: Dtype | undefined
  readonly place: string
}

/** Words of config.json for the types that weights are stored in. */
const torchTypes: Partial<Record<Dtype, string>> = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' }

/** Throws `config.unsupported` where the family's config cannot say it. */
export function cutCheckpoint(
  config: Readonly<Record<string, unknown>>,
  tensors: TensorSource,
  { blocks, dtype, place }: CutOptions,
): CutCheckpoint {
  const cut = cutConfig(config, blocks, place)
  const type = dtype === undefined ? undefined : torchTypes[dtype]
  return {
    config: type === undefined ? cut.config : withType(cut.config, type),
    tensors: storedAs(tensors, keptNames(tensors, cut), floatsAs(dtype)),
  }
}

/**
 * The tensors that remain: those of these blocks, and those of no block – heads and poolers too, which the model's
 * class asks for, though they were made for the last block. Where only a part of the checkpoint is read (the encoder of
 * T5) that part's tensors alone; towers next to the one that reads text stay whole. Buffers are computed anew by all who read checkpoints.
 */
function keptNames(tensors: TensorSource, { config, spec, encoderClass }: CutConfig): string[] {
  const names = tensors.names()
  const roleOf = tensorRoles(config, names)
  const isElsewhere = otherTowers(config, names)
  const indexes = new Set(spec.blocks.map(({ i }) => i))
  return names.filter((name) => {
    const { slot, kind, layer } = roleOf(name)
    if (kind === 'buffer') return false
    if (slot === undefined) return isElsewhere(name) || (layer === undefined && encoderClass === undefined)
    return !slot.startsWith('block.') || layer === undefined || indexes.has(layer.layer)
  })
}

/** Under the key that is there; `torch_dtype` has been `dtype` since transformers 4.56, which reads both. */
function withType(config: Readonly<Record<string, unknown>>, type: string): Readonly<Record<string, unknown>> {
  return { ...config, [Object.hasOwn(config, 'dtype') ? 'dtype' : 'torch_dtype']: type }
}
