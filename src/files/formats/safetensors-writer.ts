/** safetensors out: header first, tensors in the order given, each written when its bytes are ready. */
import { dtypeBytes, dtypes, elementCount, fault, type Dtype } from '#core'
import { createWholeFile } from '#platform/disk'
import { MAX_SAFETENSORS_HEADER } from './limits.ts'

export interface TensorLayout {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly number[]
}

/** A tensor as a whole. */
export interface TensorBytes extends TensorLayout {
  readonly bytes: Uint8Array
}

export interface SafetensorsWriter {
  /** Bytes of one tensor, or a part of them from byte `offset`; parts may come in any order, none twice. */
  write(name: string, bytes: Uint8Array, offset?: number): Promise<void>
  /** Checks that every byte has arrived, then gives the file its name. */
  finish(): Promise<void>
  /** Gives up and removes the unfinished file. */
  abort(): Promise<void>
}

/**
 * Writes whole tensors as one safetensors file; the file has its name only when all of it is there. Throws
 * `tensor.shape` when bytes do not fit their shape, `usage.value` for a name that comes twice, `file.write`.
 *
 * @example
 * ```ts
 * import { openTensors, writeSafetensors } from 'strata-lm/formats'
 *
 * const values = Float32Array.of(1, 2, 3, 4, 5, 6)
 * await writeSafetensors('out.safetensors', [
 *   { name: 'weight', dtype: 'F32', shape: [2, 3], bytes: new Uint8Array(values.buffer) },
 * ])
 * const tensors = await openTensors('out.safetensors')
 * console.log(tensors.info('weight')) // → { name: 'weight', dtype: 'F32', shape: [ 2, 3 ], byteLength: 24 }
 * await tensors.close()
 * ```
 */
export async function writeSafetensors(
  path: string,
  tensors: Iterable<TensorBytes>,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const list = [...tensors]
  const writer = await createSafetensorsWriter(path, list, metadata)
  try {
    for (const { name, bytes } of list) await writer.write(name, bytes)
    await writer.finish()
  } catch (error) {
    await writer.abort()
    throw error
  }
}

/**
 * A writer for tensors whose bytes come one by one, in any order; memory stays that of one piece. The header is padded
 * with spaces to a multiple of 8 bytes. Throws `usage.value` (a name that comes twice, or is not Unicode),
 * `tensor.shape`, `file.write`.
 *
 * @example
 * ```ts
 * import { createSafetensorsWriter, openTensors, readFloat32 } from 'strata-lm/formats'
 *
 * const writer = await createSafetensorsWriter('out.safetensors', [{ name: 'weight', dtype: 'F32', shape: [2, 1] }])
 * await writer.write('weight', new Uint8Array(Float32Array.of(1).buffer))
 * await writer.write('weight', new Uint8Array(Float32Array.of(2).buffer), 4)
 * await writer.finish()
 * const tensors = await openTensors('out.safetensors')
 * console.log([...(await readFloat32(tensors, 'weight'))]) // → [ 1, 2 ]
 * await tensors.close()
 * ```
 */
export async function createSafetensorsWriter(
  path: string,
  layout: readonly TensorLayout[],
  metadata: Readonly<Record<string, string>> = {},
): Promise<SafetensorsWriter> {
  const places = placesOf(layout, path)
  const header = headerBytes(places, metadata, path)
  const file = await createWholeFile(path, { folders: false })
  await file.write(header, 0)
  return {
    async write(name, bytes, offset = 0) {
      const place = places.get(name)
      if (!place) throw fault('tensor.missing', { place: path, what: `no tensor named ${name} in the layout` })
      if (!Number.isSafeInteger(offset) || offset < 0 || offset + bytes.length > place.byteLength) {
        throw fault('tensor.shape', {
          place: `${path}: ${name}`,
          what: 'bytes do not fit the shape',
          seen: `${offset} + ${bytes.length}`,
          wanted: `at most ${place.byteLength}`,
        })
      }
      addPart(place.parts, offset, offset + bytes.length, `${path}: ${name}`)
      await file.write(bytes, header.length + place.begin + offset)
    },
    async finish() {
      for (const [name, { byteLength, parts }] of places) {
        const written = parts.reduce((sum, [from, to]) => sum + to - from, 0)
        if (written !== byteLength) {
          await file.abort()
          throw fault('tensor.shape', {
            place: `${path}: ${name}`,
            what: 'not all bytes were written',
            seen: written,
            wanted: byteLength,
          })
        }
      }
      await file.commit()
    },
    abort: () => file.abort(),
  }
}

interface Place extends TensorLayout {
  begin: number
  byteLength: number
  /** Byte ranges written so far, disjoint. */
  parts: [from: number, to: number][]
}

function placesOf(layout: readonly TensorLayout[], path: string): Map<string, Place> {
  const places = new Map<string, Place>()
  let begin = 0
  for (const { name, dtype, shape } of layout) {
    const place = `${path}: ${name}`
    if (places.has(name) || name === '__metadata__')
      throw fault('usage.value', { place, what: 'a tensor name must be unique and not __metadata__' })
    if (/\p{Surrogate}/u.test(name)) throw fault('usage.value', { place, what: 'tensor name is not valid Unicode' })
    if (!Object.hasOwn(dtypes, dtype)) throw fault('tensor.dtype', { place, what: 'unknown dtype', seen: dtype })
    const byteLength = elementCount(shape) * dtypeBytes(dtype)
    if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0) || !Number.isSafeInteger(begin + byteLength)) {
      throw fault('tensor.shape', { place, what: 'shape must be counts', seen: shape })
    }
    places.set(name, { name, dtype, shape, begin, byteLength, parts: [] })
    begin += byteLength
  }
  return places
}

function headerBytes(
  places: ReadonlyMap<string, Place>,
  metadata: Readonly<Record<string, string>>,
  path: string,
): Uint8Array {
  // Text by hand: an object would move names like "0" to the front.
  const fields = Array.from(places.values(), ({ name, dtype, shape, begin, byteLength }) => {
    return `${JSON.stringify(name)}:${JSON.stringify({ dtype, shape, data_offsets: [begin, begin + byteLength] })}`
  })
  if (Object.keys(metadata).length > 0) fields.unshift(`"__metadata__":${JSON.stringify(metadata)}`)
  const json = Buffer.from(`{${fields.join(',')}}`)
  const length = Math.ceil(json.length / 8) * 8
  if (length > MAX_SAFETENSORS_HEADER)
    throw fault('format.limit', {
      place: path,
      what: 'header is too long',
      seen: length,
      wanted: `at most ${MAX_SAFETENSORS_HEADER}`,
    })
  const bytes = Buffer.alloc(8 + length, ' ')
  bytes.writeBigUInt64LE(BigInt(length))
  json.copy(bytes, 8)
  return bytes
}

function addPart(parts: [number, number][], from: number, to: number, place: string): void {
  const clash = parts.find(([a, b]) => from < b && a < to)
  if (clash)
    throw fault('usage.conflict', {
      place,
      what: 'bytes written twice',
      seen: [from, to],
      wanted: `not ${clash.join('–')}`,
    })
  // Pieces mostly come in order: growing the last part keeps the list short.
  const last = parts.at(-1)
  if (last && last[1] === from) last[1] = to
  else parts.push([from, to])
}
