/** A frontier as a table and a picture. */
import { decimals, grouped, quantity } from '#core'
import { type Picture, pointsByValue } from '#result/pictures'
import { type Cell, numbers, type Table } from '#result/report'
import { frontierSentences } from './frontier-sentences.ts'
import type { Frontier, FrontierPoint } from './run-frontier.ts'

/** The front, the smallest vectors first, then the baseline where it is not on it; `all`: every point. */
export function frontierTable(frontier: Frontier, { all = false }: { all?: boolean | undefined } = {}): Table {
  const { points, baseline, chosen } = frontier
  const shown = all ? points : points.filter((one) => one.isFront || one.representation === baseline)
  return {
    id: 'frontier',
    isScores: true,
    title: all ? 'Score and size' : 'Front of score and size',
    notes: frontierSentences(frontier),
    columns: [
      { title: 'representation' },
      ...numbers('bytes', 'validation', 'test', '95 %'),
      { title: baseline === null ? 'difference' : `test minus ${baseline}` },
      ...(all ? [{ title: 'front' }] : []),
    ],
    rows: shown
      .toSorted((a, b) => a.bytes - b.bytes || (a.test ?? 0) - (b.test ?? 0))
      .map((one) => [
        { text: one.representation, best: one.representation === chosen },
        { text: grouped(one.bytes), value: one.bytes },
        scoreCell(one.validation),
        scoreCell(one.test),
        { text: rangeText(one.interval) },
        { text: rangeText(one.interval?.difference) },
        ...(all ? [{ text: one.isFront ? 'yes' : '' }] : []),
      ]),
  }
}

/** Test score against bytes per vector; the line joins the front. Undefined where no point has a score. */
export function frontierPicture({ model, tasks, points }: Frontier): Picture | undefined {
  const drawn = points.flatMap(({ representation: name, bytes, test, type, interval }) =>
    test === null
      ? []
      : [
          {
            name,
            x: bytes,
            y: 100 * test,
            group: type,
            ...(interval === undefined ? {} : { low: 100 * interval.low, high: 100 * interval.high }),
          },
        ],
  )
  if (drawn.length === 0) return undefined
  const validates = tasks.some(({ validation }) => validation !== null)
  return pointsByValue({
    title: `${model}: score and size of a vector`,
    subtitle: `${tasks.length === 1 ? tasks[0]?.task : `mean over ${quantity(tasks.length, 'task')}`}; the line joins the front ${validates ? 'of the validation rows' : 'in hindsight'}`,
    across: 'bytes per vector',
    up: 'test score × 100',
    logarithmic: true,
    points: drawn,
    joined: points
      .filter(({ isFront }) => isFront)
      .toSorted((a, b) => a.bytes - b.bytes)
      .map(({ representation }) => representation),
  })
}

function scoreCell(score: FrontierPoint['test']): Cell {
  return score === null ? { text: '–', value: null } : { text: decimals(100 * score, 2), value: score }
}

function rangeText(range: { readonly low: number; readonly high: number } | undefined): string {
  return range === undefined ? '' : `${decimals(100 * range.low, 2)} … ${decimals(100 * range.high, 2)}`
}
