/** Checkpoint × layer as colour: when and where in training and depth the scores rise. */
import { points } from '#core'
import { thinned } from './axis-labels.ts'
import type { Caption, Picture } from './picture.ts'
import { shadedCells } from './shaded-cells.ts'

export interface CheckpointHeatMap extends Caption {
  /** From top to bottom. */
  readonly checkpoints: readonly string[]
  /** Hidden states, from left to right. */
  readonly layers: readonly number[]
  /** [checkpoints][layers], in 0 … 1; null where there is none. */
  readonly scores: readonly (readonly (number | null)[])[]
}

/** Up to this number of layers, scores are written in the cells. */
const written = 14
/** Width of a grid with many layers, in pixels. */
const room = 720

/** The best cell is framed. */
export function checkpointHeatMap({ checkpoints, layers, scores, ...named }: CheckpointHeatMap): Picture {
  const there = scores.flat().filter((score) => score !== null)
  const [low, high] = there.length === 0 ? [0, 1] : [Math.min(...there), Math.max(...there)]
  const width = layers.length <= written ? 52 : Math.max(8, Math.floor(room / layers.length))
  const labels = layers.map((h) => `h${h}`)
  return shadedCells({
    ...named,
    rows: { title: 'checkpoint', labels: checkpoints },
    columns: {
      title: 'hidden state (h0: token embeddings)',
      labels,
      shown: thinned(labels, Math.floor((width * layers.length) / 30)),
    },
    legend: 'score × 100',
    domain: low < high ? [100 * low, 100 * high] : [100 * low - 0.5, 100 * low + 0.5],
    cell: { width, height: 24 },
    cells: scores.map((line) =>
      line.map((score) => ({
        value: score === null ? null : 100 * score,
        framed: score === high && there.length > 1,
        ...(layers.length <= written ? { text: points(score) } : {}),
      })),
    ),
  })
}
