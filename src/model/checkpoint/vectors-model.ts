/**
 * Recorded vectors as a model: row i of a matrix belongs to text i of a list, whatever program made it. Texts that were
 * not recorded are a fault.
 */
import { open, type FileHandle } from 'node:fs/promises'
import {
  type CallOptions,
  dtypeBytes,
  fault,
  fingerprint,
  matrix,
  type Matrix,
  type PromptType,
  type TensorInfo,
  type TensorSource,
} from '#core'
import { readFloat32, widen } from '#files/formats'
import type { Model } from './model.ts'
import { tableEncoder, tableFacts, tableModel } from './table-model.ts'
import { keyCount, keyTable, textKeys } from '#platform/vectors'

/** A text as it was recorded; one without a side stands for either. */
export interface RecordedText {
  readonly text: string
  readonly side?: PromptType
}

export interface RecordedVectors {
  /** Holds one matrix [texts × width] of numbers, under any name. */
  readonly tensors: TensorSource
  /** In the order of the rows. */
  readonly texts: AsyncIterable<readonly RecordedText[]>
  /** Bits of which the matrix holds eight to a byte, `binary` 128 less; default: its numbers as they are. */
  readonly packed?: 'binary' | 'ubinary' | undefined
  /** As in the result path. */
  readonly name: string
  readonly revision: string
  /** For messages: file of the texts. */
  readonly place: string
}

/**
 * Rows are read from the file on demand where it holds the matrix in one piece; memory is about 40 bytes per text.
 * Throws `tensor.shape`.
 */
export async function openVectorsModel({
  tensors,
  texts,
  packed,
  name,
  revision,
  place,
}: RecordedVectors): Promise<Model> {
  const info = onlyMatrix(tensors)
  const [rows = 0, stored = 0] = info.shape
  const width = packed === undefined ? stored : 8 * stored
  const { table, count, hashes } = await keysOf(texts)
  if (count !== rows)
    throw fault('tensor.shape', {
      place: `${tensors.name} › ${info.name}`,
      what: 'must hold one vector per text',
      seen: [rows, stored],
      wanted: [count, stored],
      hint: `${place} has ${count} texts`,
    })
  const recorded = fingerprint(hashes)
  const reader = await rowReader(tensors, info)

  const embed = async (
    wanted: readonly string[],
    side: PromptType | undefined,
    { signal, onProgress }: CallOptions = {},
  ): Promise<Matrix> => {
    const own = textKeys(wanted.map((text) => keyOf(text, side)))
    const either = side === undefined ? own : textKeys(wanted.map((text) => keyOf(text)))
    const found = Uint32Array.from(wanted, (text, i) => {
      const sided = table.find(own, i)
      const row = sided < 0 ? table.find(either, i) : sided
      if (row >= 0) return row
      throw fault('vectors.missing', {
        place,
        what: `no vector was recorded for ${side === undefined ? 'a text' : `a ${side}`}`,
        seen: text,
        hint: 'strata tasks NAME --texts lists every text of a task',
      })
    })
    const numbers = matrix(wanted.length, stored)
    signal?.throwIfAborted()
    await reader.read(found, numbers.data)
    const out = packed === undefined ? numbers : unpacked(numbers, packed)
    onProgress?.({ stage: 'encode', done: wanted.length, total: wanted.length, unit: 'texts' })
    return out
  }

  return {
    name,
    revision: () => Promise.resolve(revision),
    ...tableModel(),
    prompts: { prompts: {}, defaultName: undefined },
    tensors,
    notices: [],
    facts: () => Promise.resolve(tableFacts(tensors, { family: 'Recorded vectors', modelType: 'vectors', width })),
    identity: async () => ({
      tensors: await tensors.identity(),
      spec: packed ?? '',
      tokenizer: recorded,
      modules: '',
    }),
    memoryBytes: () => Promise.resolve(processBytes + 40 * rows + (reader.inPlace ? 0 : 4 * rows * stored)),
    embedder: () =>
      Promise.resolve({
        representation: 'default',
        width,
        embed: (wanted, call = {}) => embed(wanted, call.promptType, call),
      }),
    encoder: () => Promise.resolve(tableEncoder(width, (wanted) => embed(wanted, undefined))),
    async close() {
      await reader.close()
      await tensors.close()
    },
  }
}

