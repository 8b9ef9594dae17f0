/** What goes into a run and comes out of it, and which engine types that covers. */
import { fault } from '#core'

/** A dense tensor, row-major; `data` has exactly the product of `dims` elements. */
export type Feed =
  | { readonly dtype: 'float32'; readonly dims: readonly number[]; readonly data: Float32Array }
  | { readonly dtype: 'int32'; readonly dims: readonly number[]; readonly data: Int32Array }
  | { readonly dtype: 'int64'; readonly dims: readonly number[]; readonly data: BigInt64Array }

export type Output = Feed
export type Feeds = Readonly<Record<string, Feed>>
export type Outputs = Record<string, Output>

/**
 * An input or output as the engine knows it; a free dimension has a name instead of a size (the empty name when the
 * graph gives none).
 */
export interface ValueInfo {
  readonly name: string
  readonly dtype: Feed['dtype']
  readonly dims: readonly (number | string)[]
}

/** Memory of each type that sessions carry. */
export const arrays = { float32: Float32Array, int32: Int32Array, int64: BigInt64Array } as const satisfies Record<
  Feed['dtype'],
  unknown
>

/** The type of an input or output; throws `engine.load` for one that sessions do not carry. */
export function carriedType(name: string, type: string): Feed['dtype'] {
  if (type === 'float32' || type === 'int32' || type === 'int64') return type
  throw fault('engine.load', {
    place: name,
    what: 'input or output has a type that sessions do not carry',
    seen: type,
    wanted: Object.keys(arrays),
  })
}

/**
 * Throws `engine.run` unless every input is fed once, with its dtype, rank and fixed sizes, and data of the length its
 * dims say.
 */
export function checkFeeds(inputs: readonly ValueInfo[], feeds: Feeds): void {
  const known = inputs.map((input) => input.name)
  const extra = Object.keys(feeds).find((name) => !known.includes(name))
  if (extra !== undefined)
    throw fault('engine.run', { place: extra, what: 'the graph has no such input', wanted: known })
  for (const { name, dtype, dims } of inputs) {
    const feed = feeds[name]
    if (feed === undefined)
      throw fault('engine.run', { place: name, what: 'input is missing', seen: Object.keys(feeds), wanted: known })
    if (feed.dtype !== dtype || !(feed.data instanceof arrays[dtype]))
      throw fault('engine.run', { place: name, what: 'input has another type', seen: feed.dtype, wanted: dtype })
    const fits =
      feed.dims.length === dims.length &&
      dims.every((size, axis) => typeof size === 'string' || size === feed.dims[axis])
    if (!fits)
      throw fault('engine.run', { place: name, what: 'input has another shape', seen: feed.dims, wanted: dims })
    if (!feed.dims.every((size) => Number.isSafeInteger(size) && size >= 0))
      throw fault('engine.run', { place: name, what: 'input has an impossible shape', seen: feed.dims })
    const elements = feed.dims.reduce((product, size) => product * size, 1)
    if (feed.data.length !== elements)
      throw fault('engine.run', {
        place: name,
        what: 'data does not fit the shape',
        seen: feed.data.length,
        wanted: elements,
      })
  }
}

/**
 * Buffers that may move to another thread without a copy: whole ones, each once. A view into a larger buffer is copied,
 * because moving it would take its neighbours along.
 */
export function transferable(tensors: Iterable<Feed>): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  const shared = new Set<ArrayBufferLike>()
  for (const { data } of tensors) {
    if (buffers.has(data.buffer as ArrayBuffer)) shared.add(data.buffer)
    else if (data.buffer instanceof ArrayBuffer && data.byteLength === data.buffer.byteLength && data.byteLength > 0)
      buffers.add(data.buffer)
  }
  return [...buffers].filter((buffer) => !shared.has(buffer))
}
