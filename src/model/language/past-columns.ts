/**
 * Keys and values of texts that are being written, with room behind them: new columns are put there, and those before
 * them stay where they are.
 */
import { fault } from '#core'
import type { Graph } from '#model/graph'
import type { Outputs } from '#platform/runtime'
import { noPast, type PastStates } from './pack-feeds.ts'

export interface PastColumns {
  /** Columns of tokens; those behind them, up to `past.length`, are room. */
  readonly used: number
  readonly past: PastStates
}

export const noColumns: PastColumns = { used: 0, past: noPast }

/** Columns of room that are made at once. */
const room = 64

/** Names of the past inputs that are fed and written to again. */
export function fedColumns({ inputs }: Pick<Graph, 'inputs'>, { past }: PastColumns): string[] {
  return past.length === 0
    ? []
    : inputs.flatMap(({ name, dims }) => (name.startsWith('past.') && dims.includes('past') ? [name] : []))
}

/**
 * The states that a pass over `cols` new columns leaves. `outputs` hold the keys and values of these alone [rows ×
 * heads × cols × width], and the tensors fed for the columns before come back; the new state of a scan replaces its old
 * one. Throws `engine.run`.
 */
export function keepColumns(
  { used, past }: PastColumns,
  outputs: Outputs,
  { graph, cols }: { graph: Pick<Graph, 'outputs'>; cols: number },
): PastColumns {
  const end = used + cols
  const length = end <= past.length ? past.length : end + room
  const states = graph.outputs.flatMap(({ name, kind, dims: axes }) => {
    if (kind !== 'present') return []
    const own = name.replace('present', 'past')
    const { dims, data } = floatsOf(outputs, name)
    if (axes?.includes('cols') !== true) return [[own, { dims, data }] as const]
    const [rows = 0, heads = 0, , width = 0] = dims
    const columns = past.length === 0 ? new Float32Array(0) : floatsOf(outputs, own).data
    const kept = length === past.length ? columns : new Float32Array(rows * heads * length * width)
    for (let i = 0; i < rows * heads; i++) {
      if (kept !== columns)
        kept.set(columns.subarray(i * past.length * width, (i * past.length + used) * width), i * length * width)
      kept.set(data.subarray(i * cols * width, (i + 1) * cols * width), (i * length + used) * width)
    }
    return [[own, { dims: [rows, heads, length, width], data: kept }] as const]
  })
  return { used: end, past: { length, states: new Map(states) } }
}

/** The kept states of some of the rows. */
export function pickRows({ used, past }: PastColumns, left: readonly number[], rows: number): PastColumns {
  const picked = Array.from(past.states, ([name, { dims, data }]) => {
    const size = data.length / rows
    const kept = new Float32Array(left.length * size)
    left.forEach((row, r) => kept.set(data.subarray(row * size, (row + 1) * size), r * size))
    return [name, { dims: [left.length, ...dims.slice(1)], data: kept }] as const
  })
  return { used, past: { length: past.length, states: new Map(picked) } }
}

function floatsOf(outputs: Outputs, name: string): { dims: readonly number[]; data: Float32Array } {
  const value = outputs[name]
  if (value?.dtype !== 'float32') throw fault('engine.run', { place: name, what: 'the graph did not give this output' })
  return { dims: value.dims, data: value.data }
}
