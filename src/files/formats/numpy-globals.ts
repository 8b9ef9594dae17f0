/**
 * What numpy writes into pickles: arrays, scalars and their types, and the dicts around them. Old and new module names
 * (`numpy.core`, since 2.0 `numpy._core`).
 */
import {
  countsOf,
  kindOf,
  ofKind,
  textOf,
  type Pickled,
  type PickledArray,
  type PickledBytes,
  type PickledDict,
  type PickledDtype,
  type PickledGlobal,
  type Scene,
} from './pickle-values.ts'
import { numpyType } from './numpy-types.ts'

export const numpyGlobals: ReadonlyMap<string, PickledGlobal> = new Map(
  [
    named('numpy', 'ndarray'),
    named('numpy', 'dtype', dtype),
    named('_codecs', 'encode', encode),
    named('collections', 'OrderedDict', orderedDict),
    ...['numpy.core', 'numpy._core'].flatMap((core) => [
      named(`${core}.multiarray`, '_reconstruct', reconstruct),
      named(`${core}.multiarray`, 'scalar', scalar),
      named(`${core}.numeric`, '_frombuffer', fromBuffer),
    ]),
  ].map((global) => [global.key, global]),
)

interface KeyedGlobal extends PickledGlobal {
  key: string
}

/** An entry of a list of globals. */
export function named(module: string, name: string, call?: PickledGlobal['call']): KeyedGlobal {
  return { kind: 'global', key: `${module}\n${name}`, name: `${module}.${name}`, call }
}

/** `numpy.dtype('f8', align, copy)`. */
function dtype([code]: readonly Pickled[], { fail }: Scene): PickledDtype {
  const text = textOf(code)
  if (text === undefined || text.length > 100) throw fail('dtype code is not a short string', kindOf(code))
  return { kind: 'dtype', code: text, ...numpyType(text) }
}

/** The state is (version, byte order, subtype, names, fields, size, alignment, flags). */
export function setDtypeState(target: PickledDtype, state: Pickled, { fail }: Scene): void {
  const [, order, subtype = null, names = null] = ofKind(state, 'tuple')?.items ?? []
  const text = textOf(order)
  if (text === undefined || !['<', '>', '=', '|'].includes(text)) throw fail('dtype without a byte order', text)
  target.bigEndian = text === '>'
  if (subtype !== null || names !== null) target.dtype = undefined
}

/** An empty array of class ndarray: shape, type and bytes follow as its state. */
function reconstruct([type]: readonly Pickled[], { fail }: Scene): PickledArray {
  if (ofKind(type, 'global')?.name !== 'numpy.ndarray')
    throw fail('array of another class', ofKind(type, 'global')?.name ?? kindOf(type))
  return { kind: 'array' }
}

/** The state is (version, shape, dtype, Fortran order, bytes); the oldest numpy left the version out. */
export function setArrayState(target: PickledArray, state: Pickled, scene: Scene): void {
  const items = ofKind(state, 'tuple')?.items ?? []
  const [shape, type, fortran, data] = items.length === 5 ? items.slice(1) : items
  target.content = content(shape, type, fortran, data, scene)
}

/** `_frombuffer(bytes, dtype, shape, order)`, protocol 5. */
function fromBuffer([data, type, shape, order]: readonly Pickled[], scene: Scene): PickledArray {
  return { kind: 'array', content: content(shape, type, textOf(order) === 'F', data, scene) }
}

/** `scalar(dtype, bytes)`: an array of no dimensions. */
function scalar([type, data]: readonly Pickled[], scene: Scene): PickledArray {
  return { kind: 'array', content: content({ kind: 'tuple', items: [] }, type, false, data, scene) }
}

function content(
  shape: Pickled | undefined,
  type: Pickled | undefined,
  fortran: Pickled | undefined,
  data: Pickled | undefined,
  { fail }: Scene,
): NonNullable<PickledArray['content']> {
  const [counts, dtype, bytes] = [countsOf(shape), ofKind(type, 'dtype'), ofKind(data, 'bytes')]
  if (!counts || !dtype || typeof fortran !== 'boolean') throw fail('not the state of an array')
  if (!bytes) throw fail('arrays of objects are not read', dtype.code)
  return { dtype, shape: counts, fortran, bytes }
}

/** `_codecs.encode(text, 'latin1')`: how protocol 2 writes bytes. */
async function encode([text, encoding]: readonly Pickled[], { fail, latin1 }: Scene): Promise<PickledBytes> {
  const source = typeof text === 'string' ? text : ofKind(text, 'text')
  if (source === undefined || textOf(encoding) !== 'latin1')
    throw fail('only text is encoded, as latin1', textOf(encoding))
  return latin1(source)
}

/** Empty, or from a list of pairs as Python 2 wrote it. */
function orderedDict([list]: readonly Pickled[], { fail, spend }: Scene): PickledDict {
  const items = list === undefined ? [] : ofKind(list, 'list')?.items
  if (!items) throw fail('OrderedDict needs a list of pairs', kindOf(list))
  spend(items.length)
  const entries = new Map<Pickled, Pickled>()
  for (const pair of items) {
    const [key, value] = ofKind(pair, 'list')?.items ?? ofKind(pair, 'tuple')?.items ?? []
    if (key === undefined || value === undefined) throw fail('OrderedDict needs a list of pairs')
    entries.set(textOf(key) ?? key, value)
  }
  return { kind: 'dict', entries }
}
