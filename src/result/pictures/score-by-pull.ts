/** The score of a search's best arm after every pull. */
import { caption, type Caption, type Picture } from './picture.ts'

export interface ScoreByPull extends Caption {
  /** Scores in 0 … 1, the first after one pull. */
  readonly lines: readonly { readonly name: string; readonly scores: readonly number[] }[]
}

export function scoreByPull({ lines, ...named }: ScoreByPull): Picture {
  const values = lines.flatMap(({ name, scores }) =>
    scores.map((score, i) => ({ name, pull: i + 1, score: 100 * score })),
  )
  return {
    title: caption(named),
    width: 560,
    height: 300,
    data: { values },
    mark: { type: 'line', interpolate: 'step-after', strokeWidth: 2, point: { size: 18, opacity: 0.7 } },
    encoding: {
      x: { field: 'pull', type: 'quantitative', title: 'pulls', axis: { grid: false, tickMinStep: 1 } },
      y: { field: 'score', type: 'quantitative', title: 'mean score × 100', scale: { zero: false } },
      color: {
        field: 'name',
        type: 'nominal',
        sort: null,
        title: 'search',
        ...(lines.length > 7 ? { scale: { scheme: 'viridis' as const } } : {}),
      },
    },
  }
}
