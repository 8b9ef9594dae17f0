/** A grid of numbers as colours, with the numbers written where there is room. */
import { slant } from './axis-labels.ts'
import { caption, type Caption, type Layers, type Picture } from './picture.ts'

export interface Axis {
  readonly title: string
  readonly labels: readonly string[]
  /** The labels that are shown; default all. */
  readonly shown?: readonly string[] | undefined
}

export interface ShadedCells extends Caption {
  /** Rows from top to bottom. */
  readonly rows: Axis
  readonly columns: Axis
  /** Meaning of the colours. */
  readonly legend: string
  readonly domain: readonly [low: number, high: number]
  /** By row and column; a cell without a value has no colour. */
  readonly cells: readonly (readonly Cell[])[]
  /** Size of a cell in pixels; `least`: width down to which it shrinks on a narrow page, default 5. */
  readonly cell: { readonly width: number; readonly height: number; readonly least?: number | undefined }
}

export interface Cell {
  readonly value: number | null
  readonly text?: string | undefined
  readonly framed?: boolean | undefined
}

/**
 * Above this share of viridis, black ink is easier to read: there its luminance passes 0.18, as far from white as from
 * black.
 */
const lightFrom = 0.42

function inkOn(share: number): string {
  return share >= lightFrom ? '#000000' : '#FFFFFF'
}

/** Colours are viridis: perceptually uniform, and ordered by lightness for readers who see no hues. */
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
    usermeta: { columns: columns.labels.length, labels: [...(rows.shown ?? rows.labels)], least: cell.least },
    width: { step: cell.width },
    height: { step: cell.height },
    data: { values },
    encoding: {
      x: {
        field: 'column',
        type: 'nominal',
        sort: null,
        title: columns.title,
        // a column whose first cell has no value keeps its place
        scale: { padding: 0, domain: [...columns.labels] },
        axis: {
          ...written,
          orient: 'bottom',
          values: [...across],
          ...slant(across, ((cell.least ?? cell.width) * columns.labels.length) / Math.max(1, across.length)),
        },
      },
      y: {
        field: 'row',
        type: 'nominal',
        sort: null,
        title: rows.title,
        scale: { padding: 0, domain: [...rows.labels] },
        axis: { ...written, values: [...(rows.shown ?? rows.labels)] },
      },
    },
    layer: [
      colours(legend, { low, high }, rows.labels.length * cell.height),
      ...(values.some(({ framed }) => framed) ? [frames] : []),
      ...(values.some(({ text }) => text !== '') ? texts : []),
    ],
    resolve: { scale: { color: 'independent' } },
  }
}

/** The legend is as long as the grid is high, within readable limits. */
function colours(title: string, { low, high }: { low: number; high: number }, height: number): Layers[number] {
  return {
    transform: [{ filter: 'isValid(datum.value)' }],
    mark: { type: 'rect' },
    encoding: {
      color: {
        field: 'value',
        type: 'quantitative',
        scale: { scheme: 'viridis', domain: [low, high], clamp: true },
        legend: { title, gradientLength: Math.max(80, Math.min(200, height)) },
      },
    },
  }
}

const frames: Layers[number] = {
  transform: [{ filter: 'datum.framed' }],
  mark: { type: 'rect', fillOpacity: 0, stroke: '#000000', strokeWidth: 2.5 },
}

/** On coloured cells the ink that is readable there, elsewhere the quiet one. */
const texts: Layers = [
  {
    transform: [{ filter: 'isValid(datum.value)' }],
    mark: { type: 'text', fontSize: 11, baseline: 'middle' },
    encoding: {
      text: { field: 'text' },
      color: { field: 'ink', type: 'nominal', scale: null, legend: null },
    },
  },
  {
    transform: [{ filter: '!isValid(datum.value)' }],
    mark: { type: 'text', color: { expr: 'quiet' }, fontSize: 11, baseline: 'middle' },
    encoding: { text: { field: 'text' } },
  },
]
