/** Regret of searches: the distance to the best arm after every pull. */
import { caption, type Caption, type Picture } from './picture.ts'

export interface RegretCurves extends Caption {
  readonly curves: readonly {
    readonly name: string
    /** In the order of their budgets; the band contains 90 of 100 runs. */
    readonly points: readonly {
      readonly budget: number
      readonly regret: number
      readonly low: number
      readonly high: number
    }[]
  }[]
  /** Unit of the budget: title of the axis. */
  readonly unit: string
}

/** Regret falls to 0 where the best arm is found. Bands are drawn where runs differ. */
export function regretCurves({ curves, unit, ...named }: RegretCurves): Picture {
  const values = curves.flatMap(({ name, points }) => points.map((point) => ({ name, ...point })))
  const differ = new Set(
    curves.filter(({ points }) => points.some(({ low, high }) => high > low)).map(({ name }) => name),
  )
  return {
    title: caption(named),
    width: 560,
    height: 320,
    data: { values },
    encoding: {
      x: {
        field: 'budget',
        type: 'quantitative',
        title: unit,
        scale: { zero: false, nice: false },
        axis: { grid: false },
      },
      color: { field: 'name', type: 'nominal', sort: null, title: 'policy' },
    },
    layer: [
      {
        transform: [{ filter: { field: 'name', oneOf: [...differ] } }],
        mark: { type: 'area', opacity: 0.14, interpolate: 'step-after' },
        encoding: {
          y: { field: 'low', type: 'quantitative', title: 'regret (reward of the best arm − of the best found)' },
          y2: { field: 'high' },
        },
      },
      {
        mark: { type: 'line', strokeWidth: 2, interpolate: 'step-after' },
        encoding: {
          y: { field: 'regret', type: 'quantitative' },
          // colours alone do not distinguish them in print
          strokeDash: {
            field: 'name',
            type: 'nominal',
            sort: null,
            title: 'policy',
            scale: { range: curves.map((_, i) => dashes[i % dashes.length] ?? []) },
          },
        },
      },
    ],
  }
}

const dashes = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 3, 2, 3],
  [10, 4],
  [1, 3],
  [4, 1],
]
