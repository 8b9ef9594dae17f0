/** The closed world a pickle can build here: plain values, and records that describe tensors. Nothing of it can run. */
import type { Dtype } from '#core'
import { MAX_RANK } from './limits.ts'
import type { Region } from './tensor-view.ts'

/** Integers come as number, or as bigint beyond 2^53. */
export type Pickled = null | boolean | number | bigint | string | PickledObject

export type PickledObject =
  | { readonly kind: 'float'; readonly value: number }
  | PickledBytes
  | PickledText
  | { readonly kind: 'tuple'; readonly items: readonly Pickled[] }
  | { readonly kind: 'list'; readonly items: Pickled[] }
  | PickledDict
  /** Sets, devices and the like: allowed to stand in a file, of no use here. */
  | { readonly kind: 'opaque' }
  | PickledGlobal
  | PickledDtype
  | PickledArray
  | PickledStorage
  | PickledTensor

/** Bytes where they lie in the file. `text`: the same as Latin-1, for the short strings of Python 2. */
export interface PickledBytes {
  readonly kind: 'bytes'
  readonly region: Region
  readonly text?: string
}

/** Text too long for any name: kept where it lies (arrays of protocol 2 are stored so). */
export interface PickledText {
  readonly kind: 'text'
  readonly region: Region
}

export interface PickledDict {
  readonly kind: 'dict'
  readonly entries: Map<Pickled, Pickled>
}

/** A name from the list. Those with `call` build a record from their arguments when the pickle applies them. */
export interface PickledGlobal {
  readonly kind: 'global'
  readonly name: string
  readonly call?: ((args: readonly Pickled[], scene: Scene) => Pickled | Promise<Pickled>) | undefined
  /** Element type, for torch's storages and dtypes. */
  readonly dtype?: Dtype
}

/** What a builder may use. */
export interface Scene {
  /** A fault that names the file and the place in the pickle. */
  readonly fail: (what: string, seen?: unknown, wanted?: unknown) => Error
  /** Counts copied items against the bytes read so far, so that short programs cannot make much of little. */
  readonly spend: (items: number) => void
  /** Latin-1 bytes of a text, the same bytes for the same text. */
  readonly latin1: (text: string | PickledText) => Promise<PickledBytes>
}

/** numpy.dtype; `dtype` is undefined where Strata has no such element type. */
export interface PickledDtype {
  readonly kind: 'dtype'
  readonly code: string
  dtype: Dtype | undefined
  bigEndian: boolean
}

/** numpy.ndarray or scalar; empty between its construction and its state. */
export interface PickledArray {
  readonly kind: 'array'
  content?: {
    readonly dtype: PickledDtype
    readonly shape: readonly number[]
    readonly fortran: boolean
    readonly bytes: PickledBytes
  }
}

/** A torch storage by its key. */
export interface PickledStorage {
  readonly kind: 'storage'
  readonly key: string
  /** Type of the storage; tensors over an untyped storage bring their own. */
  readonly dtype: Dtype
  /** Elements of `dtype`. */
  readonly count: number
  /** Elements before a view into another storage begins (old files). */
  readonly start: number
}

/** A torch tensor: sizes and strides in elements of `dtype`. */
export interface PickledTensor {
  readonly kind: 'tensor'
  readonly storage: PickledStorage
  readonly dtype: Dtype
  readonly start: number
  readonly shape: readonly number[]
  readonly strides: readonly number[]
}

export function kindOf(value: Pickled | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'None'
  return typeof value === 'object' ? value.kind : typeof value
}

/** The object if it is of that kind. */
export function ofKind<K extends PickledObject['kind']>(
  value: Pickled | undefined,
  kind: K,
): Extract<PickledObject, { kind: K }> | undefined {
  return value !== null && typeof value === 'object' && value.kind === kind
    ? (value as Extract<PickledObject, { kind: K }>)
    : undefined
}

/** A string of Python 3, or a short one of Python 2. */
export function textOf(value: Pickled | undefined): string | undefined {
  return typeof value === 'string' ? value : ofKind(value, 'bytes')?.text
}

/** A tuple of counts no longer than any shape, otherwise undefined. The array is the tuple's own: it is not copied. */
export function countsOf(value: Pickled | undefined): readonly number[] | undefined {
  const items = ofKind(value, 'tuple')?.items
  return items && items.length <= MAX_RANK && items.every(isCount) ? items : undefined
}

export function isCount(value: Pickled | undefined): value is number {
  return typeof value === 'number' && value >= 0
}
