/** Named rows × named columns as colour: a table of numbers that is read by its patterns. */
import { decimals } from '#core'
import { thinned } from './axis-labels.ts'
import type { Caption, Picture } from './picture.ts'
import { shadedCells } from './shaded-cells.ts'

interface Side {
  /** Title of the axis. */
  readonly title: string
  /** From top to bottom, or from left to right. */
  readonly labels: readonly string[]
}

export interface HeatMap extends Caption {
  /** Meaning of a cell: the legend's title. */
  readonly metric: string
  readonly rows: Side
  readonly columns: Side
  /** [rows][columns], as drawn; a cell with null has no colour. */
  readonly values: readonly (readonly (number | null)[])[]
  /** Domain of the colours; default: the smallest and the largest value. */
  readonly domain?: readonly [number, number] | undefined
  /** A value as written in its cell. Default: with two decimals. */
  readonly written?: ((value: number) => string) | undefined
  /** Text of a cell with null. Default: none. */
  readonly missing?: string | undefined
  /** Every row and column has its name, however many there are: a narrow page scrolls the picture. */
  readonly isEveryNamed?: boolean | undefined
}

/** Up to this number of rows and columns, values are written in the cells. */
const mostWritten = 14
/** Maximum number of labels along an axis. */
const labels = 26
/** Width of a grid with many columns, in pixels. */
const room = 560
/** Least side of a cell whose row and column have names, in pixels: the height of a line. */
const line = 14

export function heatMap({
  metric,
  rows,
  columns,
  values,
  domain,
  written = (value) => decimals(value, 2),
  missing = '',
  isEveryNamed = false,
  ...named
}: HeatMap): Picture {
  const most = Math.max(rows.labels.length, columns.labels.length)
  const isWritten = most <= mostWritten
  const side = isWritten ? 40 : Math.max(isEveryNamed ? line : 6, Math.floor(room / most))
  const across = isWritten ? labels : Math.floor((side * columns.labels.length) / 30)
  return shadedCells({
    ...named,
    rows: { ...rows, shown: isEveryNamed ? undefined : thinned(rows.labels, labels) },
    columns: { ...columns, shown: isEveryNamed ? undefined : thinned(columns.labels, across) },
    legend: metric,
    domain: domain ?? spread(values.flat().filter((value) => value !== null)),
    cell: { width: side, height: side, least: isEveryNamed && !isWritten ? line : undefined },
    cells: values.map((own) =>
      own.map((value) => {
        if (value === null) return { value, text: missing }
        return isWritten ? { value, text: written(value) } : { value }
      }),
    ),
  })
}

/** Never empty: a colour scale needs two different ends. */
function spread(values: readonly number[]): [number, number] {
  if (values.length === 0) return [0, 1]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return low < high ? [low, high] : [low - 0.5, high + 0.5]
}
