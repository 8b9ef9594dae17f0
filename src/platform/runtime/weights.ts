/**
 * Where a graph's weights lie, said in the engine's terms.
 *
 * The engine takes relative locations inside one folder, refuses links that leave it, and takes tensors from memory
 * only for all of a graph at once. So a graph with files is opened in place: the folder is the root of the file system,
 * every location becomes the real path below it (any folders, any file systems, nothing linked, nothing copied), and
 * bytes in memory join the graph. A graph without files is opened from memory, where each worker holds the bytes while
 * it loads and then its own copy. Files, too, are read into memory when they lie on several roots (drives of Windows),
 * or together with more bytes than a protobuf message holds.
 *
 * Tensors without bytes always join the graph: from an empty file the engine maps nothing and aborts the process when
 * it gives that back; from memory it refuses them.
 */
import { open, realpath, stat } from 'node:fs/promises'
import { parse, sep } from 'node:path'
import { asFault, fault } from '#core'
import { type ExternalTensor, moveTensors } from '#platform/onnx'

/** ONNX bytes whose external tensors name a `location`: of a local file (links allowed), or of bytes in memory. */
export interface RunnableGraph {
  readonly model: Uint8Array
  readonly externals: readonly { readonly location: string; readonly path: string }[]
  readonly inline: readonly { readonly location: string; readonly data: Uint8Array }[]
}

/** Part of a file, read when the session is made. */
export interface FileRange {
  readonly path: string
  readonly offset: number
  readonly byteLength: number
}

/**
 * What a worker needs to make a session: the graph, the folder its locations count from, and tensors that do not come
 * from there.
 */
export interface PlacedGraph {
  readonly model: Uint8Array
  readonly folder: string | undefined
  readonly memory: readonly { readonly location: string; readonly data: Uint8Array | FileRange }[]
}

/** Bytes that may join the graph itself; protobuf messages end at 2 GiB. */
const joinLimit = 1 << 30

/**
 * Throws `engine.load` for bytes that are no ONNX graph and for locations nobody gave, `file.missing` or
 * `file.unreadable` for files.
 */
export async function placeWeights(
  { model, externals, inline }: RunnableGraph,
  { inMemory = false }: { inMemory?: boolean } = {},
): Promise<PlacedGraph> {
  const files = new Map(
    await Promise.all(externals.map(async ({ location, path }) => [location, await realFile(path)] as const)),
  )
  const bytes = new Map(inline.map(({ location, data }) => [location, data] as const))
  const roots = new Set([...files.values()].map(({ path }) => parse(path).root))
  const inlineBytes = inline.reduce((sum, { data }) => sum + data.length, 0)

  if (roots.size !== 1 || inlineBytes > joinLimit || inMemory) return placeInMemory(model, files, bytes)
  const [root] = roots
  return {
    model: moveTensors(model, (tensor) => {
      const data = bytes.get(tensor.location)
      if (data !== undefined) return { data: sliceOf(data, tensor) }
      const file = files.get(tensor.location)
      if (file === undefined) throw unknownLocation(tensor)
      if (rangeWithin(file.byteLength, tensor).byteLength === 0) return { data: new Uint8Array() }
      return { location: file.path.slice(parse(file.path).root.length).replaceAll(sep, '/') }
    }),
    folder: root,
    memory: [],
  }
}

function placeInMemory(
  model: Uint8Array,
  files: ReadonlyMap<string, RealFile>,
  bytes: ReadonlyMap<string, Uint8Array>,
): PlacedGraph {
  const memory: { location: string; data: Uint8Array | FileRange }[] = []
  const rewritten = moveTensors(model, (tensor) => {
    const data = bytes.get(tensor.location)
    const file = files.get(tensor.location)
    const location = `${memory.length}`
    if (data === undefined && file === undefined) throw unknownLocation(tensor)
    const range = rangeWithin(data?.length ?? file?.byteLength ?? 0, tensor)
    if (range.byteLength === 0) return { data: new Uint8Array() }
    if (data !== undefined) memory.push({ location, data: sliceOf(data, tensor) })
    else if (file !== undefined) memory.push({ location, data: { path: file.path, ...range } })
    return { location, offset: 0 }
  })
  return { model: rewritten, folder: undefined, memory }
}

interface RealFile {
  readonly path: string
  readonly byteLength: number
}

async function realFile(path: string): Promise<RealFile> {
  try {
    const real = await realpath(path)
    const info = await stat(real)
    if (!info.isFile()) throw fault('file.unreadable', { place: path, what: 'weights are not in a regular file' })
    return { path: real, byteLength: info.size }
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    throw asFault(error, missing ? 'file.missing' : 'file.unreadable', path)
  }
}

function sliceOf(data: Uint8Array, tensor: ExternalTensor): Uint8Array {
  const { offset, byteLength } = rangeWithin(data.length, tensor)
  return data.subarray(offset, offset + byteLength)
}

function rangeWithin(
  available: number,
  { name, location, offset, byteLength = available - offset }: ExternalTensor,
): { offset: number; byteLength: number } {
  if (offset + byteLength > available || byteLength < 0) {
    throw fault('engine.load', {
      place: `${location} › ${name}`,
      what: 'weights end beyond their file',
      seen: offset + byteLength,
      wanted: `at most ${available}`,
    })
  }
  return { offset, byteLength }
}

function unknownLocation({ name, location }: ExternalTensor) {
  return fault('engine.load', { place: name, what: 'the graph names weights that were not given', seen: location })
}

/** Bytes that are there, or read now. Throws `file.unreadable`. */
export async function bytesOf(data: Uint8Array | FileRange): Promise<Uint8Array> {
  if (data instanceof Uint8Array) return data
  const { path, offset, byteLength } = data
  try {
    const file = await open(path)
    try {
      const bytes = new Uint8Array(byteLength)
      for (let at = 0; at < byteLength;) {
        // One read of the system ends at 2 GiB.
        const { bytesRead } = await file.read(bytes, at, Math.min(byteLength - at, 1 << 30), offset + at)
        if (bytesRead === 0)
          throw fault('file.unreadable', { place: path, what: 'file became shorter while it was read' })
        at += bytesRead
      }
      return bytes
    } finally {
      await file.close()
    }
  } catch (error) {
    throw asFault(error, 'file.unreadable', path)
  }
}
