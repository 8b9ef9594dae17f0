/** The header of an npy file: one Python dict with exactly the keys descr, fortran_order and shape. */
import { fault } from '#core'

export interface NpyLiteral {
  descr: string
  fortranOrder: boolean
  shape: readonly number[]
}

/** Faults: `format.npy` for anything but that dict, `tensor.dtype` for records. */
export function readNpyLiteral(text: string, place: string): NpyLiteral {
  let rest = text
  const fields = new Map<string, string>()
  take(/^\s*\{/)
  while (!/^\s*\}/.test(rest)) {
    const key = take(/^\s*(?:'(\w*)'|"(\w*)")\s*:\s*/)
    if (key === 'descr' && rest.startsWith('['))
      throw fault('tensor.dtype', { place, what: 'only arrays of numbers are read, not records' })
    if (fields.has(key)) throw broken(`key ${key} occurs twice`)
    fields.set(key, take(/^('[^'\\]*'|"[^"\\]*"|True|False|\([\d\sL,]*\))\s*/))
    if (!/^\s*\}/.test(rest)) take(/^,\s*/)
  }
  take(/^\s*\}\s*$/)
  const [descr = '', order = '', shape = ''] = ['descr', 'fortran_order', 'shape'].map((key) => fields.get(key))
  if (fields.size !== 3 || !/^['"]/.test(descr) || !/^(?:True|False)$/.test(order))
    throw broken('needs descr, fortran_order and shape')
  return { descr: descr.slice(1, -1), fortranOrder: order === 'True', shape: readShape(shape) }

  /** The first group of a match at the front, which goes. */
  function take(pattern: RegExp): string {
    const match = pattern.exec(rest)
    if (!match) throw broken('not a header')
    rest = rest.slice(match[0].length)
    return match[1] ?? match[2] ?? ''
  }

  /** `()`, `(3,)`, `(3, 4)`; Python 2 wrote `3L`. */
  function readShape(tuple: string): number[] {
    const parts = tuple
      .slice(1, -1)
      .split(',')
      .map((part) => part.trim())
    const last = parts.pop()
    if (last !== '' && last !== undefined) parts.push(last)
    // Without a comma `(3)` is a number in Python.
    if (!tuple.startsWith('(') || (parts.length === 1 && last !== '') || !parts.every((part) => /^\d+L?$/.test(part)))
      throw broken('shape is not a tuple of counts')
    const sizes = parts.map((part) => Number.parseInt(part, 10))
    if (!sizes.every(Number.isSafeInteger)) throw broken('shape is too large')
    return sizes
  }

  function broken(what: string): Error {
    return fault('format.npy', { place: `${place}: header`, what, seen: text.trim().slice(0, 100) })
  }
}
