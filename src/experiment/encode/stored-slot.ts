/** Spooled float32 rows as the rows of a file, in the type of their representation. */
import { type Dtype, matrix, type Matrix } from '#core'
import { narrow } from '#files/formats'
import type { RowSpool } from '#platform/disk'
import {
  toCodes,
  extend,
  isPacked,
  isRanged,
  noRanges,
  packedWidth,
  type Ranges,
  typed,
  type VectorType,
} from '#representation/layers'

export interface OutputSlot {
  /** `h3` or `default`, as in the `layer` column of tables. */
  readonly layer: string
  /** `hidden_states.3` or `embeddings`, as in safetensors. */
  readonly name: string
  readonly width: number
  /** The type of the stored numbers; they are spooled in float32. */
  readonly type: VectorType
}

/** A slot as its file holds it. */
export interface StoredSlot {
  readonly layer: string
  readonly name: string
  readonly dtype: Dtype
  /** Stored numbers of a row: bytes, for packed bits. */
  readonly width: number
  /** Stored rows, a number of whole ones at a time. */
  pieces(rows: number): AsyncGenerator<Uint8Array>
}

const dtypes = {
  float32: 'F32',
  float16: 'F16',
  int8: 'I8',
  uint8: 'U8',
  binary: 'I8',
  ubinary: 'U8',
} as const satisfies Record<VectorType, Dtype>

/** Ranges of int8 and uint8 are those of all spooled rows, as sentence-transformers takes them. */
export async function storedSlot({ layer, name, width, type }: OutputSlot, spool: RowSpool): Promise<StoredSlot> {
  const floats = async function* (rows: number): AsyncGenerator<Matrix> {
    for await (const piece of spool.pieces(name, 4 * width * rows)) {
      const data = new Float32Array(piece.slice().buffer)
      yield matrix(data.length / width, width, data)
    }
  }
  const ranges = isRanged(type) ? noRanges(width) : undefined
  if (ranges !== undefined) for await (const vectors of floats(4096)) extend(ranges, vectors)
  return {
    layer,
    name,
    dtype: dtypes[type],
    width: storedWidth(width, type),
    async *pieces(rows) {
      for await (const vectors of floats(rows)) yield storedRows(vectors, type, ranges)
    },
  }
}

/** Stored numbers of a row. */
export function storedWidth(width: number, type: VectorType): number {
  return isPacked(type) ? packedWidth(width) : width
}

/** Rows as they are stored. */
function storedRows(vectors: Matrix, type: VectorType, ranges: Ranges | undefined): Uint8Array {
  const { data } = typed(vectors, type, ranges)
  if (type === 'float32' || type === 'float16') return narrow(data, dtypes[type])
  const codes = toCodes({ ...vectors, data }, type)
  return new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength)
}

/** The numbers that a row's table cell holds: those of a file of arrays. */
export function storedNumbers(vectors: Matrix, type: VectorType, ranges?: Ranges): Matrix {
  const numbers = typed(vectors, type, ranges)
  if (!isPacked(type)) return numbers
  return matrix(vectors.rows, packedWidth(vectors.width), Float32Array.from(toCodes(numbers, type)))
}
