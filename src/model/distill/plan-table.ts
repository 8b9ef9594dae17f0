/** What a table will be, before a token has passed the model. */
import { fault } from '#core'
import type { TableDtype } from './narrow-table.ts'
import type { TableDims } from './reduce-table.ts'

export interface TablePlan {
  /** Width of a row; undefined where a share of the variance decides it. */
  readonly width: number | undefined
  /** Bytes of the tensors in their file. */
  readonly bytes: number | undefined
  /** Bytes of the token vectors that the axes are found in, and of what finding them takes. */
  readonly workingBytes: number
  readonly notes: readonly string[]
}

export interface TableShape {
  readonly tokens: number
  /** Rows that the tokens share; undefined: each has its own. */
  readonly clusters: number | undefined
  /** Width of the model's state. */
  readonly stateWidth: number
  readonly dims: TableDims
  /** The dimensions were asked for, and are not the default. */
  readonly isAsked: boolean
  readonly dtype: TableDtype
}

const bytesOf = { float32: 4, float16: 2, int8: 1 } as const satisfies Record<TableDtype, number>

/** A token's row as int32, and its weight as float64, where rows are shared. */
const sharedBytes = 4 + 8

/**
 * Throws `usage.value` for as many clusters as tokens, and for more dimensions than the state or the rows can give where
 * they were asked for; the default gives way, with a note.
 */
export function planTable({ tokens, clusters, stateWidth, dims, isAsked, dtype }: TableShape): TablePlan {
  if (clusters !== undefined && !(Number.isInteger(clusters) && clusters >= 1 && clusters < tokens))
    throw fault('usage.value', {
      place: '--vocabulary-quantization',
      what: 'must be a number of rows below the number of tokens',
      seen: clusters,
      wanted: `1 … ${tokens - 1}`,
    })
  const rows = clusters ?? tokens
  const most = Math.min(stateWidth, rows - 1)
  const notes: string[] = []
  if (typeof dims === 'number' && dims >= 1 && dims > most) {
    if (isAsked)
      throw fault('usage.value', {
        place: '--pca-dims',
        what:
          stateWidth <= rows - 1
            ? 'more components than the model’s state is wide'
            : `more components than the ${clusters === undefined ? 'tokens' : 'clusters'} have between them`,
        seen: dims,
        wanted: most < 1 ? 'none' : `1 … ${most}, auto or none`,
      })
    notes.push(`${dims} components are more than ${most}: ${stateWidth < rows ? 'all are kept' : 'none are taken'}`)
  }
  const width = typeof dims === 'number' && dims < 1 ? undefined : widthOf(dims, stateWidth, rows)
  const shared = clusters === undefined ? 0 : tokens * sharedBytes
  return {
    width,
    bytes: width === undefined ? undefined : rows * width * bytesOf[dtype] + shared,
    // float32 vectors, centres and the next ones; covariance, axes and two matrices of the solver in float64
    workingBytes:
      (tokens + 2 * (clusters ?? 0)) * stateWidth * 4 + (dims === 'none' ? 0 : 4 * stateWidth ** 2 * 8) + shared,
    notes,
  }
}

function widthOf(dims: TableDims, stateWidth: number, rows: number): number {
  if (dims === 'none' || dims === 'auto') return stateWidth
  const width = Math.min(dims, stateWidth)
  return width >= rows ? stateWidth : width
}
