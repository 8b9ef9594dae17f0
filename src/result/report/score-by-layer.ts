/** Scores along the layers: where in a model the answer lies. */
import { slant, thinned } from './axis-labels.ts'
import { caption, type Caption, type Picture } from './picture.ts'

/** In 0 … 1; the ends of its interval where one is known. */
export interface ScorePoint {
  readonly score: number
  readonly low?: number | undefined
  readonly high?: number | undefined
}

export interface ScoreLine {
  /** A task, or a model and a task. */
  readonly name: string
  readonly layers: readonly (ScorePoint & { readonly h: number })[]
  /** Representations that are no layer – the model's own, mixes – as flat marks on the right. */
  readonly beside?: readonly (ScorePoint & { readonly name: string })[] | undefined
}

export interface ScoreByLayer extends Caption {
  readonly lines: readonly ScoreLine[]
  /** What tells the lines apart; default `task`. */
  readonly legend?: string | undefined
}

/** Labels along the layers at most. */
const labels = 16
/** Marks that go round with the colours, at another pace, so that no two of 42 lines look the same. */
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down']
/** Width of the plot in pixels. */
const width = 560

/** Scores × 100. Intervals are bands along the layers, bars at flat marks. */
export function scoreByLayer({ lines, legend = 'task', ...named }: ScoreByLayer): Picture {
  const layers = [...new Set(lines.flatMap((line) => line.layers.map(({ h }) => h)))].sort((a, b) => a - b)
  const names = [...new Set(lines.flatMap(({ beside = [] }) => beside.map(({ name }) => name)))]
  const last = layers.at(-1) ?? 0
  // a flat mark has the room that its label needs, however many layers there are
  const step = Math.max(1, Math.ceil((last - (layers[0] ?? 0)) / 14))
  const placeOf = (name: string): number => last + step * (names.indexOf(name) + 1)
  const domain: [number, number] = [(layers[0] ?? 0) - step / 2, last + step * (names.length + 0.5)]
  const room = (width * step) / (domain[1] - domain[0])
  // flat marks of several lines stand side by side
  const aside = (i: number): number => (0.8 * step * (i - (lines.length - 1) / 2)) / lines.length
  const values = lines.flatMap(({ name: line, layers: own, beside = [] }, i) => [
    ...own.map(({ h, ...point }) => ({ line, at: h, flat: false, ...inPoints(point) })),
    ...beside.map(({ name, ...point }) => ({ line, at: placeOf(name) + aside(i), flat: true, ...inPoints(point) })),
  ])
  const colour = {
    field: 'line',
    type: 'nominal' as const,
    sort: null,
    title: lines.length > 1 ? legend : null,
    legend: lines.length > 1 ? {} : null,
  }
  return {
    title: caption(named),
    width,
    height: 320,
    data: { values },
    encoding: {
      x: {
        field: 'at',
        type: 'quantitative',
        title: 'hidden state (h0: token embeddings)',
        scale: { zero: false, nice: false, domain },
        axis: {
          grid: false,
          values: [...thinned(layers, labels), ...names.map(placeOf)],
          labelExpr: `datum.value <= ${last} ? 'h' + datum.value : ${JSON.stringify(names)}[round((datum.value - ${last}) / ${step}) - 1]`,
          labelOverlap: false,
          ...slant(names, room),
        },
      },
      color: colour,
    },
    layer: marks(lines, room, colour),
  }
}

/** Bands and lines along the layers, ticks and bars at flat marks that have so much room. */
function marks(
  lines: ScoreByLayer['lines'],
  room: number,
  { title, legend }: { readonly title: string | null; readonly legend: object | null },
): Extract<Picture, { layer: unknown }>['layer'] {
  return [
    {
      transform: [{ filter: '!datum.flat && isValid(datum.low)' }],
      mark: { type: 'area', opacity: 0.18 },
      encoding: {
        y: { field: 'low', type: 'quantitative', title: 'score × 100', scale: { zero: false } },
        y2: { field: 'high' },
      },
    },
    {
      transform: [{ filter: '!datum.flat' }],
      mark: { type: 'line', strokeWidth: 2 },
      encoding: { y: { field: 'score', type: 'quantitative' } },
    },
    {
      transform: [{ filter: '!datum.flat' }],
      mark: { type: 'point', filled: true, size: 46, opacity: 1 },
      encoding: {
        y: { field: 'score', type: 'quantitative' },
        shape: {
          field: 'line',
          type: 'nominal',
          sort: null,
          scale: { range: lines.map((_, i) => shapes[i % shapes.length] ?? '') },
          title,
          legend,
        },
      },
    },
    {
      transform: [{ filter: 'datum.flat && isValid(datum.low)' }],
      mark: { type: 'rule', strokeWidth: 1.5 },
      encoding: { y: { field: 'low', type: 'quantitative' }, y2: { field: 'high' } },
    },
    {
      transform: [{ filter: 'datum.flat' }],
      mark: {
        type: 'tick',
        orient: 'horizontal',
        thickness: 3,
        size: Math.max(5, (0.7 * room) / lines.length),
        opacity: 1,
      },
      encoding: { y: { field: 'score', type: 'quantitative' } },
    },
  ]
}

function inPoints({ score, low, high }: ScorePoint): { score: number; low?: number; high?: number } {
  return low === undefined || high === undefined
    ? { score: 100 * score }
    : { score: 100 * score, low: 100 * low, high: 100 * high }
}
