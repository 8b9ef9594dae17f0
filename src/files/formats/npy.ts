/**
 * npy: magic, version, a Python literal with type, order and shape, data (numpy.lib.format). The literal is read by a
 * grammar of its own, never evaluated.
 */
import { fault, type Dtype, type TensorSource, dtypeBytes } from '#core'
import type { ByteFile } from './byte-file.ts'
import { MAX_NPY_HEADER } from './limits.ts'
import { readNpyLiteral } from './npy-literal.ts'
import { numpyType } from './numpy-types.ts'
import { columnMajor, tensorView, type Region, type TensorView } from './tensor-view.ts'
import { fileRegion, viewSource } from './view-source.ts'

/** The one array of the file, named `array`. */
export async function openNpy(file: ByteFile): Promise<TensorSource> {
  return viewSource(file, [await npyView('array', fileRegion(file, 0, file.size), file.path)])
}

/**
 * The array that fills a region. Faults: `format.npy`, `tensor.dtype` for elements that are no numbers, `tensor.shape`.
 */
export async function npyView(name: string, region: Region, place: string): Promise<TensorView> {
  if (region.byteLength < MAGIC.length + 6)
    throw fault('format.npy', { place, what: 'too short for an npy file', seen: `${region.byteLength} bytes` })
  const start = await region.load(0, MAGIC.length + 6)
  if (!MAGIC.equals(start.subarray(0, MAGIC.length))) throw fault('format.npy', { place, what: 'not an npy file' })
  const version = start[6]!
  if (version < 1 || version > 3)
    throw fault('format.npy', { place, what: 'unknown npy version', seen: version, wanted: '1 to 3' })
  const view = new DataView(start.buffer)
  const [headerStart, headerLength] = version === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)]
  if (headerLength > MAX_NPY_HEADER)
    throw fault('format.limit', {
      place,
      what: 'header is too long',
      seen: headerLength,
      wanted: `at most ${MAX_NPY_HEADER}`,
    })
  const dataStart = headerStart + headerLength
  if (dataStart > region.byteLength)
    throw fault('format.npy', { place, what: 'header is longer than the file', seen: headerLength })
  const { descr, fortranOrder, shape } = readNpyLiteral(
    Buffer.from(await region.load(headerStart, dataStart)).toString('latin1'),
    place,
  )
  const { dtype, bigEndian } = numpyType(descr)
  if (dtype === undefined)
    throw fault('tensor.dtype', {
      place,
      what: 'only arrays of numbers are read',
      seen: descr,
      hint: 'arrays of objects hold pickles, which could run any program',
    })
  const data = subRegion(region, dataStart)
  checkLength(dtype, shape, data.byteLength, place)
  const strides = fortranOrder ? { strides: columnMajor(shape) } : {}
  return tensorView({ name, dtype, shape, region: data, bigEndian, ...strides }, place)
}

function checkLength(dtype: Dtype, shape: readonly number[], byteLength: number, place: string): void {
  const wanted = shape.reduce((product, size) => product * BigInt(size), BigInt(dtypeBytes(dtype)))
  if (wanted === BigInt(byteLength)) return
  const what = wanted > byteLength ? 'fewer bytes than the shape needs' : 'bytes after the array'
  throw fault('format.npy', {
    place,
    what,
    seen: byteLength,
    wanted,
    ...(wanted > byteLength ? { hint: 'the file may be cut' } : {}),
  })
}

function subRegion(region: Region, start: number): Region {
  return {
    byteLength: region.byteLength - start,
    offset: region.offset === undefined ? undefined : region.offset + start,
    load: (from, to) => region.load(start + from, start + to),
  }
}

export const MAGIC = Buffer.from('\x93NUMPY', 'latin1')
