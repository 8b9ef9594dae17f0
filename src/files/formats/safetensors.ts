/**
 * safetensors: length (u64), JSON header, data. Valid exactly when the reference implementation
 * (huggingface/safetensors, `SafeTensors::deserialize`) accepts it – offsets cover the data without hole, overlap or
 * rest – and stricter in one point: a name or field may not stand twice.
 */
import { dtypeBytes, dtypes, fault, Fault, type Dtype, type TensorSource } from '#core'
import type { ByteFile } from './byte-file.ts'
import { parseJson } from './json.ts'
import { isObject } from './json-fields.ts'
import { MAX_SAFETENSORS_HEADER, MAX_SAFETENSORS_VALUES } from './limits.ts'
import { tensorView, type TensorView } from './tensor-view.ts'
import { decodeUtf8 } from './text.ts'
import { fileRegion, viewSource } from './view-source.ts'

interface HeaderEntry {
  name: string
  dtype: Dtype
  shape: readonly number[]
  begin: bigint
  end: bigint
}

/** Reads the header only. Names come in the order of the data. */
export async function openSafetensors(file: ByteFile): Promise<TensorSource> {
  const headerLength = await readHeaderLength(file)
  const text = decodeUtf8(await file.read(LENGTH_BYTES, headerLength), 'format.safetensors', `${file.path}: header`)
  const entries = readHeader(text, file.path).sort(
    (a, b) => compare(a.begin, b.begin) || compare(a.end, b.end) || (a.name < b.name ? -1 : 1),
  )
  const dataStart = LENGTH_BYTES + headerLength
  checkCover(entries, BigInt(file.size - dataStart), file.path)
  return viewSource(
    file,
    entries.map((entry) => entryView(file, dataStart, entry)),
  )
}

const LENGTH_BYTES = 8

async function readHeaderLength(file: ByteFile): Promise<number> {
  const place = file.path
  if (file.size < LENGTH_BYTES)
    throw fault('format.safetensors', { place, what: 'file is too short for a header', seen: `${file.size} bytes` })
  const bytes = await file.read(0, LENGTH_BYTES)
  const length = new DataView(bytes.buffer).getBigUint64(0, true)
  if (length > BigInt(file.size - LENGTH_BYTES)) {
    throw fault('format.safetensors', {
      place,
      what: 'header is longer than the file',
      seen: length,
      wanted: `at most ${file.size - LENGTH_BYTES}`,
      hint: 'the file is cut or is not safetensors',
    })
  }
  if (length > MAX_SAFETENSORS_HEADER)
    throw fault('format.limit', {
      place,
      what: 'header is too long',
      seen: length,
      wanted: `at most ${MAX_SAFETENSORS_HEADER}`,
    })
  if (length === 0n) throw fault('format.safetensors', { place, what: 'header is empty' })
  return Number(length)
}

function readHeader(text: string, place: string): HeaderEntry[] {
  const header = readHeaderJson(text, place)
  if (!isObject(header)) throw fault('format.safetensors', { place, what: 'header is not a JSON object' })
  const entries: HeaderEntry[] = []
  for (const [name, value] of Object.entries(header)) {
    if (name === '__metadata__') checkMetadata(value, place)
    else entries.push(readEntry(name, value, place))
  }
  return entries
}

function readHeaderJson(text: string, place: string): unknown {
  if (text.startsWith('\ufeff'))
    throw fault('format.safetensors', { place, what: 'header begins with a byte order mark' })
  try {
    return parseJson(text, `${place}: header`, {
      duplicates: 'refuse',
      integers: 'bigint',
      surrogates: 'refuse',
      maxValues: MAX_SAFETENSORS_VALUES,
    })
  } catch (error) {
    throw error instanceof Fault ? fault('format.safetensors', error.parts) : error
  }
}

function checkMetadata(value: unknown, place: string): void {
  if (value === null) return
  if (!isObject(value) || !Object.values(value).every((field) => typeof field === 'string')) {
    throw fault('format.safetensors', { place: `${place}: __metadata__`, what: 'must be an object of strings' })
  }
}

function readEntry(name: string, value: unknown, file: string): HeaderEntry {
  const place = `${file}: ${name}`
  if (!isObject(value)) throw fault('format.safetensors', { place, what: 'header entry is not an object' })
  const [dtype, shape, offsets] = ['dtype', 'shape', 'data_offsets'].map((key) =>
    Object.hasOwn(value, key) ? value[key] : undefined,
  )
  if (typeof dtype !== 'string' || !Object.hasOwn(dtypes, dtype)) {
    throw fault('tensor.dtype', {
      place,
      what: 'unknown dtype',
      seen: dtype ?? 'none',
      wanted: Object.keys(dtypes).join(', '),
    })
  }
  if (!isCounts(shape))
    throw fault('format.safetensors', { place, what: 'shape must be an array of counts', seen: shownList(shape) })
  if (!isCounts(offsets) || offsets.length !== 2 || offsets[0]! > offsets[1]!) {
    throw fault('format.safetensors', { place, what: 'data_offsets must be [begin, end]', seen: shownList(offsets) })
  }
  const [begin, end] = offsets as [bigint, bigint]
  let bytes = BigInt(dtypeBytes(dtype as Dtype))
  for (const size of shape) {
    bytes *= size
    if (bytes > MAX_U64)
      throw fault('format.safetensors', { place, what: 'shape product overflows', seen: shownList(shape) })
  }
  if (bytes !== end - begin || shape.some((size) => size > Number.MAX_SAFE_INTEGER)) {
    throw fault('format.safetensors', {
      place,
      what: 'shape does not match bytes',
      seen: `${end - begin} bytes`,
      wanted: `${bytes} for ${dtype} ${shownList(shape)}`,
    })
  }
  return { name, dtype: dtype as Dtype, shape: shape.map(Number), begin, end }
}

/** Sorted by offset, every tensor begins where the one before ends, and the last ends with the file. */
function checkCover(entries: readonly HeaderEntry[], dataBytes: bigint, place: string): void {
  let covered = 0n
  for (const { name, begin, end } of entries) {
    if (end > dataBytes)
      throw fault('format.safetensors', {
        place: `${place}: ${name}`,
        what: 'tensor ends past the file',
        seen: end,
        wanted: `at most ${dataBytes}`,
        hint: 'the file may be cut: fetch it again',
      })
    if (begin !== covered) {
      throw fault('format.safetensors', {
        place: `${place}: ${name}`,
        what: begin < covered ? 'tensors overlap' : 'bytes that no tensor covers',
        seen: `offset ${begin}`,
        wanted: covered,
      })
    }
    covered = end
  }
  if (covered !== dataBytes)
    throw fault('format.safetensors', { place, what: 'bytes after the last tensor', seen: dataBytes, wanted: covered })
}

function entryView(file: ByteFile, dataStart: number, { name, dtype, shape, begin, end }: HeaderEntry): TensorView {
  return tensorView(
    { name, dtype, shape, region: fileRegion(file, dataStart + Number(begin), Number(end - begin)) },
    file.path,
  )
}

const MAX_U64 = 2n ** 64n - 1n

/** Counts come as bigint: `1.0` and `1e1` are no integers for the reference either. */
function isCounts(value: unknown): value is bigint[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'bigint' && item >= 0n && item <= MAX_U64)
}

function shownList(value: unknown): string {
  return Array.isArray(value)
    ? `[${value
        .slice(0, 8)
        .map((item) => (typeof item === 'object' ? '…' : String(item)))
        .join(', ')}]`
    : typeof value
}

function compare(a: bigint, b: bigint): number {
  return Number(a > b) - Number(a < b)
}
