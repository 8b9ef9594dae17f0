/** The table of a repository as it lies in memory, and the rows and weights of its tokens. */
import { type Dtype, fault, type TensorSource } from '#core'
import { readFloat32, widen64 } from '#files/formats'
import { type SummedTable, type SumKind, summedTable } from './sum-rows.ts'

export interface Table {
  readonly place: string
  readonly rows: number
  readonly width: number
  /** In the type of the file where it is int8, float16 or float32, otherwise as float32. */
  readonly summed: SummedTable
  /** Row of each token; undefined: token i has row i. */
  readonly mapping: Uint32Array | undefined
  /** Weight of each token. */
  readonly weights: Float32Array | undefined
  /** The table is float16, and model2vec computes in the precision of its table. */
  readonly half: boolean
}

/** Throws `tensor.shape`, `tensor.value`. */
export async function readTable(tensors: TensorSource, name: string): Promise<Table> {
  const place = `${tensors.name} › ${name}`
  const [rows, width, ...more] = tensors.info(name)?.shape ?? []
  if (rows === undefined || width === undefined || more.length > 0 || rows === 0 || width === 0) {
    throw fault('tensor.shape', {
      place,
      what: 'not a table',
      seen: tensors.info(name)?.shape,
      wanted: '[tokens, width]',
    })
  }
  const isTable = name === 'embeddings'
  const dtype = tensors.info(name)?.dtype
  const [mapping, weights] = [
    isTable ? await readMapping(tensors, rows) : undefined,
    isTable ? await readVector(tensors, 'weights') : undefined,
  ]
  const half = isTable && dtype === 'F16' && weights === undefined
  const kind = half ? 'halves' : kindOfSums(dtype, weights !== undefined)
  const summed = allocate(kind, { place, rows, width })
  if (kind === 'float32') summed.bytes.set(bytesOf(await readFloat32(tensors, name)))
  else summed.bytes.set(await tensors.read(name))
  return { place, rows, width, summed, mapping, weights, half }
}

function kindOfSums(dtype: Dtype | undefined, weighted: boolean): SumKind {
  if (dtype === 'I8') return weighted ? 'weighted int8' : 'int8'
  return dtype === 'F16' ? 'float16' : 'float32'
}

function allocate(kind: SumKind, { place, rows, width }: Pick<Table, 'place' | 'rows' | 'width'>): SummedTable {
  try {
    return summedTable(kind, rows, width)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw fault('tensor.shape', {
      place,
      what: 'the table does not fit into memory',
      seen: [rows, width],
      wanted: 'at most 4 GiB',
    })
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** `mapping` of tables whose vocabulary was quantised: token → row. */
async function readMapping(tensors: TensorSource, rows: number): Promise<Uint32Array | undefined> {
  const info = tensors.info('mapping')
  if (info === undefined) return undefined
  const place = `${tensors.name} › mapping`
  if (info.shape.length !== 1)
    throw fault('tensor.shape', { place, what: 'not a list', seen: info.shape, wanted: '[tokens]' })
  const values = widen64(await tensors.read('mapping'), info.dtype)
  const wrong = values.find((value) => !Number.isInteger(value) || value < 0 || value >= rows)
  if (wrong !== undefined)
    throw fault('tensor.value', { place, what: 'not a row of the table', seen: wrong, wanted: `0 … ${rows - 1}` })
  return Uint32Array.from(values)
}

async function readVector(tensors: TensorSource, name: string): Promise<Float32Array | undefined> {
  const info = tensors.info(name)
  if (info === undefined) return undefined
  if (info.shape.length !== 1)
    throw fault('tensor.shape', {
      place: `${tensors.name} › ${name}`,
      what: 'not a list',
      seen: info.shape,
      wanted: '[tokens]',
    })
  return readFloat32(tensors, name)
}
