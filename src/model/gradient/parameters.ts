/** Tensors of a checkpoint as float64 parameters, found under the names that it gives them. */
import { fault, type TensorSource } from '#core'
import { type ModelSpec, type Slot, slotSpellings } from '#model/architectures'
import { missingTensor, widen64 } from '#files/formats'

/** A tensor of the checkpoint: its name there, and its values row by row. */
export interface Parameter {
  readonly name: string
  readonly rows: number
  readonly width: number
  /** [rows × width]; a vector has one row. */
  readonly data: Float64Array
}

/** x · weightᵀ + bias, with weight [outputs × inputs]. */
export interface Linear {
  readonly weight: Parameter
  readonly bias: Parameter | undefined
}

interface Place {
  /** Number of the block. */
  readonly i?: number
  readonly part?: 'weight' | 'bias'
}

/** Each throws `tensor.missing`, and `tensor.shape` where a tensor has another shape than the config says. */
export interface ParameterReader {
  /** [width] */
  vector(slot: Slot, width: number, place?: Place): Promise<Parameter>
  /** [rows × width] */
  matrix(slot: Slot, rows: number, width: number, place?: Place): Promise<Parameter>
  linear(
    slot: Slot,
    outputs: number,
    inputs: number,
    options?: { readonly i?: number; readonly bias?: boolean },
  ): Promise<Linear>
}

export function parameterReader(spec: Pick<ModelSpec, 'tensors'>, tensors: TensorSource): ParameterReader {
  const { spellings } = slotSpellings(spec.tensors, tensors.names())
  const read = (slot: Slot, shape: readonly number[], { i = 0, part = 'weight' }: Place = {}): Promise<Parameter> => {
    const names = spellings(slot, { i }, part)
    const name = names.find((one) => tensors.info(one) !== undefined)
    if (name === undefined) throw missingTensor(tensors.name, names[0] ?? slot)
    return readParameter(tensors, name, shape)
  }
  return {
    vector: async (slot, width, place) => read(slot, [width], place),
    matrix: async (slot, rows, width, place) => read(slot, [rows, width], place),
    linear: async (slot, outputs, inputs, { i = 0, bias = true } = {}) => ({
      weight: await read(slot, [outputs, inputs], { i }),
      bias: bias ? await read(slot, [outputs], { i, part: 'bias' }) : undefined,
    }),
  }
}

async function readParameter(tensors: TensorSource, name: string, shape: readonly number[]): Promise<Parameter> {
  const info = tensors.info(name)
  if (info === undefined) throw missingTensor(tensors.name, name)
  if (info.shape.length !== shape.length || info.shape.some((size, k) => size !== shape[k]))
    throw fault('tensor.shape', {
      place: `${tensors.name}: ${name}`,
      what: 'does not fit config.json',
      seen: info.shape,
      wanted: shape,
    })
  const [rows, width] = shape.length === 1 ? [1, shape[0] ?? 0] : [shape[0] ?? 0, shape[1] ?? 0]
  return { name, rows, width, data: widen64(await tensors.read(name), info.dtype) }
}
