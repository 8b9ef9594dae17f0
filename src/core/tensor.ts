/**
 * Tensors as bytes with a name: the first seam. One file, a sharded set, an adapter applied, a merge – the same thing
 * to whoever reads.
 */

/** Storage types of safetensors, by its own names. */
export const dtypes = {
  BOOL: 1,
  U8: 1,
  I8: 1,
  F8_E4M3: 1,
  F8_E5M2: 1,
  I16: 2,
  U16: 2,
  F16: 2,
  BF16: 2,
  I32: 4,
  U32: 4,
  F32: 4,
  F64: 8,
  I64: 8,
  U64: 8,
} as const

export type Dtype = keyof typeof dtypes

/** Bytes of one element. */
export function dtypeBytes(dtype: Dtype): number {
  return dtypes[dtype]
}

export interface TensorInfo {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly number[]
  readonly byteLength: number
}

/**
 * Where a tensor's contiguous little-endian bytes lie in a local file (links resolved), for engines that read weights
 * in place.
 */
export interface TensorLocation {
  readonly path: string
  readonly offset: number
  readonly byteLength: number
}

/** Names, info, read. Reading is by range: opening a source reads headers only. */
export interface TensorSource {
  /** For messages: file or folder, or a recipe's name. */
  readonly name: string
  names(): readonly string[]
  /** Undefined for a name the source does not have. */
  info(name: string): TensorInfo | undefined
  /** Contiguous row-major little-endian bytes, exactly `byteLength`; throws `tensor.missing`. */
  read(name: string): Promise<Uint8Array>
  /** Undefined when the bytes are not contiguous in a file (transposed views, merges, adapters). */
  locate(name: string): TensorLocation | undefined
  /** Hex SHA-256 that changes when any tensor's name, dtype, shape or bytes change. */
  identity(): Promise<string>
  close(): Promise<void>
}

/** A model opened as far as its headers: what merging, extracting and transplanting plan with. */
export interface ModelHeaders {
  /** As the user or the recipe writes it. */
  readonly model: string
  readonly tensors: TensorSource
  readonly config: Readonly<Record<string, unknown>>
}

/** Number of elements; the product is checked by readers before it gets here. */
export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1)
}
