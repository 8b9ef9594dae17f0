/** Rows as inputs of a graph that continues from a past: ids, places, and which token sees which. */
import { fault } from '#core'
import type { Graph } from '#model/graph'
import type { Feeds } from '#platform/runtime'
import type { PackedTokens } from './pack-tokens.ts'
import type { SourceRows } from './source-rows.ts'

/** Kept of tokens that passed before: `past.<block>.<part>` → its values. */
export interface PastStates {
  readonly length: number
  readonly states: ReadonlyMap<string, { readonly dims: readonly number[]; readonly data: Float32Array }>
}

export const noPast: PastStates = { length: 0, states: new Map() }

export interface RowsFed {
  readonly rows: number
  /** New columns, padding included. */
  readonly cols: number
  /** [rows × cols] */
  readonly ids: Int32Array
  readonly places: Int32Array
  /** [rows × cols], 1 for tokens; scans ask for it. */
  readonly mask: Int32Array
  /** [rows × (past + cols)] */
  readonly keyPlaces: Int32Array
  /** [rows × cols × (past + cols)] for blocks that see `window` places back (Infinity: all). */
  readonly visible: (window: number) => Int32Array
  readonly past: PastStates
  /** What an encoder has read, for decoders that attend to it: a row for each. */
  readonly source?: SourceRows | undefined
}

/** Buffers of the past and of the source are handed over with the call. */
export function graphFeeds(
  { inputs }: Pick<Graph, 'inputs'>,
  { rows, cols, ids, places, mask, keyPlaces, visible, past, source }: RowsFed,
): Feeds {
  const all = past.length + cols
  const feed = (name: string, axes: readonly (string | number)[]): Feeds[string] => {
    const integers = (data: Int32Array, dims: readonly number[]): Feeds[string] => ({ dtype: 'int32', dims, data })
    if (name === 'input_ids') return integers(ids, [rows, cols])
    if (name === 'attention_mask') return integers(mask, [rows, cols])
    if (name === 'position_ids') return integers(places, [rows, cols])
    if (name === 'key_positions') return integers(keyPlaces, [rows, all])
    if (name === 'visible') return integers(visible(Infinity), [rows, cols, all])
    if (name.startsWith('visible.')) return integers(visible(Number(name.slice('visible.'.length))), [rows, cols, all])
    if (name.startsWith('past.')) return { dtype: 'float32', ...(past.states.get(name) ?? emptyState(axes, rows)) }
    if (name === 'source_mask' && source !== undefined) return integers(source.mask, [rows, source.cols])
    const state = source?.states.get(name)
    if (state !== undefined) return { dtype: 'float32', ...state }
    throw fault('internal', { place: name, what: 'no such input for rows with a past' })
  }
  const own = inputs.filter(({ name }) => name !== 'picked' && name !== 'targets')
  return Object.fromEntries(own.map(({ name, dims }) => [name, feed(name, dims)]))
}

/** What a scan begins with is zeros; attention begins with no columns at all. */
function emptyState(axes: readonly (string | number)[], rows: number): { dims: number[]; data: Float32Array } {
  const named = (axis: string): number => (axis === 'rows' ? rows : 0)
  const dims = axes.map((axis) => (typeof axis === 'number' ? axis : named(axis)))
  return { dims, data: new Float32Array(dims.reduce((product, size) => product * size, 1)) }
}

/** A copy, where the past is needed again. */
export function copyPast({ length, states }: PastStates): PastStates {
  return {
    length,
    states: new Map(Array.from(states, ([name, { dims, data }]) => [name, { dims, data: data.slice() }])),
  }
}

/**
 * Packed rows, padded at their end to the longest. With a past there is one row, and its tokens see all of the past
 * within a block's window.
 */
export function packedRows(rows: readonly PackedTokens[], past: PastStates, padId: number): RowsFed {
  const cols = Math.max(1, ...rows.map(({ ids }) => ids.length))
  const all = past.length + cols
  const ids = new Int32Array(rows.length * cols).fill(padId)
  const places = new Int32Array(rows.length * cols)
  const mask = new Int32Array(rows.length * cols)
  const keyPlaces = new Int32Array(rows.length * all)
  rows.forEach((row, r) => {
    ids.set(row.ids, r * cols)
    places.set(row.places, r * cols)
    mask.fill(1, r * cols, r * cols + row.ids.length)
    for (let p = 0; p < past.length; p++) keyPlaces[r * all + p] = p
    keyPlaces.set(row.places, r * all + past.length)
  })
  return {
    rows: rows.length,
    cols,
    ids,
    places,
    mask,
    keyPlaces,
    visible: (window) => pathsSeen(rows, { cols, before: past.length, window }),
    past,
  }
}

/** 1 where a new token sees a token: those on its path, at most window − 1 places back. */
function pathsSeen(
  rows: readonly PackedTokens[],
  { cols, before, window }: { cols: number; before: number; window: number },
): Int32Array {
  const all = before + cols
  const seen = new Int32Array(rows.length * cols * all)
  rows.forEach(({ parents, places }, r) => {
    for (let i = 0; i < parents.length; i++) {
      const start = (r * cols + i) * all
      const parent = parents[i] ?? -1
      if (parent < 0) seen.fill(1, start, start + before)
      else seen.copyWithin(start, (r * cols + parent) * all, (r * cols + parent + 1) * all)
      seen[start + before + i] = 1
      const out = (places[i] ?? 0) - window
      if (out < 0) continue
      seen.fill(0, start, start + Math.min(before, out + 1))
      for (let j = 0; j < i; j++) if ((places[j] ?? 0) <= out) seen[start + before + j] = 0
    }
  })
  return seen
}