async function keysOf(texts: RecordedVectors['texts']): Promise<{
  readonly table: ReturnType<typeof keyTable>
  readonly count: number
  readonly hashes: readonly string[]
}> {
  const table = keyTable()
  const hashes: string[] = []
  let count = 0
  for await (const batch of texts) {
    const keys = textKeys(batch.map(({ text, side }) => keyOf(text, side)))
    hashes.push(fingerprint(Array.from(keys)))
    table.add(keys)
    count += keyCount(keys)
  }
  return { table, count, hashes }
}

/** Every bit as 0 or 1, the highest of a byte first (`numpy.unpackbits`). */
function unpacked({ rows, width, data }: Matrix, type: 'binary' | 'ubinary'): Matrix {
  const out = matrix(rows, 8 * width)
  const less = type === 'binary' ? 128 : 0
  data.forEach((byte, i) => {
    for (let bit = 0; bit < 8; bit++) out.data[8 * i + bit] = ((byte + less) >> (7 - bit)) & 1
  })
  return out
}

const processBytes = 250e6
/** Maximum number of bytes of consecutive rows that are read together. */
const pieceBytes = 8 * 2 ** 20

function keyOf(text: string, side?: PromptType): string {
  return `${side ?? ''}\0${text}`
}

function onlyMatrix(tensors: TensorSource): TensorInfo {
  const all = tensors.names().flatMap((name) => tensors.info(name) ?? [])
  const matrices = all.filter(({ shape }) => shape.length === 2)
  const [only, ...more] = matrices
  if (only === undefined || more.length > 0) {
    throw fault('tensor.shape', {
      place: tensors.name,
      what: only === undefined ? 'no matrix of vectors' : 'several matrices',
      seen: all.slice(0, 12).map(({ name, shape }) => `${name} [${shape.join(', ')}]`),
      wanted: 'one tensor [texts, width]',
    })
  }
  return only
}

interface RowReader {
  /** True when rows are read from the file, false when all of them are in memory. */
  readonly inPlace: boolean
  read(rows: Uint32Array, out: Float32Array): Promise<void>
  close(): Promise<void>
}

async function rowReader(tensors: TensorSource, { name, dtype, shape: [, width = 0] }: TensorInfo): Promise<RowReader> {
  const place = tensors.locate(name)
  if (place === undefined) {
    const all = await readFloat32(tensors, name)
    return {
      inPlace: false,
      read(rows, out) {
        rows.forEach((row, i) => out.set(all.subarray(row * width, (row + 1) * width), i * width))
        return Promise.resolve()
      },
      close: () => Promise.resolve(),
    }
  }
  const file = await open(place.path, 'r')
  const rowBytes = width * dtypeBytes(dtype)
  return {
    inPlace: true,
    async read(rows, out) {
      for (let i = 0; i < rows.length;) {
        const first = rows[i] ?? 0
        let end = i + 1
        while (end < rows.length && rows[end] === first + end - i && (end - i) * rowBytes < pieceBytes) end++
        const piece = new Uint8Array((end - i) * rowBytes)
        await readFully(file, piece, place.offset + first * rowBytes, place.path)
        out.set(widen(piece, dtype), i * width)
        i = end
      }
    },
    close: () => file.close(),
  }
}

async function readFully(file: FileHandle, piece: Uint8Array, position: number, path: string): Promise<void> {
  for (let done = 0; done < piece.length;) {
    const { bytesRead } = await file.read(piece, done, piece.length - done, position + done)
    if (bytesRead === 0) throw fault('file.unreadable', { place: path, what: 'ends too early', seen: position + done })
    done += bytesRead
  }
}
