/** Scores by layer: where in a model a task is solved best. */
import { slant, thinned } from './axis-labels.ts'
import { caption, type Caption, type Layers, type Picture } from './picture.ts'

/** In 0 … 1, with the ends of its interval where known. */
export interface ScorePoint {
  readonly score: number
  readonly low?: number | undefined
  readonly high?: number | undefined
}

export interface ScoreLine {
  /** A task, or a model and a task. */
  readonly name: string
  readonly layers: readonly (ScorePoint & { readonly h: number })[]
  /** Representations that are not layers – the model's own, mixes – as flat marks on the right. */
  readonly others?: readonly (ScorePoint & { readonly name: string })[] | undefined
}

export interface ScoreByLayer extends Caption {
  readonly lines: readonly ScoreLine[]
  /** Title of the legend; default `task`. */
  readonly legend?: string | undefined
}

/** Maximum number of labels along the layers. */
const labels = 16
/** Marks cycle with a different period than the colours, so that no two of 42 lines look the same. */
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down']
/** Width of the plot in pixels. */
const width = 560

/**
 * Scores by layer, one line per task or model, as a picture; scores are in 0 … 1 and drawn × 100. Intervals are bands
 * along the layers, bars at flat marks.
 *
 * @example
 * ```ts
 * import { renderPicture, scoreByLayer } from 'strata-lm/report'
 *
 * const layers = [0.6, 0.7, 0.75].map((score, h) => ({ h, score, low: score - 0.02, high: score + 0.02 }))
 * const picture = scoreByLayer({ title: 'STS17 by layer', lines: [{ name: 'STS17', layers }] })
 * const svg = Buffer.from(await renderPicture(picture, { format: 'svg' })).toString()
 * console.log(svg.includes('STS17 by layer')) // → true
 * ```
 */
export function scoreByLayer({ lines, legend = 'task', ...named }: ScoreByLayer): Picture {
  const layers = [...new Set(lines.flatMap((line) => line.layers.map(({ h }) => h)))].sort((a, b) => a - b)
  const names = [...new Set(lines.flatMap(({ others = [] }) => others.map(({ name }) => name)))]
  const last = layers.at(-1) ?? 0
  // a flat mark gets the width that its label needs, whatever the number of layers
  const step = Math.max(1, Math.ceil((last - (layers[0] ?? 0)) / 14))
  const placeOf = (name: string): number => last + step * (names.indexOf(name) + 1)
  const domain: [number, number] = [(layers[0] ?? 0) - step / 2, last + step * (names.length + 0.5)]
  const room = (width * step) / (domain[1] - domain[0])
  // flat marks of several lines are drawn next to each other
  const aside = (i: number): number => (0.8 * step * (i - (lines.length - 1) / 2)) / lines.length
  const values = lines.flatMap(({ name: line, layers: own, others = [] }, i) => [
    ...own.map(({ h, ...point }) => ({ line, at: h, flat: false, ...inPoints(point) })),
    ...others.map(({ name, ...point }) => ({ line, at: placeOf(name) + aside(i), flat: true, ...inPoints(point) })),
  ])
  const colour = lineColour(lines, legend)
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
    layer: [...alongLayers(lines, colour), ...flatMarks(Math.max(5, (0.7 * room) / lines.length))],
  }
}

/** One line needs no legend. */
function lineColour(lines: readonly ScoreLine[], legend: string): LineColour {
  return {
    field: 'line',
    type: 'nominal',
    sort: null,
    title: lines.length > 1 ? legend : null,
    legend: lines.length > 1 ? {} : null,
  }
}

interface LineColour {
  readonly field: 'line'
  readonly type: 'nominal'
  readonly sort: null
  readonly title: string | null
  readonly legend: Readonly<Record<string, never>> | null
}

/** Bands, lines and points of the hidden states. */
function alongLayers(lines: readonly ScoreLine[], { title, legend }: Pick<LineColour, 'title' | 'legend'>): Layers {
  return [
    {
      transform: [{ filter: '!datum.flat && isValid(datum.low)' }],
      mark: { type: 'area', opacity: 0.18, aria: false },
      encoding: {
        y: { field: 'low', type: 'quantitative', title: 'score × 100', scale: { zero: false } },
        y2: { field: 'high' },
      },
    },
    {
      transform: [{ filter: '!datum.flat' }],
      mark: { type: 'line', strokeWidth: 2, aria: false },
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
  ]
}

/** Marks of representations that are not layers, `size` pixels wide. */
function flatMarks(size: number): Layers {
  return [
    {
      transform: [{ filter: 'datum.flat && isValid(datum.low)' }],
      mark: { type: 'rule', strokeWidth: 1.5 },
      encoding: { y: { field: 'low', type: 'quantitative' }, y2: { field: 'high' } },
    },
    {
      transform: [{ filter: 'datum.flat' }],
      mark: { type: 'tick', orient: 'horizontal', thickness: 3, size, opacity: 1 },
      encoding: { y: { field: 'score', type: 'quantitative' } },
    },
  ]
}

function inPoints({ score, low, high }: ScorePoint): { score: number; low?: number; high?: number } {
  return low === undefined || high === undefined
    ? { score: 100 * score }
    : { score: 100 * score, low: 100 * low, high: 100 * high }
}
