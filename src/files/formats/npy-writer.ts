/** npy out, version 1.0, with room in the header for a row count that is known only at the end. */
import { dtypeBytes, elementCount, fault, type Dtype } from '#core'
import { createWholeFile } from '#platform/disk'
import { numpyCode } from './numpy-types.ts'

export interface NpyWriter {
  /** Whole rows, in order. */
  append(bytes: Uint8Array): Promise<void>
  /** Writes the number of rows; then the file gets its name. */
  finish(): Promise<void>
  /** Gives up and removes the unfinished file. */
  abort(): Promise<void>
}

/**
 * Writes one array as an npy file of that shape. Throws `tensor.dtype` (NumPy has no BF16 and no F8), `tensor.shape`,
 * `file.write`.
 *
 * @example
 * ```ts
 * import { openTensors, readFloat32, writeNpy } from 'strata-lm/formats'
 *
 * await writeNpy('out.npy', { dtype: 'F32', shape: [3], bytes: new Uint8Array(Float32Array.of(1, 2, 3).buffer) })
 * const array = await openTensors('out.npy')
 * console.log([...(await readFloat32(array, 'array'))]) // → [ 1, 2, 3 ]
 * await array.close()
 * ```
 */
export async function writeNpy(
  path: string,
  { dtype, shape, bytes }: { dtype: Dtype; shape: readonly number[]; bytes: Uint8Array },
): Promise<void> {
  checkShape(shape, path)
  const wanted = elementCount(shape) * dtypeBytes(dtype)
  if (bytes.length !== wanted)
    throw fault('tensor.shape', { place: path, what: 'bytes do not fit the shape', seen: bytes.length, wanted })
  const header = npyHeader(dtype, shape, path)
  const file = await createWholeFile(path, { folders: false })
  await file.write(header, 0)
  await file.write(bytes, header.length)
  await file.commit()
}

/**
 * A writer for an array [rows × ...shapeTail] that grows row by row; memory stays that of one piece. With `leading`
 * axes the rows fill [...leading × rows × ...shapeTail] in order, and their number must divide evenly. Throws
 * `tensor.dtype`, `tensor.shape`, `file.write`.
 *
 * @example
 * ```ts
 * import { createNpyWriter, openTensors } from 'strata-lm/formats'
 *
 * const writer = await createNpyWriter('out.npy', 'F32', [2])
 * for (const row of [Float32Array.of(1, 2), Float32Array.of(3, 4)]) await writer.append(new Uint8Array(row.buffer))
 * await writer.finish()
 * const array = await openTensors('out.npy')
 * console.log(array.info('array')?.shape) // → [ 2, 2 ]
 * await array.close()
 * ```
 */
export async function createNpyWriter(
  path: string,
  dtype: Dtype,
  shapeTail: readonly number[],
  { leading = [] }: { leading?: readonly number[] } = {},
): Promise<NpyWriter> {
  checkShape([...leading, ...shapeTail], path)
  const rowBytes = elementCount(shapeTail) * dtypeBytes(dtype)
  const headerLength = npyHeader(dtype, [...leading, Number.MAX_SAFE_INTEGER, ...shapeTail], path).length
  const file = await createWholeFile(path, { folders: false })
  let rows = 0
  return {
    async append(bytes) {
      if (rowBytes === 0 || bytes.length % rowBytes !== 0)
        throw fault('tensor.shape', {
          place: path,
          what: 'bytes are not whole rows',
          seen: bytes.length,
          wanted: `a multiple of ${rowBytes}`,
        })
      const position = headerLength + rows * rowBytes
      rows += bytes.length / rowBytes
      await file.write(bytes, position)
    },
    async finish() {
      const each = rows / elementCount(leading)
      if (!Number.isInteger(each))
        throw fault('tensor.shape', {
          place: path,
          what: 'rows do not fill the leading axes',
          seen: rows,
          wanted: `a multiple of ${elementCount(leading)}`,
        })
      await file.write(npyHeader(dtype, [...leading, each, ...shapeTail], path, headerLength), 0)
      await file.commit()
    },
    abort: () => file.abort(),
  }
}

/**
 * Magic, version, length and the literal, padded with spaces to a multiple of 64 bytes as numpy does, at least to
 * `length`.
 */
function npyHeader(dtype: Dtype, shape: readonly number[], path: string, length = 0): Uint8Array {
  const code = numpyCode(dtype)
  if (code === undefined)
    throw fault('tensor.dtype', {
      place: path,
      what: 'numpy has no such element type',
      seen: dtype,
      hint: 'write safetensors, or convert to F32',
    })
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`
  const literal = `{'descr': '${code}', 'fortran_order': False, 'shape': ${tuple}, }`
  const total = Math.max(length, Math.ceil((PREFIX_BYTES + literal.length + 1) / 64) * 64)
  const bytes = Buffer.alloc(total, ' ')
  bytes.write('\x93NUMPY\x01\x00', 'latin1')
  bytes.writeUInt16LE(total - PREFIX_BYTES, 8)
  bytes.write(literal, PREFIX_BYTES, 'latin1')
  bytes.write('\n', total - 1)
  return bytes
}

const PREFIX_BYTES = 10

function checkShape(shape: readonly number[], path: string): void {
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0))
    throw fault('tensor.shape', { place: path, what: 'shape must be counts', seen: shape })
}
