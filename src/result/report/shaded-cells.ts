/** A grid of numbers as colour, and as text where there is room for it. */
import { slant } from './axis-labels.ts'
import { caption, type Caption, type Picture } from './picture.ts'

export interface Axis {
  readonly title: string
  readonly labels: readonly string[]
  /** Those of the labels that are written; default all. */
  readonly shown?: readonly string[] | undefined
}

export interface ShadedCells extends Caption {
  /** Rows go down, the first on top. */
  readonly rows: Axis
  readonly columns: Axis
  /** What colours mean. */
  readonly legend: string
  readonly domain: readonly [low: number, high: number]
  /** By row and column; where there is no value there is no colour. */
  readonly cells: readonly (readonly Cell[])[]
  /** Pixels of a cell. */
  readonly cell: { readonly width: number; readonly height: number }
}

export interface Cell {
  readonly value: number | null
  readonly text?: string | undefined
  readonly framed?: boolean | undefined
}

/**
 * Above this share of the way up viridis, black is the ink that is easier to read: there its luminance passes 0.18, as
 * far from white as from black.
 */
const lightFrom = 0.42

/** Colours are viridis: evenly spaced to the eye, and in order of lightness for who sees no hues. */
export function shadedCells({
  rows,
  columns,
  legend,
  domain: [low, high],
  cells,
  cell,
  ...named
}: ShadedCells): Picture {
  const values = cells.flatMap((line, i) =>
    line.map(({ value, text = '', framed = false }, j) => ({
      row: rows.labels[i],
      column: columns.labels[j],
      ...(value === null ? {} : { value }),
      text,
      framed,
      ink: value === null ? null : inkOn((value - low) / (high - low)),
    })),
  )
  const across = columns.shown ?? columns.labels
  const written = { labelOverlap: false, labelLimit: 320, ticks: false, domain: false, offset: 2 } as const
  return {
    title: caption(named),
    width: { step: cell.width },
    height: { step: cell.height },
    data: { values },
    encoding: {
      x: {
        field: 'column',
        type: 'nominal',
        sort: null,
        title: columns.title,
        scale: { padding: 0 },
        axis: {
          ...written,
          orient: 'bottom',
          values: [...across],
          ...slant(across, (cell.width * columns.labels.length) / Math.max(1, across.length)),
        },
      },
      y: {
        field: 'row',
        type: 'nominal',
        sort: null,
        title: rows.title,
        scale: { padding: 0 },
        axis: { ...written, values: [...(rows.shown ?? rows.labels)] },
      },
    },
    layer: [
      {
        transform: [{ filter: 'isValid(datum.value)' }],
        mark: { type: 'rect' },
        encoding: {
          color: {
            field: 'value',
            type: 'quantitative',
            scale: { scheme: 'viridis', domain: [low, high], clamp: true },
            legend: { title: legend, gradientLength: Math.max(80, Math.min(200, rows.labels.length * cell.height)) },
          },
        },
      },
      ...(values.some(({ framed }) => framed) ? [frames] : []),
      ...(values.some(({ text }) => text !== '') ? words : []),
    ],
    resolve: { scale: { color: 'independent' } },
  }
}

/** On a colour so far up the scale. */
function inkOn(share: number): string {
  return share >= lightFrom ? '#000000' : '#FFFFFF'
}

const frames = {
  transform: [{ filter: 'datum.framed' }],
  mark: { type: 'rect' as const, fillOpacity: 0, stroke: '#000000', strokeWidth: 2.5 },
}

const words = [
  {
    transform: [{ filter: 'isValid(datum.value)' }],
    mark: { type: 'text' as const, fontSize: 11, baseline: 'middle' as const },
    encoding: {
      text: { field: 'text' },
      color: { field: 'ink', type: 'nominal' as const, scale: null, legend: null },
    },
  },
  {
    transform: [{ filter: '!isValid(datum.value)' }],
    mark: { type: 'text' as const, color: { expr: 'quiet' }, fontSize: 11, baseline: 'middle' as const },
    encoding: { text: { field: 'text' } },
  },
]
