/** numpy's type codes: `<f8`, `|b1`, … and their words here. */
import type { Dtype } from '#core'

export interface NumpyType {
  /** Undefined: an element type Strata does not have (objects, strings, dates, complex, records). */
  dtype: Dtype | undefined
  bigEndian: boolean
}

const codes = new Map<string, Dtype>([
  ['b1', 'BOOL'],
  ['u1', 'U8'],
  ['i1', 'I8'],
  ['u2', 'U16'],
  ['i2', 'I16'],
  ['f2', 'F16'],
  ['u4', 'U32'],
  ['i4', 'I32'],
  ['f4', 'F32'],
  ['u8', 'U64'],
  ['i8', 'I64'],
  ['f8', 'F64'],
])

/** A code with or without its byte order; `=` and `|` are read as little-endian. */
export function numpyType(code: string): NumpyType {
  const [, order = '', letters = ''] = /^([<>=|]?)(.*)$/s.exec(code) ?? []
  return { dtype: letters === '?' ? 'BOOL' : codes.get(letters), bigEndian: order === '>' }
}

/** The little-endian code of a dtype; undefined where numpy has none. */
export function numpyCode(dtype: Dtype): string | undefined {
  for (const [code, known] of codes) if (known === dtype) return `${code.endsWith('1') ? '|' : '<'}${code}`
  return undefined
}
