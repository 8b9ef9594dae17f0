/**
 * GGUF (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md), versions 2 and 3, little-endian: key-value pairs,
 * a table of tensors, data. Floats lie in the file as they are; quantised tensors are F32, decoded when they are read.
 */
import { type Dtype, dtypeBytes, fault, fingerprint, type TensorInfo, type TensorSource } from '#core'
import { type ByteFile, openByteFile } from './byte-file.ts'
import { blockTypes, type BlockType, decodeBlocks, otherTypes } from './ggml-blocks.ts'
import { type GgufValue, type HeaderReader, headerReader, readPairs } from './gguf-values.ts'
import { MAX_SAFETENSORS_VALUES } from './limits.ts'
import { missingTensor } from './view-source.ts'

export interface Gguf {
  /** Key-value pairs: the model's sizes, its vocabulary. */
  readonly metadata: ReadonlyMap<string, GgufValue>
  readonly tensors: TensorSource
}

/** Opens a GGUF file and reads its header. Throws `file.missing`, `format.*`, `tensor.*`. */
export async function openGguf(path: string, { name = path }: { name?: string } = {}): Promise<Gguf> {
  const file = await openByteFile(path, name)
  try {
    return await readGguf(file)
  } catch (error) {
    await file.close()
    throw error
  }
}

interface Entry {
  readonly info: TensorInfo
  readonly block: BlockType | undefined
  /** From the beginning of the file. */
  readonly offset: number
  readonly storedBytes: number
}

/** Bytes of a pair and of a tensor's entry that has no name. */
const [leastPair, leastEntry] = [13, 24]
/** ggml's own limit. */
const deepest = 4

export async function readGguf(file: ByteFile): Promise<Gguf> {
  const reader = headerReader(file)
  const place = file.path
  if (new TextDecoder('latin1').decode(await reader.skip(4)) !== 'GGUF')
    throw fault('format.gguf', { place, what: 'not a GGUF file' })
  const version = await reader.u32()
  if (version !== 2 && version !== 3)
    throw fault('format.gguf', {
      place,
      what: version % 65_536 === 0 ? 'big-endian files are not read' : 'a version that is not read',
      seen: version,
      wanted: '2 or 3',
    })
  const tensorCount = await reader.count('tensors', leastEntry)
  const pairCount = await reader.count('pairs', leastPair)
  if (tensorCount * 8 > MAX_SAFETENSORS_VALUES)
    throw fault('format.limit', { place, what: 'too many tensors', seen: tensorCount })
  const metadata = await readPairs(reader, pairCount)
  const raw: RawEntry[] = []
  for (let i = 0; i < tensorCount; i++) raw.push(await readEntry(reader))
  const alignment = alignmentOf(metadata, place)
  const dataStart = Math.ceil(reader.at() / alignment) * alignment
  const entries = raw.map((entry) => placed(entry, { dataStart, alignment, size: file.size, place }))
  checkApart(entries, place)
  return { metadata, tensors: ggufSource(file, entries) }
}

interface RawEntry {
  readonly name: string
  readonly shape: readonly bigint[]
  readonly type: number
  readonly offset: bigint
}

async function readEntry(reader: HeaderReader): Promise<RawEntry> {
  const name = await reader.text()
  const rank = await reader.u32()
  if (rank > deepest)
    throw fault('format.gguf', {
      place: `${reader.place}: ${name}`,
      what: 'too many dimensions',
      seen: rank,
      wanted: `at most ${deepest}`,
    })
  const shape: bigint[] = []
  for (let i = 0; i < rank; i++) shape.push(await reader.offset())
  const type = await reader.u32()
  // the fastest dimension comes first in the file
  return { name, shape: shape.toReversed(), type, offset: await reader.offset() }
}

function alignmentOf(metadata: ReadonlyMap<string, GgufValue>, place: string): number {
  const value = metadata.get('general.alignment') ?? 32
  if (typeof value === 'number' && Number.isInteger(value) && value >= 8 && value <= 65_536 && value % 8 === 0)
    return value
  throw fault('format.gguf', {
    place: `${place}: general.alignment`,
    what: 'not an alignment',
    seen: value,
    wanted: 'a multiple of 8',
  })
}

