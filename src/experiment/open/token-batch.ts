/**
 * Reads a batch of token ids from a file of tensors (`input_ids`, `attention_mask`, `token_type_ids`, `position_ids`).
 */
import { fault, type Dtype, type TensorSource } from '#core'
import type { TokenBatch } from '#model/checkpoint'

/**
 * Reads `<prefix>input_ids` and its companions; other tensors are ignored. Throws `tensor.missing`, `tensor.shape`,
 * `tensor.dtype`.
 */
export async function readBatch(source: TensorSource, prefix = ''): Promise<{ batch: TokenBatch }> {
  const shape = source.info(`${prefix}input_ids`)?.shape
  if (shape === undefined) {
    throw fault('tensor.missing', {
      place: source.name,
      what: 'no such tensor',
      seen: source.names().slice(0, 12),
      wanted: `${prefix}input_ids`,
      hint: 'use --prefix if the names carry one, e.g. --prefix left.',
    })
  }
  const [rows, cols] = shape
  if (shape.length !== 2 || rows === undefined || cols === undefined || rows < 1 || cols < 1) {
    throw fault('tensor.shape', {
      place: `${source.name} › ${prefix}input_ids`,
      what: 'not a batch',
      seen: shape,
      wanted: '[rows, cols]',
    })
  }
  const read = async (name: string): Promise<Int32Array | undefined> =>
    source.info(`${prefix}${name}`) === undefined ? undefined : integers(source, `${prefix}${name}`)
  const inputIds = (await read('input_ids')) ?? new Int32Array(0)
  const tokenTypeIds = await read('token_type_ids')
  const positionIds = await read('position_ids')
  const attentionMask = (await read('attention_mask')) ?? new Int32Array(rows * cols).fill(1)
  return { batch: { rows, cols, inputIds, attentionMask, tokenTypeIds, positionIds } }
}

async function integers(source: TensorSource, name: string): Promise<Int32Array> {
  const info = source.info(name)
  const bytes = await source.read(name)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const read = readers[info?.dtype ?? 'F32']
  if (read === undefined)
    throw fault('tensor.dtype', {
      place: `${source.name} › ${name}`,
      what: 'not whole numbers',
      seen: info?.dtype,
      wanted: Object.keys(readers).join(', '),
    })
  const { size, at } = read
  return Int32Array.from({ length: bytes.byteLength / size }, (_, index) => {
    const value = at(view, index * size)
    if (value < -(2 ** 31) || value >= 2 ** 31)
      throw fault('tensor.value', {
        place: `${source.name} › ${name}`,
        what: 'number too large',
        seen: value.toString(),
      })
    return Number(value)
  })
}

const readers: Partial<Record<Dtype, { size: number; at: (view: DataView, offset: number) => number | bigint }>> = {
  BOOL: { size: 1, at: (view, offset) => view.getUint8(offset) },
  U8: { size: 1, at: (view, offset) => view.getUint8(offset) },
  I8: { size: 1, at: (view, offset) => view.getInt8(offset) },
  I16: { size: 2, at: (view, offset) => view.getInt16(offset, true) },
  I32: { size: 4, at: (view, offset) => view.getInt32(offset, true) },
  I64: { size: 8, at: (view, offset) => view.getBigInt64(offset, true) },
}