/** Types that lie in the file as they are read, by ggml's numbers. */
const plainTypes = new Map<number, Dtype>([
  [0, 'F32'],
  [1, 'F16'],
  [24, 'I8'],
  [25, 'I16'],
  [26, 'I32'],
  [27, 'I64'],
  [28, 'F64'],
  [30, 'BF16'],
])

interface Bounds {
  readonly dataStart: number
  readonly alignment: number
  readonly size: number
  readonly place: string
}

function placed({ name, shape, type, offset }: RawEntry, { dataStart, alignment, size, place }: Bounds): Entry {
  const where = `${place}: ${name}`
  const [plain, block] = [plainTypes.get(type), blockTypes.get(type)]
  if (plain === undefined && block === undefined) {
    const wanted = ['F32, F16, BF16', ...[...blockTypes.values()].map((one) => one.name)].join(', ')
    throw fault('tensor.dtype', {
      place: where,
      what: 'a type that is not read',
      seen: otherTypes.get(type) ?? type,
      wanted,
    })
  }
  const count = shape.reduce((product, one) => product * one, 1n)
  const row = shape.at(-1) ?? 1n
  if (block !== undefined && row % BigInt(block.values) !== 0n)
    throw fault('tensor.shape', {
      place: where,
      what: `rows are no whole blocks of ${block.name}`,
      seen: row,
      wanted: `a multiple of ${block.values}`,
    })
  const stored =
    block === undefined
      ? count * BigInt(dtypeBytes(plain ?? 'F32'))
      : (count / BigInt(block.values)) * BigInt(block.bytes)
  if (offset % BigInt(alignment) !== 0n)
    throw fault('format.gguf', {
      place: where,
      what: 'data is not aligned',
      seen: offset,
      wanted: `a multiple of ${alignment}`,
    })
  if (BigInt(dataStart) + offset + stored > BigInt(size))
    throw fault('format.gguf', {
      place: where,
      what: 'tensor ends past the file',
      seen: BigInt(dataStart) + offset + stored,
      wanted: `at most ${size}`,
      hint: 'the file may be cut: fetch it again',
    })
  const dtype = plain ?? 'F32'
  const info = { name, dtype, shape: shape.map(Number), byteLength: Number(count) * dtypeBytes(dtype) }
  return { info, block, offset: dataStart + Number(offset), storedBytes: Number(stored) }
}

/** Throws `format.gguf` for names that stand twice, and for tensors that share bytes. */
function checkApart(entries: readonly Entry[], place: string): void {
  const names = new Set<string>()
  for (const { info } of entries) {
    if (names.has(info.name)) throw fault('format.gguf', { place, what: `tensor ${info.name} occurs twice` })
    names.add(info.name)
  }
  let end = 0
  for (const { info, offset, storedBytes } of entries.toSorted(
    (a, b) => a.offset - b.offset || a.storedBytes - b.storedBytes,
  )) {
    if (offset < end)
      throw fault('format.gguf', {
        place: `${place}: ${info.name}`,
        what: 'tensors overlap',
        seen: `offset ${offset}`,
        wanted: end,
      })
    end = offset + storedBytes
  }
}

function ggufSource(file: ByteFile, entries: readonly Entry[]): TensorSource {
  const byName = new Map(entries.map((entry) => [entry.info.name, entry]))
  const names = [...byName.keys()]
  return {
    name: file.path,
    names: () => names,
    info: (name) => byName.get(name)?.info,
    async read(name) {
      const entry = byName.get(name)
      if (entry === undefined) throw missingTensor(file.path, name)
      const bytes = await file.read(entry.offset, entry.storedBytes)
      return entry.block === undefined ? bytes : new Uint8Array(decodeBlocks(entry.block, bytes).buffer)
    },
    locate(name) {
      const entry = byName.get(name)
      return entry === undefined || entry.block !== undefined
        ? undefined
        : { path: file.realPath, offset: entry.offset, byteLength: entry.storedBytes }
    },
    identity: async () => fingerprint({ gguf: await file.contentHash() }),
    close: () => file.close(),
  }
}
